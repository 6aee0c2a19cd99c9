// The sealed part of an exported audit log: each seal behind its rows, oldest first.
import type { Database } from '@clinic-data/database'
import type { Seal, SealedRow } from '../audit-chain.ts'
import { rowsBetween } from '../sealed-rows.ts'
import type { Entry, FirstEntry, RowEntry } from './entries.ts'
import { sealAt, sealsBetween } from './seals-of.ts'

export interface SealRange {
  /** The seal before the first one. */
  readonly before: FirstEntry['before']
  /** The last seal whose rows are wanted. */
  readonly lastInside: number
  /** The last seal. */
  readonly last: number
}

export async function* sealedEntries(
  database: Database,
  clinic_id: string,
  { before, lastInside, last }: SealRange,
): AsyncGenerator<Entry> {
  const inside = await sealAt(database, clinic_id, lastInside)
  const rows = rowsBetween(database, clinic_id, before.last_id, inside?.last_id ?? before.last_id)
  let next = await rows.next()
  for await (const seal of sealsBetween(database, clinic_id, before.number + 1, last)) {
    let count = 0
    for (; !next.done && next.value.id <= seal.last_id; next = await rows.next(), count++)
      yield { type: 'row', seal: seal.number, canonical: next.value.content }
    yield { type: 'seal', seal, rows: count > 0 ? 'here' : absenceOf(seal, lastInside) }
  }
}

function absenceOf({ number }: Seal, lastInside: number): 'dropped' | 'outside' {
  return number > lastInside ? 'outside' : 'dropped'
}

export function unsealedRow({ content }: SealedRow): RowEntry {
  return { type: 'row', seal: null, canonical: content }
}
