// A selection of the audit log as a file that proves itself: the rows that a search has found, in the whole seals in which they stand, and the way from
// there to the head. A seal hashes its rows together, so none of them can be left out; the other seals are there without rows (docs/decisions/0125).
import { type ClinicDatabase, sql, utcSession } from '@clinic-data/database'
import { nameOfEnd, type Seal } from '../audit-chain.ts'
import { rowsBetween } from '../sealed-rows.ts'
import type { Entry, FirstEntry, Selected } from './entries.ts'
import { FileWriter } from './file-writer.ts'
import type { Period } from './period.ts'
import { unsealedRow } from './sealed-entries.ts'
import { type Chain, chainOf, edge, sealBefore, sealsBetween } from './seals-of.ts'

/** The rows that a search has found. */
export interface FoundRows {
  /** In their order. */
  ids: readonly number[]
  /** When the first of them was stored. Null: none was found. */
  firstStoredMs: number | null
}

/** The seals that a selection needs. */
export interface SelectionPlan {
  chain: Chain
  before: FirstEntry['before']
  /** The numbers of those in which rows stand that were found. */
  needed: readonly number[]
  /** All rows in them. */
  rows: number
  /** The seals from the first needed one to the head. */
  seals: number
  /** Found rows that no seal covers yet. */
  unsealed: readonly number[]
  matching: number
}

/** Three numbers of a seal are looked at. */
const MOST_LOOKED_AT = 10_000

export async function planSelection(
  database: ClinicDatabase,
  clinic_id: string,
  { ids, firstStoredMs }: FoundRows,
): Promise<SelectionPlan> {
  const chain = await chainOf(database, clinic_id)
  const end = chain.last.number
  const day = firstStoredMs === null ? null : new Date(firstStoredMs).toISOString()
  const from = day === null ? null : await edge(database, clinic_id, 'min', day, end)
  const needed: number[] = []
  let [rows, taken] = [0, 0]
  for await (const seal of lookedAt(database, clinic_id, from ?? end + 1, end)) {
    if (taken === ids.length) break
    const first = taken
    while ((ids[taken] ?? Number.POSITIVE_INFINITY) <= seal.last_id) taken++
    if (taken === first) continue
    needed.push(seal.number)
    rows += seal.row_count
  }
  const first = needed[0] ?? end + 1
  const before = await sealBefore(database, clinic_id, first)
  const unsealed = ids.slice(taken)
  return { chain, before, needed, rows, seals: end - before.number, unsealed, matching: ids.length }
}

async function* lookedAt(database: ClinicDatabase, clinic_id: string, first: number, last: number) {
  for (let after = first - 1; after < last; ) {
    const seals = await database.read<Pick<Seal, 'number' | 'last_id' | 'row_count'>>(
      utcSession(clinic_id),
      sql`select number, last_id, row_count from audit_seal where clinic_id = ${clinic_id} and number > ${after}
        and number <= ${last} order by number limit ${MOST_LOOKED_AT}`,
    )
    yield* seals
    after = seals.at(-1)?.number ?? last
  }
}

/** The names that a row of the audit log gives an export. */
export function namesOfSelection({ needed, chain }: SelectionPlan): string[] {
  const [first, last] = [needed[0], needed.at(-1)]
  const seals = first === undefined ? [] : [`seals:${first}-${last}`]
  return [...seals, ...(chain.last.number === 0 ? [] : [nameOfEnd(chain.last)])]
}

export interface SelectionParts {
  readonly filter: Selected['filter']
  readonly period: Period
  /** The version of this program. */
  readonly program: string
  readonly now: Date
}

/** The content of the file. */
export function writeSelection(
  database: ClinicDatabase,
  clinic_id: string,
  plan: SelectionPlan,
  { filter, period, program, now }: SelectionParts,
): AsyncGenerator<Uint8Array> {
  const { before, matching, chain } = plan
  const made_at = now.toISOString()
  const selected = { filter, matching }
  const writer = new FileWriter({
    type: 'selection',
    format: 'ndjson',
    clinic_id,
    program,
    made_at,
    period,
    selected,
    before,
  })
  return writer.content(selectedEntries(database, clinic_id, plan), chain)
}

async function* selectedEntries(
  database: ClinicDatabase,
  clinic_id: string,
  { before, needed, chain: { last }, unsealed }: SelectionPlan,
): AsyncGenerator<Entry> {
  const wanted = new Set(needed)
  let group: Seal[] = []
  let [rows, from] = [0, before.last_id]
  for await (const seal of sealsBetween(database, clinic_id, before.number + 1, last.number)) {
    if (group.length > 0 || wanted.has(seal.number)) {
      group.push(seal)
      rows += seal.row_count
    } else {
      yield { type: 'seal', seal, rows: 'outside' }
      from = seal.last_id
    }
    if (rows < ROWS_OF_A_GROUP) continue
    yield* entriesOf(database, clinic_id, { group, wanted, from })
    group = []
    rows = 0
    from = seal.last_id
  }
  yield* entriesOf(database, clinic_id, { group, wanted, from })
  const found = new Set(unsealed)
  for await (const row of rowsBetween(database, clinic_id, last.last_id, unsealed.at(-1) ?? 0))
    if (found.has(row.id)) yield unsealedRow(row)
}

/** Passing as many rows takes as long as opening their segment once more. */
const ROWS_OF_A_GROUP = 2_000

interface Group {
  group: readonly Seal[]
  wanted: ReadonlySet<number>
  /** The last row before them. */
  from: number
}

/** The seals of a group, those that are wanted behind their rows. The rows of all of them are read together. */
async function* entriesOf(
  database: ClinicDatabase,
  clinic_id: string,
  { group, wanted, from }: Group,
): AsyncGenerator<Entry> {
  const end = group.findLast(({ number }) => wanted.has(number))?.last_id ?? from
  const rows = rowsBetween(database, clinic_id, from, end)
  let next = group.length === 0 ? null : await rows.next()
  for (const seal of group) {
    const isWanted = wanted.has(seal.number)
    let count = 0
    for (; next?.done === false && next.value.id <= seal.last_id; next = await rows.next(), count++)
      if (isWanted) yield { type: 'row', seal: seal.number, canonical: next.value.content }
    yield { type: 'seal', seal, rows: absence(isWanted, count) }
  }
}

/** The retention may drop a day meanwhile. */
function absence(isWanted: boolean, rows: number): 'here' | 'dropped' | 'outside' {
  if (!isWanted) return 'outside'
  return rows > 0 ? 'here' : 'dropped'
}
