// Rows of the audit log in their form at rest: columns of numbers and texts, each compressed by itself. A reader unpacks the columns that
// it needs.
import { COLUMNS, type Column, type ColumnOf, NUMBER_COLUMNS, readParts, unpack, type Word } from './columns.ts'
import type { KindFilter } from './kinds.ts'
import type { LogRow } from './log-row.ts'
import { Numbers, readSteps, TOO_SHORT } from './numbers.ts'
import { Texts } from './texts.ts'

type ValueAt = (place: number) => number

/** To find as many numbers in the bytes of a column takes about as long as to read them all, which also makes much garbage. */
const FEW = 8

/**
 * A segment of which only the columns are unpacked that somebody looks at. The constructor and all methods throw an Error when the
 * content is not that of `writeSegment`.
 */
export class Segment {
  readonly #parts: readonly Buffer[]
  readonly #steps = new Map<ColumnOf<'steps'>, Float64Array>()
  readonly #numbers = new Map<ColumnOf<'numbers'>, Numbers>()
  readonly #texts = new Map<ColumnOf<'texts'>, Texts>()
  #starts: Float64Array | undefined

  constructor(content: Buffer) {
    this.#parts = readParts(content)
    if (this.#parts.length !== COLUMNS.length) throw new RangeError('the segment has other columns')
  }

  get rowCount(): number {
    return this.#numbersOf('status').all().length
  }

  /** Each text that a row names, once. */
  get names(): string[] {
    return this.#textsOf('names').all()
  }

  /** The places of the rows that name one of these texts, in their order. */
  rowsNaming(wanted: readonly string[]): number[] {
    const rows: number[] = []
    let row = 0
    for (const at of wanted.length > FEW ? this.#whereMany(new Set(wanted)) : this.#whereFew(wanted)) {
      while (this.#startOf(row + 1) <= at) row += 1
      if (rows.at(-1) !== row) rows.push(row)
    }
    return rows
  }

  /** The places among all that rows name. */
  #whereFew(wanted: readonly string[]): number[] {
    const [names, named] = [this.#textsOf('names'), this.#numbersOf('named')]
    const places = [...new Set(wanted)].map((name) => names.indexOf(name)).filter((place) => place >= 0)
    return places.flatMap((place) => named.placesOf(place)).sort((a, b) => a - b)
  }

  #whereMany(wanted: ReadonlySet<string>): number[] {
    const places = new Set(this.names.flatMap((name, place) => (wanted.has(name) ? place : [])))
    return [...this.#numbersOf('named').all().entries()].flatMap(([at, place]) => (places.has(place) ? at : []))
  }

  /** Those of these places whose rows are of these kinds and were stored in these microseconds, in their order. Without places: of all. */
  rowsOfKind(
    { key_ids, operations, surfaces, statusClasses }: KindFilter,
    since_us: number,
    until_us: number,
    among?: readonly number[],
  ): number[] {
    const stored = this.#stepsOf('stored_us')
    const areFew = among !== undefined && among.length <= FEW
    const read = (column: ColumnOf<'numbers'>) => this.#valuesOf(column, areFew)
    const status = read('status')
    const checks = [
      this.#hasWord(read, 'key_id', key_ids),
      this.#hasWord(read, 'operation', operations),
      this.#hasWord(read, 'surface', surfaces),
    ].filter((check) => check !== null)
    const isWanted = (place: number) => {
      const us = valueAt(stored, place)
      const isOfClass = statusClasses?.includes(Math.floor(status(place) / 100)) ?? true
      return us >= since_us && us < until_us && isOfClass && checks.every((check) => check(place))
    }
    if (among !== undefined) return among.filter(isWanted)
    const places: number[] = []
    const { rowCount } = this
    for (let place = 0; place < rowCount; place++) if (isWanted(place)) places.push(place)
    return places
  }

  /** Null: any word will do. */
  #hasWord(
    read: (column: Word) => ValueAt,
    column: Word,
    wanted: readonly string[] | undefined,
  ): ((place: number) => boolean) | null {
    if (wanted === undefined) return null
    const words = this.#textsOf('words')
    const numbers = new Set(wanted.map((word) => words.indexOf(word)))
    const values = read(column)
    return (place) => numbers.has(values(place))
  }

  #valuesOf(column: ColumnOf<'numbers'>, areFew: boolean): ValueAt {
    const numbers = this.#numbersOf(column)
    if (areFew) return (place) => numbers.at(place)
    const all = numbers.all()
    return (place) => valueAt(all, place)
  }

