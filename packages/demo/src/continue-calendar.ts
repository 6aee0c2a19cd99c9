// Continues a demo clinic's calendar: gives past appointments their outcomes, and books new days.
//
// It rewrites nothing: it closes appointments that are still open and adds days after the last one. Changes made in the demo
// stay.

import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { AppointmentRecord } from '@clinic-data/records/appointments'
import { storeTimeOff } from '@clinic-data/records/schedule'
import { complete } from '@clinic-data/records/storing/complete-record'
import { Calendar, type Visit } from './calendar.ts'
import { AHEAD_DAYS, type ClinicPlan, drawFor, planClinic } from './clinic-plan.ts'
import { fillCalendar } from './fill-calendar.ts'
import { DEMO_APPOINTMENTS_PER_PATIENT, DEMO_SEED } from './generate-demo.ts'
import { dayNumber, instantText } from './local-days.ts'
import { FIRST_PATIENT_NUMBER } from './patients.ts'
import type { DocumentNumbers } from './payments.ts'
import { branchIndex, providerId, VISIT_KINDS } from './reference-data.ts'
import { timeOff } from './working-week.ts'

/** The calendar is continued when fewer days are booked ahead: once a week, not at every start. */
const LEAST_AHEAD_DAYS = AHEAD_DAYS - 7

/** @returns whether there was anything to add. */
export async function continueCalendar(options: { database: Database; clinic: Clinic; now: Date }): Promise<boolean> {
  const { database, clinic, now } = options
  const { latest, patients, is_known } = await extent(database, clinic)
  // The providers of a demo of an earlier version have other ids: it stays as it is.
  if (latest === null || !is_known) return false
  const plan = planClinic(clinic, now, {
    patients,
    appointments_per_patient: DEMO_APPOINTMENTS_PER_PATIENT,
    seed: DEMO_SEED,
  })
  const lastBooked = dayNumber(latest)
  if (lastBooked >= plan.today + LEAST_AHEAD_DAYS) return false
  const open = Map.groupBy(await passedAppointments(database, plan), ({ endsAt }) => plan.days.dayOf(endsAt))
  const calendar = new Calendar(plan)
  await database.write(clinic, (tx) => storeTimeOff(tx, clinic, timeOff(plan, lastBooked + 1, plan.lastDay)))
  await fillCalendar({
    database,
    plan,
    firstDay: Math.min(lastBooked + 1, ...open.keys()),
    lastDay: plan.lastDay,
    visitsOf: (day) => (day <= lastBooked ? (open.get(day) ?? []) : calendar.visitsOf(day)),
    numbers: await lastNumbers(database, clinic),
    whole: true,
    onBatch: () => undefined,
  })
  return true
}

interface Extent {
  latest: string | null
  patients: number
  is_known: boolean
}

async function extent(database: Database, clinic: Clinic): Promise<Extent> {
  const [found] = await database.read<Extent>(
    clinic,
    sql`select (select max(start_date)::text from appointment where clinic_id = ${clinic.clinic_id}) as latest,
      (select count(*)::int from patient where clinic_id = ${clinic.clinic_id}) as patients,
      exists (select from provider where clinic_id = ${clinic.clinic_id} and id = ${providerId(0)}) as is_known`,
  )
  return found ?? { latest: null, patients: 0, is_known: false }
}

async function lastNumbers(database: Database, { clinic_id, time_zone }: Clinic): Promise<DocumentNumbers> {
  const rows = await database.read<{ key: string; number: number }>(
    { clinic_id, time_zone },
    sql`select billing_account_id || ' ' || type as key, max(number) as number
      from payment_document where clinic_id = ${clinic_id} group by 1`,
  )
  return new Map(rows.map(({ key, number }) => [key, number]))
}

type OpenAppointment = {
  id: string
  patient_id: string
  branch_id: string
  type_id: string
  provider_ids: string[]
  start: number
  end: number
  note: string | null
}

/** Booked appointments in the past, as visits with an outcome. Skips those that the demo did not make. */
async function passedAppointments(database: Database, plan: ClinicPlan): Promise<Visit[]> {
  const { clinic_id } = plan.clinic
  const rows = await database.read<OpenAppointment>(
    plan.clinic,
    sql`select a.id, a.patient_id, a.branch_id, a.type_id, a.note,
        extract(epoch from a.start)::float8 as start, extract(epoch from a."end")::float8 as "end",
        array(select p.provider_id from appointment_provider p
          where p.clinic_id = ${clinic_id} and p.appointment_id = a.id order by p.position) as provider_ids
      from appointment a join appointment_status s on s.clinic_id = ${clinic_id} and s.id = a.status_id
      where a.clinic_id = ${clinic_id} and s.kind in ('booked', 'confirmed', 'arrived')
        and a."end" < ${new Date(plan.now)} and a.id ~ '^a[0-9]+$' and a.patient_id ~ '^p[0-9]+$'
      order by a.start_sort, a.id`,
  )
  return rows.flatMap((row) => outcomeOf(plan, row) ?? [])
}

function outcomeOf(plan: ClinicPlan, row: OpenAppointment): Visit | null {
  const { start, end, ...appointment } = row
  const kind = VISIT_KINDS.find(({ id }) => id === row.type_id)
  if (kind === undefined) return null
  const number = Number(row.id.slice(1))
  const completed = drawFor(plan, 'outcome', number).chance(0.94)
  const endsAt = end * 1000
  const changedAt = instantText(Math.min(endsAt + 300_000, plan.now))
  const record = complete(AppointmentRecord, {
    ...appointment,
    status_id: completed ? 'completed' : 'no-show',
    start: instantText(start * 1000),
    end: instantText(endsAt),
    created_at: changedAt,
    updated_at: changedAt,
  })
  const patient = Number(row.patient_id.slice(1)) - FIRST_PATIENT_NUMBER
  return { record, kind, patient, number, branch: branchIndex(row.branch_id), endsAt, completed }
}
