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
import { type Reader, readerOf } from '../patient-export/reader.ts'
import { eraseRows } from './erase-rows.ts'
import { type FoundRows, findRows } from './find-rows.ts'

/** Counts by kind: an erasure that is looked at, or was done. */
export interface Erasure {
  readonly removed: Readonly<Record<string, number>>
  readonly made_anonymous: Readonly<Record<string, number>>
  /** May be another person's, and stays. */
  readonly doubtful: Readonly<Partial<Record<Doubt, number>>>
  /** Messages to the person that are being sent. Nothing is erased before they are. */
  readonly waiting_messages: number
}

export interface ErasePatientParts {
  readonly now: () => Date
  readonly withDoubtful: boolean
  /** Runs in the transaction, last: what else is stored of the erasure. It may run again when the transaction does. */
  readonly beside: (tx: Transaction, patient_id: string) => void | Promise<void>
}

/** Nothing was changed. */
export class MessagesWaiting extends Error {
  readonly count: number

  constructor(count: number) {
    super(`${count} messages to the patient are being sent`)
    this.count = count
  }
}

/** When the patient was erased, in UTC. Null: not. */
export async function erasedAt(owner: Reader, clinic: Clinic, patient_id: string): Promise<string | null> {
  const [row] = await owner.read<{ erased_at: string }>(
    clinic,
    sql`select erased_at from erased_record where clinic_id = ${clinic.clinic_id} and kind = 'patient' and id = ${patient_id}`,
  )
  return row === undefined ? null : new Date(row.erased_at).toISOString()
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
 * wait, so that none brings back what it had read before.
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
    if (person === null || (await erasedAt(reader, clinic, patient_id)) !== null) return { answer: null, changes: [] }
    const found = await findRows(reader, person)
    if (found.waiting > 0) throw new MessagesWaiting(found.waiting)
    await eraseRows(tx, { clinic_id: clinic.clinic_id, patient_id, found, at })
    const changes = [
      ...(await updatedPatients(tx, clinic, [patient_id])),
      ...(await updatedAppointments(tx, clinic, found.notedAppointments)),
      ...(await callChanges.changesOf(tx, clinic, found.notedCalls, () => 'call.updated')),
    ]
    await beside(tx, patient_id)
    return { answer: erasureOf(person, found), changes }
  }
  return writeChanges({ database: owner, now }, clinic, work, alone(clinic))
}

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

function erasureOf({ appointments, payments }: Person, found: FoundRows): Erasure {
  return {
    removed: shown({
      chat_conversations: found.conversations,
      files: found.files,
      lead_activities: found.activities,
    }),
    made_anonymous: shown({
      patients: ['it'],
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
  }
}

function shown(kinds: Readonly<Record<string, readonly unknown[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, rows]) => (rows.length > 0 ? [[kind, rows.length]] : [])),
  )
}