  /** The rows at these places, each read when it is wanted. */
  *rowsAt(places: readonly number[]): Generator<LogRow> {
    if (places.length > FEW) this.#readNumbers()
    const texts = {
      words: this.#textsOf('words'),
      names: this.#textsOf('names'),
      requests: this.#textsOf('request_id'),
    }
    yield* places.values().map(
      this.#rowReader({
        word: (number) => texts.words.at(number),
        name: (number) => texts.names.at(number),
        request: (place) => texts.requests.at(place),
      }),
    )
  }

  rows(): LogRow[] {
    return Array.from({ length: this.rowCount }, (_, place) => place).map(this.#readerOfMany())
  }

  /** Reads rows for a fraction of what `rowsAt` takes, once all texts are read. */
  #readerOfMany() {
    this.#readNumbers()
    const [words, names, requests] = [this.#allOf('words'), this.#allOf('names'), this.#allOf('request_id')]
    return this.#rowReader({ word: words, name: names, request: requests })
  }

  #readNumbers(): void {
    for (const column of NUMBER_COLUMNS) this.#numbersOf(column).all()
  }

  #rowReader({ word, name, request }: Record<'word' | 'name' | 'request', (place: number) => string>) {
    const ids = this.#stepsOf('id')
    const [stored, at] = [this.#stepsOf('stored_us'), this.#stepsOf('at_ms')]
    const [keys, operations] = [this.#numbersOf('key_id'), this.#numbersOf('operation')]
    const [surfaces, addresses] = [this.#numbersOf('surface'), this.#numbersOf('address')]
    const [counts, statuses] = [this.#numbersOf('count'), this.#numbersOf('status')]
    const [durations, named] = [this.#numbersOf('duration_ms'), this.#numbersOf('named')]
    return (place: number): LogRow => {
      const stored_us = valueAt(stored, place)
      const duration = durations.at(place)
      const start = this.#startOf(place)
      const resource_ids = Array.from(named.from(start, this.#startOf(place + 1) - start), name)
      return {
        id: valueAt(ids, place),
        stored_us,
        at_ms: Math.floor(stored_us / 1000) - valueAt(at, place),
        key_id: word(keys.at(place)),
        operation: word(operations.at(place)),
        surface: word(surfaces.at(place)),
        resource_ids,
        count: counts.at(place),
        status: statuses.at(place),
        request_id: request(place),
        address: word(addresses.at(place)),
        duration_ms: duration === 0 ? null : duration - 1,
      }
    }
  }

  /** @returns each text of a column by its place. */
  #allOf(column: ColumnOf<'texts'>): (place: number) => string {
    const all = this.#textsOf(column).all()
    return (place) => {
      const text = all[place]
      if (text === undefined) throw new RangeError('a column of texts is shorter than the others')
      return text
    }
  }

  /** The first rows with numbers from `after` (left out) to `upTo`. */
  rowsBetween(after: number, upTo: number, limit: number): LogRow[] {
    const places: number[] = []
    for (const [place, id] of this.#stepsOf('id').entries()) {
      if (places.length === limit) break
      if (id > after && id <= upTo) places.push(place)
    }
    return places.map(this.#readerOfMany())
  }

  /** Where the names of a row begin among those of all rows. */
  #startOf(place: number): number {
    if (this.#starts === undefined) {
      const counts = this.#numbersOf('named_count').all()
      this.#starts = new Float64Array(counts.length + 1)
      for (let row = 0; row < counts.length; row++)
        this.#starts[row + 1] = (this.#starts[row] ?? 0) + (counts[row] ?? 0)
    }
    return valueAt(this.#starts, place)
  }

  #stepsOf(column: ColumnOf<'steps'>): Float64Array {
    const known = this.#steps.get(column)
    if (known !== undefined) return known
    const values = readSteps(this.#bytesOf(column))
    this.#steps.set(column, values)
    return values
  }

  #numbersOf(column: ColumnOf<'numbers'>): Numbers {
    const known = this.#numbers.get(column)
    if (known !== undefined) return known
    const values = new Numbers(this.#bytesOf(column))
    this.#numbers.set(column, values)
    return values
  }

  #textsOf(column: ColumnOf<'texts'>): Texts {
    const known = this.#texts.get(column)
    if (known !== undefined) return known
    const texts = new Texts(this.#bytesOf(column))
    this.#texts.set(column, texts)
    return texts
  }

  #bytesOf(column: Column): Buffer {
    return unpack(this.#parts[COLUMNS.indexOf(column)] ?? Buffer.alloc(0))
  }
}

function valueAt(values: Float64Array, place: number): number {
  const value = values[place]
  if (value === undefined) throw new RangeError(TOO_SHORT)
  return value
}
