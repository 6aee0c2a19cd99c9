// Computes a clinic's audit chain again and reports where it does not match.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql, utcSession } from '@clinic-data/database'
import {
  BEGINNING,
  faultOfHead,
  type Head,
  headOf,
  nameOfEnd,
  rowsHash,
  type Seal,
  type SealedRow,
  sealHash,
  sealsOf,
} from './audit-chain.ts'
import { verifyFormerSeals } from './former-seals.ts'
import { sealedRows } from './sealed-rows.ts'
import { UnreadableSegment } from './segments/read-segments.ts'
import { faultOfSegments, UNREADABLE } from './segments/verify-segments.ts'
import { unprovenBefore } from './unproven-rows.ts'

export interface Verification {
  keys: SigningKeys
  /** The retention may have dropped rows of earlier days (`2026-10-21`, UTC). Null: none. */
  keptSince: string | null
  /** A head that was printed earlier and that the chain must still contain. */
  expected: string | null
}

export type AuditVerdict =
  | {
      sound: true
      seals: number
      /** Sealed rows that were found. */
      rows: number
      /** The first day whose rows were checked, if earlier ones have been dropped. */
      since: string | null
      /** The end of the chain. Keep it elsewhere and expect it later. */
      head: string | null
      /** The seals that the first versions made, and those of their rows that were found. */
      former: { seals: number; rows: number }
      /** No key proves rows from before this moment: the keys were lost, and the database restored without them. */
      unproven_before: string | null
    }
  | { sound: false; number: number; reason: string }

/** Limits the memory for verifying. */
const MOST_ROWS = 10_000
const MOST_SEALS = 1_000

type Sound = Extract<AuditVerdict, { sound: true }>
type Position = Pick<Seal, 'number' | 'last_id' | 'hash'>

/** @returns the first seal that does not match, if there is one. Those of the first versions come before those of the present chain. */
export async function verifyAudit(
  database: Database,
  clinic_id: string,
  { keys, keptSince, expected }: Verification,
): Promise<AuditVerdict> {
  const broken = (number: number, reason: string) => ({ sound: false as const, number, reason })
  const former = await verifyFormerSeals(database, clinic_id, { keptSince, expected })
  const { seals, rows } = former
  if (former.fault !== null) return broken(seals + 1, `in the chain of the first versions, ${former.fault}`)
  const session = utcSession(clinic_id)
  // Read in this order, because a seal that is added meanwhile comes with its head.
  const [last] = await database.read<{ number: number | null }>(
    session,
    sql`select max(number) as number from audit_seal where clinic_id = ${clinic_id}`,
  )
  const [head] = await database.read<Head>(session, headOf(clinic_id))
  const unproven_before = await unprovenBefore(database, clinic_id)
  const verdict: Sound = {
    sound: true,
    seals: 0,
    rows: 0,
    since: null,
    head: null,
    former: { seals, rows },
    unproven_before,
  }
  if (await hasRowsBefore(database, clinic_id)) return broken(1, 'rows were slipped in before its first one')
  let isExpectedFound = expected === null || former.isExpectedFound
  let before: Position = BEGINNING
  while (head !== undefined && before.number < head.number) {
    const seals = await someSeals(database, clinic_id, before.number, head.number)
    if (seals.length === 0) break
    const rows = await rowsOf(database, clinic_id, before, seals)
    if (rows instanceof UnreadableSegment) {
      const { last_id } = rows
      return broken(seals.find((seal) => seal.last_id >= last_id)?.number ?? before.number + 1, UNREADABLE)
    }
    for (const seal of seals) {
      const own = rows.filter(({ id }) => id > before.last_id && id <= seal.last_id)
      const reason = faultOfSeal(clinic_id, before, seal, own, keptSince)
      if (reason !== null) return broken(before.number + 1, reason)
      if (own.length > 0 && verdict.rows === 0 && verdict.seals > 0) verdict.since = seal.day
      verdict.seals = seal.number
      verdict.rows += own.length
      verdict.head = nameOfEnd(seal)
      isExpectedFound ||= verdict.head === expected
      before = seal
    }
  }
  if (head === undefined && last?.number) return broken(1, 'the head of the chain is missing')
  const fault = faultOfHead(keys, clinic_id, head, before)
  if (fault !== null) return broken(before.number + 1, fault)
  if ((last?.number ?? 0) > before.number) return broken(before.number + 1, 'it comes after the head of the chain')
  const segment = await faultOfSegments(database, clinic_id)
  if (segment !== null) return broken(segment.number ?? before.number + 1, segment.reason)
  if (!isExpectedFound)
    return broken(before.number + 1, 'the expected head is not in the chain: another one is in its place')
  return verdict
}

/** The service numbers rows from 1 on. No seal covers one that was slipped in below. */
async function hasRowsBefore(database: Database, clinic_id: string): Promise<boolean> {
  const rows = await database.read(
    utcSession(clinic_id),
    sql`select from audit where clinic_id = ${clinic_id} and id <= ${BEGINNING.last_id} limit 1`,
  )
  return rows.length > 0
}

/** Reads the next seals, limited by the number of their rows. */
async function someSeals(database: Database, clinic_id: string, after: number, upTo: number): Promise<Seal[]> {
  const seals = await database.read<Seal>(
    utcSession(clinic_id),
    sql`${sealsOf(clinic_id)} and number > ${after} and number <= ${upTo} order by number limit ${MOST_SEALS}`,
  )
  let rows = 0
  return seals.filter(({ row_count }, index) => {
    rows += row_count
    return index === 0 || rows <= MOST_ROWS
  })
}

async function rowsOf(
  database: Database,
  clinic_id: string,
  { last_id }: Position,
  seals: readonly Seal[],
): Promise<SealedRow[] | UnreadableSegment> {
  const expected = seals.reduce((sum, { row_count }) => sum + row_count, 0)
  const upTo = seals.at(-1)?.last_id ?? last_id
  try {
    // One row more than there should be, so that the first seal with too many is detected.
    return await sealedRows(database, clinic_id, { after: last_id, upTo, limit: expected + 1 })
  } catch (error) {
    if (error instanceof UnreadableSegment) return error
    throw error
  }
}

function faultOfSeal(
  clinic_id: string,
  before: Position,
  seal: Seal,
  rows: readonly SealedRow[],
  keptSince: string | null,
): string | null {
  if (seal.number !== before.number + 1) return 'the seal is missing'
  if (sealHash(clinic_id, before.hash, seal) !== seal.hash) return 'the seal was changed'
  if (rows.length === 0 && keptSince !== null && seal.day < keptSince) return null
  if (rows.length === 0) return `its ${seal.row_count} rows of ${seal.day} are gone`
  if (rows.length !== seal.row_count) return `it covers ${seal.row_count} rows of ${seal.day}, ${rows.length} are there`
  return rowsHash(rows) === seal.rows_hash ? null : 'its rows were changed'
}
