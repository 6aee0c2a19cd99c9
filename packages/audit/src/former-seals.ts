// Checks the seals that the first versions made over a clinic's audit rows: `0021_former_seals` kept them. Their chain ends in no keyed
// head, so who can write to the database could make all of them anew: one that was kept elsewhere shows it.
import { hash } from 'node:crypto'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { nameOfEnd } from './audit-chain.ts'

interface FormerSeal {
  number: number
  last_stored_at: string
  last_id: number
  row_count: number
  hash: string
}

export interface FormerVerdict {
  seals: number
  /** Their rows that were found. */
  rows: number
  isExpectedFound: boolean
  /** Says what does not match at the seal after these. */
  fault: string | null
}

interface Verification {
  /** The retention may have dropped rows of earlier days, UTC. */
  keptSince: string | null
  /** `<number>.<hash>` of a seal. */
  expected: string | null
}

/** No seal covers more rows. */
const MOST_ROWS = 10_000

const BEGINNING = { number: 0, last_stored_at: '-infinity', last_id: 0, hash: '' }

export async function verifyFormerSeals(
  database: Database,
  clinic_id: string,
  verification: Verification,
): Promise<FormerVerdict> {
  const verdict: FormerVerdict = { seals: 0, rows: 0, isExpectedFound: false, fault: null }
  let before: Omit<FormerSeal, 'row_count'> = BEGINNING
  for (;;) {
    const [seal] = await database.read<FormerSeal>(
      utcSession(clinic_id),
      sql`select number, last_stored_at, last_id, row_count, hash from audit_former_seal
        where clinic_id = ${clinic_id} and number > ${before.number} order by number limit 1`,
    )
    if (seal === undefined) return verdict
    const rows = await rowsOf(database, clinic_id, before, seal)
    verdict.fault = faultOf(before, seal, rows, verification.keptSince)
    if (verdict.fault !== null) return verdict
    verdict.seals = seal.number
    verdict.rows += rows.length
    verdict.isExpectedFound ||= nameOfEnd(seal) === verification.expected
    before = seal
  }
}

/** The rows' whole content, in the form that the first versions hashed. */
async function rowsOf(
  database: Database,
  clinic_id: string,
  before: Pick<FormerSeal, 'last_stored_at' | 'last_id'>,
  seal: FormerSeal,
): Promise<string[]> {
  const rows = await database.read<{ content: string }>(
    utcSession(clinic_id),
    sql`select json_build_array(stored_at, id, at, key_id, operation, surface, resource_ids, count, status, request_id,
        address)::text as content
      from audit where clinic_id = ${clinic_id} and (stored_at, id) > (${before.last_stored_at}, ${before.last_id})
        and (stored_at, id) <= (${seal.last_stored_at}, ${seal.last_id}) order by stored_at, id limit ${MOST_ROWS + 1}`,
  )
  return rows.map(({ content }) => content)
}

function faultOf(
  before: Pick<FormerSeal, 'number' | 'hash'>,
  seal: FormerSeal,
  rows: readonly string[],
  keptSince: string | null,
): string | null {
  if (seal.number !== before.number + 1) return 'the seal is missing'
  const day = seal.last_stored_at.slice(0, 10)
  if (rows.length === 0 && keptSince !== null && day < keptSince) return null
  if (rows.length !== seal.row_count) return `it covers ${seal.row_count} rows of ${day}, ${rows.length} are there`
  const expected = hash('sha256', [before.hash, seal.number, ...rows].join('\n'))
  return expected === seal.hash ? null : 'its rows or the seal were changed'
}
