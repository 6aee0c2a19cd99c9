// Verifies the file of an exported audit log, line after line, from the file alone.
import { createHash } from 'node:crypto'
import { nameOfEnd } from '../audit-chain.ts'
import { ChainCheck, type Found } from './chain-check.ts'
import {
  entryOf,
  type FirstEntry,
  isOfOtherVersion,
  type LastEntry,
  type Period,
  type RowEntry,
  type Selected,
  textOf,
} from './entries.ts'
import type { Format } from './format.ts'
import { formatOf } from './formats.ts'
import { isWithin } from './period.ts'
import { fieldsOf, type RowFields } from './row-fields.ts'
import { isOfFilter } from './row-filter.ts'

export interface SoundFile extends Omit<Found, 'seals'> {
  sound: true
  clinic_id: string
  format: string
  made_at: string
  /** It is a continuous export, which has no last line. */
  is_continuous: boolean
  /** The first and last seal of the file, if it has any. */
  seals: { first: number; last: number } | null
  unsealed_rows: number
  /** The search, and the number of seals whose rows are there because some of them match. Null: the file holds a log, or a period of one. */
  selected: (Selected & { period: Period; seals: number }) | null
  /** The seal before the first one of the file. Null: the file begins with the log. */
  before: string | null
  /** The end of the chain. Null: nothing is sealed. */
  head: string | null
  /** The seal of the expected head: it proves the rows up to there. Null: none was expected. */
  proven_to: number | null
}

export type FileVerdict = SoundFile | { sound: false; line: number; seal: number | null; reason: string }

/** Takes a row that a selection was made for, and the seal that covers it. It is proven when the whole file is. */
export type OnMatch = (row: RowFields, seal: number | null) => void

export class ExportCheck {
  readonly #expected: string | null
  readonly #onMatch: OnMatch
  readonly #whole = createHash('sha256')
  #lines = 0
  #format: Format | null = null
  /** The first line, and the beginning of the stretch where the lines are now. */
  #beginning: FirstEntry | null = null
  #first: FirstEntry | null = null
  #last: LastEntry | null = null
  readonly #chain: ChainCheck
  #unsealed = 0
  /** Rows that a selection was made for. */
  #matching = 0
  #fault: Extract<FileVerdict, { sound: false }> | null = null

  /** @param expected a head that was kept elsewhere, and that the chain of the file must hold. */
  constructor(expected: string | null = null, onMatch: OnMatch = () => undefined) {
    this.#expected = expected
    this.#onMatch = onMatch
    this.#chain = new ChainCheck(expected)
  }

