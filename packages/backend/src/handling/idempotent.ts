// `Idempotency-Key`: a completed write is not done again. Its answer is repeated for a day.
import { type Clinic, type Grant, type HandlerInput, type Operation, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { filledPath } from '@clinic-data/contract/routes'
import { type Database, sql, type Transaction } from '@clinic-data/database'
import { contentHash } from '@clinic-data/surface/content-hash'

/** Most writes have ended by then. */
const UNDER_WAY_SECONDS = 1

/**
 * The contract's promise. The row itself may be kept longer. Its age is told by the database's clock alone: to a machine whose own clock is a
 * day ahead each answer would look forgotten, and a repeated payment would be recorded twice.
 */
const KEPT = sql`created_at > now() - interval '24 hours'`

export interface IdempotentWrite {
  readonly operation: Operation
  readonly clinic: Clinic
  readonly input: HandlerInput<Operation>
}

/**
 * The stored answer of this key, or null if the write is still to be done. 409 while it is under way elsewhere. 422 if another
 * request used the key.
 */
export async function storedAnswer(tx: Transaction, write: IdempotentWrite, key: string): Promise<object | null> {
  const { clinic } = write
  const scope = scopeOf(write)
  const lock = tx.send<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${clinic.clinic_id} ${scope} ${key}`}, 0)) as taken`,
  )
  const { rows } = await tx.query<{ request_hash: string; answer: object }>(sql`
    select request_hash, answer from idempotency where clinic_id = ${clinic.clinic_id} and scope = ${scope} and key = ${key}
      and ${KEPT}`)
  if (lock().rows[0]?.taken !== true) {
    throw new Problem('conflict', 'A request with this Idempotency-Key is under way. Ask again in a moment.', {
      retry_after: UNDER_WAY_SECONDS,
    })
  }
  const [row] = rows
  if (row === undefined) return null
  if (row.request_hash !== contentHash(write.input.body)) {
    const detail = 'must be new for every request: it was used with other content'
    throw faultProblem('idempotency-key-reused', [{ header: 'Idempotency-Key', code: 'reused', detail }])
  }
  return row.answer
}

/** Whether a request's key has already been used. The write itself then decides the answer. */
export async function isAnswered(
  database: Database,
  { operation, clinic }: Grant,
  input: { readonly params: unknown; readonly idempotency_key: string | null },
): Promise<boolean> {
  const { idempotency_key: key } = input
  if (key === null) return false
  const rows = await database.read(
    clinic,
    sql`select from idempotency where clinic_id = ${clinic.clinic_id} and scope = ${scopeOf({ operation, input })}
      and key = ${key} and ${KEPT}`,
  )
  return rows.length > 0
}

/** Stores the answer of a write in the write's own transaction, with its next statement. */
export function storeAnswer(tx: Transaction, write: IdempotentWrite, key: string, answer: object): void {
  const { clinic, input } = write
  tx.send(sql`
    insert into idempotency (clinic_id, scope, key, request_hash, answer, created_at)
    values (${clinic.clinic_id}, ${scopeOf(write)}, ${key}, ${contentHash(input.body)}, ${JSON.stringify(answer)}, now())
    on conflict (clinic_id, scope, key) do update
    set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`)
}

/** Removes answers that are too old to be repeated. */
export async function forgetAnswers(tx: Transaction, { clinic_id }: Clinic): Promise<void> {
  await tx.query(sql`delete from idempotency where clinic_id = ${clinic_id} and not ${KEPT}`)
}

/** Method and path. */
function scopeOf({ operation, input }: { operation: Operation; input: { readonly params: unknown } }): string {
  return `${operation.method} ${filledPath(operation, input.params as Record<string, string>)}`
}
