// The hash chain over a clinic's audit rows: each seal's hash covers its rows and the previous seal. The head marks the end of the
// chain and carries a MAC under a key that the database does not hold. An attacker who can only write to the database cannot make
// another head, so changed, removed and inserted rows are found, even at the end of the chain.
import { hash, timingSafeEqual } from 'node:crypto'
import { mac, type SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Statement, sql } from '@clinic-data/database'

export interface Seal {
  number: number
  last_id: number
  /** The day of all its rows, in UTC. */
  day: string
  row_count: number
  rows_hash: string
  hash: string
}

export interface Head {
  number: number
  key_id: string
  mac: string
}

export interface SealedRow {
  id: number
  day: string
  /** The row's whole content. */
  content: string
  /** Outside of the seal. */
  duration_ms: number | null
}

/** The state before the first seal. */
export const BEGINNING = { number: 0, last_id: 0, hash: '' }

export type End = Pick<Seal, 'number' | 'hash'>

/**
 * Reads the table, where rows lie until they are packed: `sealed-rows.ts` reads them wherever they are.
 *
 * Read in UTC (`utcSession`): the hashes depend on the form of the rows' times. How long a request took is a measurement, no evidence:
 * it stays outside of the seal, and so rows from before it was kept have the same form.
 */
export function rowsBehind(clinic_id: string, last_id: number, upTo: number, limit: number): Statement {
  return sql`select id, (stored_at at time zone 'UTC')::date as day, json_build_array(stored_at, id, at, key_id, operation,
      surface, resource_ids, count, status, request_id, address)::text as content, duration_ms
    from audit where clinic_id = ${clinic_id} and id > ${last_id} and id <= ${upTo} order by id limit ${limit}`
}

/** All seals of a clinic: a condition, an order and a limit may follow. */
export function sealsOf(clinic_id: string): Statement {
  return sql`select number, last_id, day, row_count, rows_hash, hash from audit_seal where clinic_id = ${clinic_id}`
}

/** An end of the chain as it is printed, kept elsewhere and expected. */
export function nameOfEnd({ number, hash }: End): string {
  return `${number}.${hash}`
}

export function headOf(clinic_id: string): Statement {
  return sql`select number, key_id, mac from audit_head where clinic_id = ${clinic_id}`
}

export function rowsHash(rows: readonly Pick<SealedRow, 'content'>[]): string {
  return hash('sha256', rows.map(({ content }) => content).join('\n'))
}

export function sealHash(
  clinic_id: string,
  before: string,
  { number, last_id, day, row_count, rows_hash }: Omit<Seal, 'hash'>,
): string {
  return hash('sha256', [clinic_id, before, number, last_id, day, row_count, rows_hash].join('\n'))
}

export function newHead({ current }: SigningKeys, clinic_id: string, { number, hash }: End): Head {
  return { number, key_id: current.id, mac: mac(current, headText(clinic_id, { number, hash })).toString('hex') }
}

/** Checks a head against the last seal of the chain. Null when the head has no fault. */
export function faultOfHead(keys: SigningKeys, clinic_id: string, head: Head | undefined, last: End): string | null {
  if (head === undefined) return last.number === 0 ? null : 'the head of the chain is missing'
  const key = keys.byId.get(head.key_id)
  if (key === undefined)
    return 'SECRET_KEYS lacks the key of the head; the older keys stay in it until all heads are renewed'
  if (head.number > last.number) return `the chain went on to seal ${head.number}, which was removed`
  const expected = mac(key, headText(clinic_id, last))
  const stored = Buffer.from(head.mac, 'hex')
  if (head.number !== last.number || stored.length !== expected.length || !timingSafeEqual(stored, expected))
    return 'the head was changed, or belongs to another chain'
  return null
}

function headText(clinic_id: string, { number, hash }: End): string {
  return [clinic_id, number, hash].join('\n')
}
