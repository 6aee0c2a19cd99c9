// Writes days of the demo clinic's calendar: appointments, their treatments and their payments.

import type { Database, Transaction } from '@clinic-data/database'
import { type AppointmentRecord, storeAppointments } from '@clinic-data/records/appointments'
import { type PaymentRecord, storePayments } from '@clinic-data/records/payments'
import {
  storeTreatmentPlans,
  storeTreatments,
  type TreatmentPlanRecord,
  type TreatmentRecord,
} from '@clinic-data/records/treatments'
import type { Visit } from './calendar.ts'
import type { ClinicPlan } from './clinic-plan.ts'
import { type DocumentNumbers, PaymentLedger } from './payments.ts'
import { performed } from './treatments.ts'

export type CalendarFill = {
  database: Database
  plan: ClinicPlan
  firstDay: number
  lastDay: number
  visitsOf: (day: number) => Iterable<Visit>
  /** The document numbers so far. The fill goes on from them and updates them. */
  numbers: DocumentNumbers
  /**
   * Whether a batch is one transaction, so that a clinic which is in use never shows a visit without its payment.
   * Otherwise treatments and payments are written beside the next batch's appointments, which takes about half the time.
   */
  whole: boolean
  onBatch: (appointments: number) => void
}

type Batch = {
  appointments: AppointmentRecord[]
  plans: TreatmentPlanRecord[]
  treatments: TreatmentRecord[]
  payments: PaymentRecord[]
}

/** About as many appointments make a batch: it ends with a day. */
const BATCH = 2_000

export async function fillCalendar(fill: CalendarFill): Promise<void> {
  const { database, plan, whole, onBatch } = fill
  const { clinic } = plan
  const write = (work: (tx: Transaction) => Promise<unknown>) => database.write(clinic, work)
  let behind: Promise<unknown> = Promise.resolve()
  for (const batch of batches(fill)) {
    const visits = (tx: Transaction) => storeAppointments(tx, clinic, batch.appointments)
    const treatments = async (tx: Transaction) => {
      await storeTreatmentPlans(tx, clinic, batch.plans)
      await storeTreatments(tx, clinic, batch.treatments)
    }
    const payments = (tx: Transaction) => storePayments(tx, clinic, batch.payments)
    if (whole) {
      await write(async (tx) => {
        await visits(tx)
        await treatments(tx)
        await payments(tx)
      })
    } else {
      await write(visits)
      await behind
      behind = Promise.all([write(treatments), write(payments)])
      // The next await throws its error. Until then it must not count as unhandled.
      behind.catch(() => undefined)
    }
    onBatch(batch.appointments.length)
  }
  await behind
}

function* batches({ plan, firstDay, lastDay, visitsOf, numbers }: CalendarFill): Generator<Batch> {
  const ledger = new PaymentLedger(plan, numbers)
  let batch = emptyBatch()
  for (let day = firstDay; day <= lastDay; day++) {
    for (const visit of visitsOf(day)) {
      const { treatments, plan: treatmentPlan, netMinor } = performed(plan, visit)
      batch.appointments.push(visit.record)
      batch.treatments.push(...treatments)
      if (treatmentPlan !== null) batch.plans.push(treatmentPlan)
      ledger.add(visit, netMinor)
    }
    batch.payments.push(...ledger.settle(plan.days.at(day + 1, 0)))
    if (batch.appointments.length < BATCH) continue
    yield batch
    batch = emptyBatch()
  }
  yield batch
}

function emptyBatch(): Batch {
  return { appointments: [], plans: [], treatments: [], payments: [] }
}