  /**
   * Takes the next line, without its line feed.
   *
   * @returns whether there is no fault so far. Lines behind a fault are not looked at.
   */
  take(line: string): boolean {
    if (this.#fault !== null) return false
    this.#lines++
    const reason = this.#faultOf(line)
    if (reason !== null) this.fail(reason)
    else if (this.#last === null) this.#whole.update(line).update('\n')
    return reason === null
  }

  /** The next line could not be read. */
  failNext(reason: string): void {
    this.#lines++
    this.fail(reason)
  }

  fail(reason: string): void {
    const isAtSeal = this.#first !== null && this.#last === null && this.#unsealed === 0
    this.#fault ??= { sound: false, line: this.#lines, seal: isAtSeal ? this.#chain.before.number + 1 : null, reason }
  }

  end(): FileVerdict {
    const isCut = this.#fault === null && this.#last === null && this.#first?.type !== 'follow'
    if (isCut)
      this.fail(this.#lines === 0 ? 'the file is empty' : 'the file ends here, before its last line: it was cut off')
    const reason = this.#fault === null ? this.#faultOfExpected() : null
    if (reason !== null) this.fail(reason)
    if (this.#fault !== null || this.#beginning === null) return this.#fault ?? NOTHING
    const { rows, there, dropped, outside, repeated, seals } = this.#chain.found
    const { clinic_id, format, made_at, before, type, selected, period } = this.#beginning
    const { end } = this.#chain
    return {
      sound: true,
      clinic_id,
      format,
      made_at,
      is_continuous: type === 'follow',
      seals: seals === 0 ? null : { first: before.number + 1, last: end.number },
      rows,
      there,
      dropped,
      outside,
      repeated,
      unsealed_rows: this.#unsealed + this.#chain.unprovenRows,
      selected: selected === undefined ? null : { ...selected, period, seals: seals - outside - (dropped?.seals ?? 0) },
      before: before.number === 0 ? null : nameOfEnd(before),
      head: end.number === 0 ? null : nameOfEnd(end),
      proven_to: this.#chain.provenTo,
    }
  }

  #faultOf(line: string): string | null {
    if (this.#last !== null) return 'it stands behind the last line of the export'
    if (this.#format === null) {
      this.#format = formatOf(line)
      if (this.#format === null) return 'this is no audit log that clinicd has exported'
      if (this.#format.heading !== null) return null
    }
    const proof = this.#format.proofIn(line)
    if (proof === null) return `it is no line of an export as ${this.#format.name}`
    if ('canonical' in proof) return this.#faultOfRow(this.#format, line, { type: 'row', ...proof })
    const entry = entryOf(proof.text)
    if (entry === null && isOfOtherVersion(proof.text))
      return 'another version of clinicd wrote this file: verify it with that one'
    if (entry === null) return 'it is neither a row nor a seal'
    const first = entry.type === 'seal' || entry.type === 'end' ? this.#first : entry
    if (first === null) return 'the first line of the export is missing'
    if (this.#format.lineOf(entry, first) !== line) return 'it says otherwise than what it proves'
    if (entry.type === 'end') return this.#faultOfLast(entry, first)
    if (entry.type !== 'seal') return this.#faultOfFirst(entry)
    return this.#unsealed > 0 ? 'a seal stands behind rows that are not sealed' : this.#chain.seal(entry, first)
  }

  #faultOfFirst(entry: FirstEntry): string | null {
    if (entry.format !== this.#format?.name) return `it says that the export is ${entry.format}`
    if (this.#first === null) this.#chain.begin(entry.before)
    else if (entry.type !== 'follow' || this.#first.type !== 'follow') return 'another export begins here'
    else if (entry.clinic_id !== this.#first.clinic_id)
      return `it is of the clinic ${entry.clinic_id}: each clinic has a file of its own`
    const fault = this.#first === null ? null : this.#chain.again(entry.before)
    this.#beginning ??= entry
    this.#first = entry
    return fault
  }

  #faultOfRow(format: Format, line: string, entry: RowEntry): string | null {
    if (this.#first === null) return 'the first line of the export is missing'
    const fields = fieldsOf(entry.canonical)
    if (fields === null) return 'its canonical text is no row'
    if (format.lineOf(entry, this.#first) !== line) return 'its fields say otherwise than its canonical text'
    if (isWanted(fields, this.#first)) {
      this.#matching++
      this.#onMatch(fields, entry.seal)
    }
    if (entry.seal === null) {
      if (this.#first.type === 'follow') return 'a continuous export has no row without a seal'
      this.#unsealed++
      return this.#chain.unsealed(fields.id)
    }
    if (this.#unsealed > 0) return 'a row that is sealed stands behind rows that are not'
    const next = this.#chain.before.number + 1
    if (entry.seal !== next) return `it is a row of seal ${entry.seal}, and seal ${next} is missing`
    return this.#chain.row(fields.id, entry.canonical)
  }

  #faultOfLast(entry: LastEntry, first: FirstEntry): string | null {
    if (first.type === 'follow') return 'a continuous export has no last line'
    const { seals, rows } = this.#chain.found
    const unsealed = this.#unsealed
    if (this.#chain.openRows > 0) return 'the seal of the rows before is missing'
    if (entry.seals !== seals) return `the export had ${entry.seals} seals, ${seals} are there`
    if (entry.rows !== rows) return `the export had ${entry.rows} sealed rows, ${rows} are there`
    if (entry.unsealed_rows !== unsealed)
      return `the export had ${entry.unsealed_rows} rows without a seal, ${unsealed} are there`
    const { selected } = first
    if (selected !== undefined && selected.matching !== this.#matching)
      return `the export was made for ${selected.matching} rows, ${this.#matching} of its rows match its filter`
    const { number, hash } = this.#chain.end
    if ((entry.head?.number ?? 0) !== number)
      return `the chain goes on to seal ${entry.head?.number ?? 0}, which is missing`
    if ((entry.head?.hash ?? '') !== hash) return 'the head was changed, or belongs to another chain'
    this.#last = entry
    const sum = this.#whole.update(textOf({ ...entry, sha256: '' })).digest('hex')
    return sum === entry.sha256 ? null : 'it or a line before it was changed: their sum is another one'
  }

  #faultOfExpected(): string | null {
    if (this.#expected === null || this.#chain.provenTo !== null) return null
    const number = Number(this.#expected.split('.', 1)[0])
    const begin = this.#beginning?.before.number ?? 0
    if (number <= begin)
      return `the expected head comes before the first seal of the file, ${begin + 1}: it proves no row of it`
    if (number > this.#chain.end.number)
      return (
        `the expected head is of seal ${number}, and the file ends at seal ${this.#chain.end.number}: the head is later than the export, ` +
        'or the end of the file was cut. Expect a head from before the export, or export again'
      )
    return `the expected head is not in the chain: another seal ${number} is in its place`
  }
}

function isWanted(row: RowFields, { selected, period }: FirstEntry): boolean {
  return selected !== undefined && isWithin(row.stored_at, period) && isOfFilter(row, selected.filter)
}

const NOTHING = { sound: false as const, line: 0, seal: null, reason: 'the file is empty' }
