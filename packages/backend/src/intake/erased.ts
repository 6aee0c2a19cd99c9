// The records of a batch that were erased with their patient: their outcome is `erased`, and no fault of theirs stops the others (docs/decisions/0120).
import { erasedMessages } from '@clinic-data/changes/chat-messages'
import { RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { erasedAmong, isErased } from '@clinic-data/records/storing/erased-records'
import type { RecordOutcome, RecordsOperation } from '../ingest/ingest-operation.ts'

type Sent = Record<string, unknown>
type Work<T> = (living: readonly Sent[]) => Promise<T & { answer: readonly RecordOutcome[] }>

/** Does the work with the records that were not erased, and puts the outcomes of all into their order. */
export async function besideErased<T>(
  tx: Transaction,
  clinic: Clinic,
  operation: RecordsOperation,
  records: readonly Sent[],
  work: Work<T>,
): Promise<T & { answer: readonly RecordOutcome[] }> {
  const erased = await erasedAt(tx, clinic, operation, records)
  const places = [...records.keys()].filter((place) => !erased.has(place))
  const done = await inPlaces(places, () => work(records.filter((_, place) => !erased.has(place))))
  const answer = await ofErasedPatients(tx, clinic, operation, done.answer)
  const living = new Map(places.map((place, at) => [place, answer[at]]))
  return {
    ...done,
    answer: [...records.keys()].flatMap((place) => erased.get(place) ?? living.get(place) ?? []),
  }
}

/** The outcomes of the records that name what was erased, by their places. */
async function erasedAt(
  tx: Transaction,
  clinic: Clinic,
  { erasable = {} }: RecordsOperation,
  records: readonly Sent[],
): Promise<Map<number, RecordOutcome>> {
  const erased = new Map<number, RecordOutcome>()
  for (const [field, kind] of Object.entries(erasable)) {
    const named = records.map((record) => record[field]).filter((id) => typeof id === 'string')
    if (named.length === 0) continue
    const found =
      kind === 'platform_message_id'
        ? await erasedMessages(tx, clinic, named)
        : new Map([...(await erasedAmong(tx, clinic, kind, named))].map((id) => [id, id]))
    for (const [place, record] of records.entries()) {
      const id = found.get(String(record[field]))
      if (id !== undefined && !erased.has(place)) erased.set(place, { id, outcome: 'erased' })
    }
  }
  return erased
}

/** @throws RefusedRows with the places of the rows among all records. */
async function inPlaces<T>(places: readonly number[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error
    throw new RefusedRows(error.rows.map((row) => ({ ...row, index: places[row.index] ?? row.index })))
  }
}

/** Compared without their texts these are as they are stored. */
async function ofErasedPatients(
  tx: Transaction,
  { clinic_id }: Clinic,
  { ofPatients }: RecordsOperation,
  outcomes: readonly RecordOutcome[],
): Promise<readonly RecordOutcome[]> {
  const same = outcomes.flatMap(({ id, outcome }) => (outcome === 'unchanged' ? id : []))
  if (ofPatients === undefined || same.length === 0) return outcomes
  const { rows } = await tx.query<{ id: string }>(sql`select own.id from ${sql.identifier(ofPatients)} own
    where own.clinic_id = ${clinic_id} and own.id = any(${same}::text[])
      and ${isErased({ clinic_id }, 'patient', sql`own.patient_id`)}`)
  const theirs = new Set(rows.map(({ id }) => id))
  return outcomes.map((one) =>
    one.outcome === 'unchanged' && theirs.has(one.id) ? { ...one, outcome: 'erased' } : one,
  )
}
