// Finds what has come back of patients who were erased before. Records are known by the ids that the erasure kept, because nothing else
// says any more whose they were.
import { type ClinicSession, type Statement, sql } from '@clinic-data/database'
import { hiddenTextOf } from '@clinic-data/records/resources/hidden-text'
import { type ErasedKind, isErased } from '@clinic-data/records/storing/erased-records'
import type { Reader } from '../patient-export/reader.ts'
import { isFilled } from './personal-columns.ts'

/** When the patient was erased last, in UTC. Null: never. */
export async function erasedAt(owner: Reader, clinic: ClinicSession, patient_id: string): Promise<string | null> {
  const [row] = await owner.read<{ erased_at: string }>(
    clinic,
    sql`select erased_at from erased_record where clinic_id = ${clinic.clinic_id} and kind = 'patient' and id = ${patient_id}`,
  )
  return row === undefined ? null : new Date(row.erased_at).toISOString()
}

type ErasedRecord = Exclude<ErasedKind, 'patient'>

/** Whether a row that was erased holds somebody again. A conversation was removed: it is there again. */
const holdsAgain: Readonly<Record<ErasedRecord, Statement>> = {
  call: isFilled('call', 'own'),
  chat_message: isFilled('chat_message', 'own'),
  chat_conversation: sql`true`,
  lead: isFilled('lead', 'own'),
}

/** Whether a row of the relation `own` was erased, and holds somebody again. */
export function hasComeBack({ clinic_id }: ClinicSession, kind: ErasedRecord): Statement {
  const wasErased = isErased({ clinic_id }, kind, sql`own.id`)
  if (kind !== 'chat_message') return sql`(${holdsAgain[kind]} and ${wasErased})`
  // Whoever does not know the erased message stores the platform's message as a new one.
  const isStoredAnew = sql`exists (select from chat_message erased where erased.clinic_id = ${clinic_id} and erased.id <> own.id
    and erased.platform_message_id = ${hiddenTextOf(sql`own.platform_message_id`)})`
  return sql`(${holdsAgain[kind]} and (${wasErased} or ${isStoredAnew}))`
}

/** Those of these patients of whom something is stored, whether they were erased or not. */
export async function heldAmong(owner: Reader, clinic: ClinicSession, ids: readonly string[]): Promise<Set<string>> {
  const { clinic_id } = clinic
  const those = sql`own.clinic_id = ${clinic_id} and own.patient_id = any(${ids}::text[])`
  const rows = await owner.read<{ id: string }>(
    clinic,
    sql`select own.id from patient own
        where own.clinic_id = ${clinic_id} and own.id = any(${ids}::text[]) and ${isFilled('patient', 'own')}
      union select own.patient_id from patient_contact own where ${those}
      union select own.patient_id from appointment own where ${those} and ${isFilled('appointment', 'own')}
      union select own.patient_id from payment own where ${those} and ${isFilled('payment', 'own')}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** How many records of the clinic's erased patients hold somebody again. */
export async function countComeBack(owner: Reader, clinic: ClinicSession): Promise<number> {
  const kinds = Object.keys(holdsAgain) as ErasedRecord[]
  const counts = kinds.map((kind) => {
    const table = sql.identifier(kind)
    return sql`(select count(*) from ${table} own where own.clinic_id = ${clinic.clinic_id} and ${hasComeBack(clinic, kind)})`
  })
  const [row] = await owner.read<{ count: string }>(clinic, sql`select ${sql.join(counts, sql` + `)} as count`)
  return Number(row?.count ?? 0)
}
