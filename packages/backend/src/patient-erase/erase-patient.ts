// Erases one person: their data is removed, and what the law keeps is made anonymous, in one transaction (docs/decisions/0120).
import { updatedAppointments } from '@clinic-data/changes/appointments'
import { callChanges } from '@clinic-data/changes/known-calls'
import { updatedPatients } from '@clinic-data/changes/patients'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql, type Transaction } from '@clinic-data/database'
import { lockOf, REPORTS, type StillValid } from '@clinic-data/surface/still-valid'
import type { Doubt } from '../patient-export/left-out.ts'
import { findPerson, type Person } from '../patient-export/person.ts'
import { readerOf } from '../patient-export/reader.ts'
import { eraseRows } from './erase-rows.ts'
import { type FoundRows, findRows, isNothing } from './find-rows.ts'

/** Counts by kind: an erasure that is looked at, or was done. */
export interface Erasure {
  readonly removed: Readonly<Record<string, number>>
  readonly made_anonymous: Readonly<Record<string, number>>
  /** May be another person's, and stays. */
  readonly doubtful: Readonly<Partial<Record<Doubt, number>>>
  /** Messages to the person that are being sent. Nothing is erased before they are. */
  readonly waiting_messages: number
  /** When the patient was erased last, in UTC. Null: never. Then the counts are of what has come back. */
  readonly erased_before: string | null
}

export interface ErasePatientParts {
  readonly now: () => Date
  readonly withDoubtful: boolean
  /** Runs in the transaction, last: what else is stored of the erasure. It may run again when the transaction does. */
  readonly beside: (tx: Transaction, patient_id: string) => void | Promise<void>
}

/** Nothing was changed. */
export class MessagesWaiting extends Error {
  constructor(count: number) {
    super(MessagesWaiting.say(count))
  }

  /** In the words that people read. */
  static say(count: number): string {
    return count === 1 ? '1 message to the patient is being sent' : `${count} messages to the patient are being sent`
  }
}

/** Looks at what an erasure would do, and changes nothing. Null when the clinic has no such patient. */
export async function lookAtErasure(
  owner: Database,
  clinic: Clinic,
  patient_id: string,
  withDoubtful: boolean,
): Promise<Erasure | null> {
  const person = await findPerson(owner, clinic, patient_id, withDoubtful)
  return person === null ? null : erasureOf(person, await findRows(owner, person))
}

/**
 * Erases the person, or nothing: it is one transaction. Whoever was writing for the clinic is waited for, and writes that come meanwhile
 * wait, so that none brings back what it had read before. A patient who was erased before is erased again where something has come back;
 * where nothing has, nothing is changed and `beside` does not run.
 *
 * @param owner a database opened as the owner of the tables.
 * @throws MessagesWaiting
 */
export function erasePatient(
  owner: Database,
  clinic: Clinic,
  patient_id: string,
  { now, withDoubtful, beside }: ErasePatientParts,
): Promise<Erasure | null> {
  const work = async (tx: Transaction, at: Date) => {
    const reader = readerOf(tx)
    const person = await findPerson(reader, clinic, patient_id, withDoubtful)
    if (person === null) return { answer: null, ...NOTHING }
    const found = await findRows(reader, person)
    if (isNothing(found)) return { answer: erasureOf(person, found), ...NOTHING }
    if (found.waiting > 0) throw new MessagesWaiting(found.waiting)
    await eraseRows(tx, { clinic_id: clinic.clinic_id, patient_id, found, at })
    const changes = [
      ...(await updatedPatients(tx, clinic, found.isHeld ? [patient_id] : [])),
      ...(await updatedAppointments(tx, clinic, found.notedAppointments)),
      ...(await callChanges.changesOf(tx, clinic, found.notedCalls, () => 'call.updated')),
    ]
    await beside(tx, patient_id)
    return { answer: erasureOf(person, found), changes }
  }
  return writeChanges({ database: owner, now }, clinic, work, alone(clinic))
}

/** Not even a time. */
const NOTHING = { changes: [], isUndated: true } as const

/** Takes the locks of all who may write for the clinic, in one order. */
function alone({ clinic_id }: Clinic): StillValid {
  return async (tx) => {
    const { rows } = await tx.query<{ id: string }>(sql`select id from api_key where clinic_id = ${clinic_id}
      union select id from ingest_token where clinic_id = ${clinic_id}
      union select id from administrator where clinic_id = ${clinic_id}`)
    const ids = [REPORTS, ...rows.map(({ id }) => id)].sort()
    for (const id of ids) tx.send(sql`select pg_advisory_xact_lock(${lockOf({ clinic_id, id })})`)
    // A statement that begins after the wait sees what was committed meanwhile.
    await tx.query(sql`select 1`)
  }
}

/** Nothing has come back since the patient was erased. */
export function isErased({ removed, made_anonymous, erased_before }: Erasure): boolean {
  return erased_before !== null && Object.keys({ ...removed, ...made_anonymous }).length === 0
}

function erasureOf(person: Person, found: FoundRows): Erasure {
  // A visit names its patient, and has a name again when the patient has.
  const { appointments, payments } = found.isHeld
    ? person
    : { appointments: found.notedAppointments, payments: found.payments }
  return {
    removed: shown({
      chat_conversations: found.conversations,
      files: found.files,
      lead_activities: found.activities,
    }),
    made_anonymous: shown({
      patients: found.isHeld ? ['it'] : [],
      appointments: [...appointments],
      payments: [...payments],
      documents: found.documents,
      treatment_plans: found.plans,
      calls: found.calls,
      chat_messages: found.messages,
      leads: found.leads,
      events: found.events,
      kept_answers: found.answers,
    }),
    doubtful: found.doubtful,
    waiting_messages: found.waiting,
    erased_before: found.erasedBefore,
  }
}

function shown(kinds: Readonly<Record<string, readonly unknown[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, rows]) => (rows.length > 0 ? [[kind, rows.length]] : [])),
  )
}
