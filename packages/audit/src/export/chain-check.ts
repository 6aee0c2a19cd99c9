// Checks the rows and seals of an exported audit log in the order in which they stand: all of them are the chain behind a known seal. A stretch
// may come again, as a continuous export that was interrupted gives it again.
import { createHash, type Hash } from 'node:crypto'
import { nameOfEnd, sealHash } from '../audit-chain.ts'
import type { FirstEntry, SealEntry } from './entries.ts'

type Before = FirstEntry['before']

/** The sum of the lines so far. */
export interface Found {
  seals: number
  /** Sealed rows. */
  rows: number
  /** The first and last day of the rows that are there, of UTC, and the seals that cover them. */
  there: { since: string; until: string; first: number; last: number } | null
  /** Seals whose rows the retention had dropped. */
  dropped: { first: number; last: number; seals: number } | null
  /** Seals after the period, or without a row of the selection: their rows were left out. */
  outside: number
  /** Seals and rows that are there again, and are the same. */
  repeated: { seals: number; rows: number }
}

/** A stretch ended behind so many rows of a seal, and not behind the seal. */
interface Cut {
  rows: number
  hash: string
}

interface Absence extends Pick<FirstEntry, 'period' | 'type'> {
  isOutside: boolean
}

/** How far back a stretch may begin again: some weeks. Limits the memory. */
const MOST_SEEN = 50_000

const ANOTHER = 'another one than the file has: the database was restored from a backup, or somebody changed it'

export class ChainCheck {
  readonly found: Found = {
    seals: 0,
    rows: 0,
    there: null,
    dropped: null,
    outside: 0,
    repeated: { seals: 0, rows: 0 },
  }
  /** The seal of the expected head. */
  provenTo: number | null = null
  readonly #expected: string | null
  #before: Before = { number: 0, last_id: 0, hash: '' }
  /** The end of the chain in the file. */
  #end: Before = this.#before
  /** The rows behind the seal before. */
  #open: { rows: number; hash: Hash; last_id: number } = opened(0)
  /** The latest ends of the chain, by their numbers. */
  readonly #seen = new Map<number, Before>()
  readonly #cuts = new Map<number, Cut[]>()
  /** The days of this stretch. Days that the retention drops later are no fault of an earlier one. */
  #days = { thereSince: '', droppedUntil: '' }

  constructor(expected: string | null) {
    this.#expected = expected
  }

  get before(): Before {
    return this.#before
  }

  get end(): Before {
    return this.#end
  }

  get openRows(): number {
    return this.#open.rows
  }

