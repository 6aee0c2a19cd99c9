// A column of texts as bytes: their lengths, and then for each length the first bytes of all texts, their second ones, and so on. Ids are
// alike at the same places, and any one of them is found without the others.
import { isAscii } from 'node:buffer'
import { readParts, writeParts } from './columns.ts'
import { readNumbers, writeNumbers } from './numbers.ts'

export function writeTexts(texts: readonly string[]): Buffer {
  const all = texts.map((text) => Buffer.from(text))
  const bytes = Buffer.allocUnsafe(all.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const alike of byLength(all)) {
    const length = alike[0]?.length ?? 0
    for (let place = 0; place < length; place++) {
      for (const text of alike) bytes[end++] = text[place] ?? 0
    }
  }
  return writeParts([writeNumbers(all.map(({ length }) => length)), bytes])
}

function byLength(all: readonly Buffer[]): Buffer[][] {
  const groups = Map.groupBy(all, ({ length }) => length)
  return [...groups].sort(([a], [b]) => a - b).map(([, alike]) => alike)
}

/** First the first bytes of all texts of this length, then their second ones: these texts one behind the other. */
function turned(bytes: Buffer, length: number): Buffer {
  const count = bytes.length / length
  const texts = Buffer.allocUnsafe(bytes.length)
  let at = 0
  for (let place = 0; place < length; place++) {
    for (let rank = 0; rank < count; rank++) texts[rank * length + place] = bytes[at++] ?? 0
  }
  return texts
}

interface Alike {
  readonly length: number
  /** Where their first bytes lie. */
  readonly start: number
  /** The places of these texts among all. */
  readonly places: number[]
}

export class Texts {
  readonly #bytes: Buffer
  readonly #groups = new Map<number, Alike>()
  readonly #lengths: Float64Array
  /** The place of each text among those of its length. */
  readonly #ranks: Float64Array

  /** @throws RangeError when these are not the bytes of `writeTexts`. */
  constructor(content: Buffer) {
    const [lengths, bytes] = readParts(content)
    if (lengths === undefined || bytes === undefined) throw new RangeError('the texts are cut')
    this.#bytes = bytes
    this.#lengths = readNumbers(lengths)
    const groups = new Map<number, number[]>()
    this.#ranks = new Float64Array(this.#lengths.length)
    // Neighbours are mostly of one length.
    let [alike, before]: [number[], number] = [[], -1]
    for (let place = 0; place < this.#lengths.length; place++) {
      const length = this.#lengths[place] ?? 0
      if (length !== before) {
        alike = groups.get(length) ?? []
        if (alike.length === 0) groups.set(length, alike)
        before = length
      }
      this.#ranks[place] = alike.push(place) - 1
    }
    let start = 0
    for (const [length, places] of [...groups].sort(([a], [b]) => a - b)) {
      this.#groups.set(length, { length, start, places })
      start += length * places.length
    }
    if (start !== bytes.length) throw new RangeError('the texts are cut')
  }

  get count(): number {
    return this.#lengths.length
  }

  /** @throws RangeError when there is none at this place. */
  at(place: number): string {
    const group = this.#groups.get(this.#lengths[place] ?? -1)
    if (group === undefined) throw new RangeError('a column of texts is shorter than the others')
    const { length, start, places } = group
    const rank = this.#ranks[place] ?? 0
    const text = Buffer.allocUnsafe(length)
    for (let n = 0; n < length; n++) text[n] = this.#bytes[start + n * places.length + rank] ?? 0
    return text.toString()
  }

  /** Texts of one length in plain ASCII, as ids are, are read together, and then cut. */
  all(): string[] {
    const all = new Array<string>(this.count)
    for (const { length, start, places } of this.#groups.values()) {
      const bytes = this.#bytes.subarray(start, start + length * places.length)
      const joined = length > 0 && isAscii(bytes) ? turned(bytes, length).toString('latin1') : null
      for (const [rank, place] of places.entries())
        all[place] = joined?.slice(rank * length, (rank + 1) * length) ?? this.at(place)
    }
    return all
  }

  /** The place of the first such text, or -1. */
  indexOf(wanted: string): number {
    const text = Buffer.from(wanted)
    const group = this.#groups.get(text.length)
    if (group === undefined) return -1
    const { length, start, places } = group
    const count = places.length
    const differs = (rank: number) => text.some((byte, n) => this.#bytes[start + n * count + rank] !== byte)
    // The last bytes of ids differ most.
    const last = this.#bytes.subarray(start + (length - 1) * count, start + length * count)
    let rank = length === 0 ? 0 : last.indexOf(text[length - 1] ?? 0)
    while (rank >= 0 && differs(rank)) rank = last.indexOf(text[length - 1] ?? 0, rank + 1)
    return places[rank] ?? -1
  }
}
