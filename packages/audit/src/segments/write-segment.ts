// Writes rows of the audit log in their form at rest. Every name stands in a segment once, however many rows name it.
import { COLUMNS, type Column, pack, type Word, writeParts } from './columns.ts'
import type { LogRow } from './log-row.ts'
import { writeNumbers, writeSteps } from './numbers.ts'
import { writeTexts } from './texts.ts'

/** @param rows in the order of their ids. */
export function writeSegment(rows: readonly LogRow[]): Buffer {
  const words = new Places()
  const { names, named } = namesOf(rows)
  const word = (name: Word) => writeNumbers(rows.map((row) => words.placeOf(row[name])))
  const columns: Omit<Record<Column, Buffer>, 'words'> = {
    id: writeSteps(rows.map(({ id }) => id)),
    stored_us: writeSteps(rows.map(({ stored_us }) => stored_us)),
    // A row is stored within moments of its request.
    at_ms: writeSteps(rows.map(({ stored_us, at_ms }) => Math.floor(stored_us / 1000) - at_ms)),
    key_id: word('key_id'),
    operation: word('operation'),
    surface: word('surface'),
    address: word('address'),
    count: writeNumbers(rows.map(({ count }) => count)),
    status: writeNumbers(rows.map(({ status }) => status)),
    duration_ms: writeNumbers(rows.map(({ duration_ms }) => (duration_ms === null ? 0 : duration_ms + 1))),
    request_id: writeTexts(rows.map(({ request_id }) => request_id)),
    names: writeTexts(names),
    named_count: writeNumbers(rows.map(({ resource_ids }) => resource_ids.length)),
    named: writeNumbers(named),
  }
  const all: Record<Column, Buffer> = { ...columns, words: writeTexts(words.all) }
  return writeParts(COLUMNS.map((column) => pack(all[column])))
}

/** Each name once and in order, and the place among them of each that the rows name, row after row. */
function namesOf(rows: readonly LogRow[]): { names: string[]; named: Float64Array } {
  const met = new Places()
  const named = new Float64Array(rows.reduce((sum, { resource_ids }) => sum + resource_ids.length, 0))
  let end = 0
  for (const { resource_ids } of rows) for (const name of resource_ids) named[end++] = met.placeOf(name)
  const names = met.all.sort()
  const places = new Float64Array(names.length)
  for (const [place, name] of names.entries()) places[met.placeOf(name)] = place
  return { names, named: named.map((place) => places[place] ?? 0) }
}

class Places {
  readonly #places = new Map<string, number>()

  get all(): string[] {
    return [...this.#places.keys()]
  }

  placeOf(word: string): number {
    const known = this.#places.get(word)
    if (known !== undefined) return known
    this.#places.set(word, this.#places.size)
    return this.#places.size - 1
  }
}