  /** Rows that stand there without the seal that would prove them. */
  get unprovenRows(): number {
    const cut = [...this.#cuts.values()].flat().reduce((sum, { rows }) => sum + rows, 0)
    return cut + this.#open.rows
  }

  begin(before: Before): void {
    this.#end = before
    this.#remember(before)
    this.#goOnBehind(before)
  }

  /** Another stretch begins, at the end of the chain or at an earlier seal. */
  again(before: Before): string | null {
    const { rows, hash } = this.#open
    if (rows > 0) {
      const number = this.#before.number + 1
      this.#cuts.set(number, [...(this.#cuts.get(number) ?? []), { rows, hash: hash.digest('hex') }])
    }
    if (before.number > this.#end.number)
      return `seals ${this.#end.number + 1} to ${before.number} are missing before it`
    const seen = this.#seen.get(before.number)
    if (seen === undefined) return `it begins again behind seal ${before.number}, before what the file has`
    if (seen.hash !== before.hash || seen.last_id !== before.last_id) return `seal ${before.number} is ${ANOTHER}`
    this.#goOnBehind(before)
    return null
  }

  row(id: number, canonical: string): string | null {
    if (id <= this.#open.last_id) return `row ${id} is there twice, or not in its place`
    this.#open.last_id = id
    this.#open.hash.update(this.#open.rows === 0 ? '' : '\n').update(canonical)
    this.#open.rows++
    const { rows, hash } = this.#open
    const cuts = this.#cuts.get(this.#before.number + 1) ?? []
    const isOther = cuts.some((cut) => cut.rows === rows && hash.copy().digest('hex') !== cut.hash)
    return isOther ? 'rows that stand before it without their seal are not these' : null
  }

  /** A row without a seal, behind the end of the chain. */
  unsealed(id: number): string | null {
    if (id <= this.#open.last_id) return `row ${id} is there twice, or not in its place`
    this.#open.last_id = id
    return this.#open.rows > 0 ? 'the seal of the rows before is missing' : null
  }

  seal({ seal, rows }: SealEntry, { clinic_id, period, type }: FirstEntry): string | null {
    const next = this.#before.number + 1
    if (seal.number !== next) return seal.number < next ? `seal ${seal.number} is there twice` : 'the seal is missing'
    if (sealHash(clinic_id, this.#before.hash, seal) !== seal.hash)
      return this.found.seals === 0
        ? 'the seal was changed, or the clinic or the hash in the first line'
        : 'the seal was changed, or the one before it'
    const seen = this.#seen.get(seal.number)
    if (seen !== undefined && seen.hash !== seal.hash) return `seal ${seal.number} is ${ANOTHER}`
    const isAgain = seal.number <= this.#end.number
    const fault =
      rows === 'here'
        ? this.#faultOfRows(seal, isAgain, type)
        : this.#faultOfAbsence(seal, { isOutside: rows === 'outside', period, type }, isAgain)
    if (fault !== null) return fault
    if (isAgain) this.found.repeated.seals++
    else this.#goFurther(seal)
    this.#goOnBehind(seal, this.#days)
    return null
  }

  #goFurther(seal: SealEntry['seal']): void {
    if (nameOfEnd(seal) === this.#expected) this.provenTo = seal.number
    this.found.seals++
    this.#end = seal
    this.#remember(seal)
  }

  #remember({ number, last_id, hash }: Before): void {
    this.#seen.set(number, { number, last_id, hash })
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= MOST_SEEN) return
      this.#seen.delete(oldest)
    }
  }

  #goOnBehind(before: Before, days = { thereSince: '', droppedUntil: '' }): void {
    this.#before = before
    this.#open = opened(before.last_id)
    this.#days = days
  }

  #faultOfRows(seal: SealEntry['seal'], isAgain: boolean, type: FirstEntry['type']): string | null {
    const { rows, hash, last_id } = this.#open
    const { found } = this
    if (rows === 0) return `its ${seal.row_count} rows of ${seal.day} are gone`
    if (rows !== seal.row_count) return `it covers ${seal.row_count} rows of ${seal.day}, ${rows} are there`
    if (hash.digest('hex') !== seal.rows_hash || last_id !== seal.last_id) return 'its rows were changed'
    if (this.#cuts.get(seal.number)?.some((cut) => cut.rows > rows))
      return 'rows that stand before it without their seal are not these'
    this.#cuts.delete(seal.number)
    if (found.outside > 0 && type !== 'selection') return 'rows of the seals before it are left out'
    const { thereSince, droppedUntil } = this.#days
    if (seal.day <= droppedUntil) return `rows of ${droppedUntil} are gone, and those of ${seal.day} are there`
    if (thereSince === '' || seal.day < thereSince) this.#days.thereSince = seal.day
    if (isAgain) found.repeated.rows += rows
    else {
      const { since, until, first } = found.there ?? { since: seal.day, until: seal.day, first: seal.number }
      const days = { since: seal.day < since ? seal.day : since, until: seal.day > until ? seal.day : until }
      found.there = { ...days, first, last: seal.number }
      found.rows += rows
    }
    return null
  }

  /** The retention drops whole days, the earlier ones first. What is outside of the period comes last, and of a selection anywhere. */
  #faultOfAbsence(seal: SealEntry['seal'], { isOutside, period, type }: Absence, isAgain: boolean): string | null {
    const { found } = this
    if (this.#open.rows > 0) return 'it says that its rows are not in the file, and rows stand before it'
    if (isOutside) {
      if (period.until === null && type !== 'selection')
        return 'its rows are left out, and the export has no end of a period'
      found.outside++
      return null
    }
    if (found.outside > 0 && type !== 'selection') return 'rows of the seals before it are left out'
    const { thereSince, droppedUntil } = this.#days
    if (thereSince !== '' && seal.day >= thereSince)
      return `its ${seal.row_count} rows of ${seal.day} are gone, and those of ${thereSince} are there`
    if (seal.day > droppedUntil) this.#days.droppedUntil = seal.day
    if (!isAgain) {
      const { first, seals } = found.dropped ?? { first: seal.number, seals: 0 }
      found.dropped = { first, last: seal.number, seals: seals + 1 }
    }
    return null
  }
}

function opened(last_id: number) {
  return { rows: 0, hash: createHash('sha256'), last_id }
}
