// Fills a clinic with generated data, determined by the seed and `now`. Works in batches: memory does not grow with the size.

import type { Clinic } from '@clinic-data/contract'
import type { Database, Transaction } from '@clinic-data/database'
import { storeCalls } from '@clinic-data/records/calls'
import { storeChatConversations, storeChatMessages } from '@clinic-data/records/chat'
import { storeChatTemplates } from '@clinic-data/records/chat-templates'
import { storeFiles } from '@clinic-data/records/files'
import { storeLeads } from '@clinic-data/records/leads'
import { storePatients } from '@clinic-data/records/patients'
import { storeTimeOff, storeWorkingHours } from '@clinic-data/records/schedule'
import { Calendar } from './calendar.ts'
import { callCount, callOf } from './calls.ts'
import { type Chat, chatOf } from './chats.ts'
import { type ClinicPlan, planClinic } from './clinic-plan.ts'
import { exampleCall, exampleLead, hasExamples } from './examples/story.ts'
import { fillCalendar } from './fill-calendar.ts'
import { leadCount, leadOf } from './leads.ts'
import { files } from './media.ts'
import { patient } from './patients.ts'
import { storeCatalog } from './reference-data.ts'
import { templates } from './templates.ts'
import { timeOff, workingHours } from './working-week.ts'

export type DemoProgress = {
  stage: 'patients' | 'appointments' | 'calls' | 'chats' | 'leads'
  done: number
  total: number
}

export type DemoOptions = {
  /** Opened as the application's role or as the owner: both may write the clinic's rows. */
  database: Database
  /** Must exist. */
  clinic: Clinic
  patients?: number
  /** On average, over the past two years and the next four weeks. */
  appointments_per_patient?: number
  seed?: number
  /** The same seed, sizes and now give the same rows: a second run changes nothing. */
  now: Date
  onProgress?: (progress: DemoProgress) => void
  /** Called when the patients are stored. The rest waits for it. */
  onPatients?: () => Promise<void>
}

export const DEMO_PATIENTS = 2_000
export const DEMO_APPOINTMENTS_PER_PATIENT = 10
export const DEMO_SEED = 1

/**
 * Emits no events. Running it again completes an interrupted run.
 *
 * @example await generateDemo({ database, clinic, patients: 100_000, appointments_per_patient: 10, now: new Date() })
 */
export async function generateDemo(options: DemoOptions): Promise<void> {
  const { database, clinic, now, onProgress = () => undefined } = options
  const {
    patients = DEMO_PATIENTS,
    appointments_per_patient = DEMO_APPOINTMENTS_PER_PATIENT,
    seed = DEMO_SEED,
  } = options
  const plan = planClinic(clinic, now, { patients, appointments_per_patient, seed })
  await database.write(clinic, (tx) => storeReferenceData(tx, plan))
  const tell = (stage: DemoProgress['stage'], total: number) => (done: number) => onProgress({ stage, done, total })

  const people = { database, clinic, count: patients, onBatch: tell('patients', patients) }
  await storeNumbered(people, (number) => patient(plan, number), storePatients)
  await options.onPatients?.()
  await storeCalendar(database, plan, tell('appointments', Math.round(patients * appointments_per_patient)))
  const calls = { database, clinic, count: callCount(plan), onBatch: tell('calls', callCount(plan)) }
  await storeNumbered(calls, (number) => callOf(plan, number), storeCalls)
  await storeNumbered({ ...people, onBatch: tell('chats', patients) }, (number) => chatOf(plan, number), storeChats)
  const leads = { database, clinic, count: leadCount(plan), onBatch: tell('leads', leadCount(plan)) }
  await storeNumbered(leads, (number) => leadOf(plan, number), storeLeads)
  if (hasExamples(plan))
    await database.write(clinic, async (tx) => {
      await storeCalls(tx, clinic, [exampleCall(plan)])
      await storeLeads(tx, clinic, [exampleLead(plan)])
    })
}

async function storeReferenceData(tx: Transaction, plan: ClinicPlan): Promise<void> {
  const { clinic } = plan
  await storeCatalog(tx, plan)
  await storeWorkingHours(tx, clinic, workingHours(plan))
  await storeTimeOff(tx, clinic, timeOff(plan, plan.firstDay, plan.lastDay))
  await storeChatTemplates(tx, clinic, templates(plan))
  await storeFiles(tx, clinic, files(plan))
}

function storeCalendar(database: Database, plan: ClinicPlan, onDone: (done: number) => void): Promise<void> {
  const calendar = new Calendar(plan, true)
  let done = 0
  return fillCalendar({
    database,
    plan,
    firstDay: plan.firstDay,
    lastDay: plan.lastDay,
    visitsOf: (day) => calendar.visitsOf(day),
    numbers: new Map(),
    whole: false,
    onBatch: (appointments) => {
      done += appointments
      onDone(done)
    },
  })
}

async function storeChats(tx: Transaction, clinic: Clinic, chats: readonly Chat[]): Promise<void> {
  const conversations = chats.map(({ conversation }) => conversation)
  await storeChatConversations(tx, clinic, conversations)
  await storeChatMessages(
    tx,
    clinic,
    chats.flatMap(({ messages }) => messages),
  )
}

type Numbered = { database: Database; clinic: Clinic; count: number; onBatch: (done: number) => void }

/** How many records one transaction writes. */
const BATCH = 1_000

/** Two transactions at a time: while the database works on one, the next is generated. */
async function storeNumbered<R>(
  { database, clinic, count, onBatch }: Numbered,
  recordOf: (number: number) => R | null,
  store: (tx: Transaction, clinic: Clinic, records: readonly R[]) => Promise<unknown>,
): Promise<void> {
  let next = 0
  let done = 0
  const lane = async () => {
    while (next < count) {
      const from = next
      next = Math.min(count, from + BATCH)
      const records: R[] = []
      for (let number = from; number < next; number++) {
        const record = recordOf(number)
        if (record !== null) records.push(record)
      }
      const drawn = next - from
      await database.write(clinic, (tx) => store(tx, clinic, records))
      done += drawn
      onBatch(done)
    }
  }
  await Promise.all([lane(), lane()])
}
