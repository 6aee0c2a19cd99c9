// Verifies the file of an exported audit log, line after line, from the file alone.
import { createHash, type Hash } from 'node:crypto'
import { nameOfEnd, sealHash } from '../audit-chain.ts'
import {
  entryOf,
  type FirstEntry,
  isOfOtherVersion,
  type LastEntry,
  type RowEntry,
  type SealEntry,
  textOf,
} from './entries.ts'
import type { Format } from './format.ts'
import { formatOf } from './formats.ts'
import { fieldsOf } from './row-fields.ts'

export interface SoundFile {
  sound: true
  clinic_id: string
  format: string
  made_at: string
  /** The first and last seal of the file, if it has any. */
  seals: { first: number; last: number } | null
  /** Sealed rows. */
  rows: number
  /** The first and last day of the rows that are there, of UTC, and the seals that cover them. */
  there: { since: string; until: string; first: number; last: number } | null
  /** The last seal whose rows the retention had dropped. All before it in the file are so, too, but for days that clocks mixed. */
  dropped_to: number | null
  /** Seals after the period: their rows were left out. */
  outside: number
  unsealed_rows: number
  /** The seal before the first one of the file. Null: the file begins with the log. */
  before: string | null
  /** The end of the chain. Null: nothing is sealed. */
  head: string | null
  /** The seal of the expected head: it proves the rows up to there. Null: none was expected. */
  proven_to: number | null
}

export type FileVerdict = SoundFile | { sound: false; line: number; seal: number | null; reason: string }

/** The sum of the lines so far. */
interface Found {
  seals: number
  rows: number
  there: SoundFile['there']
  droppedUntil: string
  dropped_to: number | null
  outside: number
  unsealed: number
}

export class ExportCheck {
  readonly #expected: string | null
  readonly #whole = createHash('sha256')
  #lines = 0
  #format: Format | null = null
  #first: FirstEntry | null = null
  #last: LastEntry | null = null
  #before: FirstEntry['before'] = { number: 0, last_id: 0, hash: '' }
  /** The rows behind the seal before. */
  #open: { rows: number; hash: Hash; last_id: number } = opened(0)
  #provenTo: number | null = null
  readonly #found: Found = {
    seals: 0,
    rows: 0,
    there: null,
    droppedUntil: '',
    dropped_to: null,
    outside: 0,
    unsealed: 0,
  }
  #fault: Extract<FileVerdict, { sound: false }> | null = null

  /** @param expected a head that was kept elsewhere, and that the chain of the file must hold. */
  constructor(expected: string | null = null) {
    this.#expected = expected
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
    const isAtSeal = this.#first !== null && this.#last === null && this.#found.unsealed === 0
    this.#fault ??= { sound: false, line: this.#lines, seal: isAtSeal ? this.#before.number + 1 : null, reason }
  }

  end(): FileVerdict {
    const isCut = this.#fault === null && this.#last === null
    if (isCut)
      this.fail(this.#lines === 0 ? 'the file is empty' : 'the file ends here, before its last line: it was cut off')
    const reason = this.#fault === null ? this.#faultOfExpected() : null
    if (reason !== null) this.fail(reason)
    const { rows, there, dropped_to, outside, unsealed, seals } = this.#found
    if (this.#fault !== null || this.#first === null) return this.#fault ?? NOTHING
    const { clinic_id, format, made_at, before } = this.#first
    const last = this.#before
    return {
      sound: true,
      clinic_id,
      format,
      made_at,
      seals: seals === 0 ? null : { first: before.number + 1, last: last.number },
      rows,
      there,
      dropped_to,
      outside,
      unsealed_rows: unsealed,
      before: before.number === 0 ? null : nameOfEnd(before),
      head: last.number === 0 ? null : nameOfEnd(last),
      proven_to: this.#provenTo,
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
    const first = entry.type === 'export' ? entry : this.#first
    if (first === null) return 'the first line of the export is missing'
    if (this.#format.lineOf(entry, first) !== line) return 'it says otherwise than what it proves'
    if (entry.type === 'export') return this.#faultOfFirst(entry)
    return entry.type === 'seal' ? this.#faultOfSeal(entry, first) : this.#faultOfLast(entry)
  }

  #faultOfFirst(entry: FirstEntry): string | null {
    if (this.#first !== null) return 'another export begins here'
    if (entry.format !== this.#format?.name) return `it says that the export is ${entry.format}`
    this.#first = entry
    this.#before = entry.before
    this.#open = opened(entry.before.last_id)
    return null
  }

  #faultOfRow(format: Format, line: string, entry: RowEntry): string | null {
    if (this.#first === null) return 'the first line of the export is missing'
    const fields = fieldsOf(entry.canonical)
    if (fields === null) return 'its canonical text is no row'
    if (format.lineOf(entry, this.#first) !== line) return 'its fields say otherwise than its canonical text'
    if (fields.id <= this.#open.last_id) return `row ${fields.id} is there twice, or not in its place`
    this.#open.last_id = fields.id
    if (entry.seal === null) {
      this.#found.unsealed++
      return this.#open.rows > 0 ? 'the seal of the rows before is missing' : null
    }
    if (this.#found.unsealed > 0) return 'a row that is sealed stands behind rows that are not'
    const next = this.#before.number + 1
    if (entry.seal !== next) return `it is a row of seal ${entry.seal}, and seal ${next} is missing`
    this.#open.hash.update(this.#open.rows === 0 ? '' : '\n').update(entry.canonical)
    this.#open.rows++
    return null
  }

  #faultOfSeal({ seal, rows }: SealEntry, { clinic_id, period }: FirstEntry): string | null {
    const next = this.#before.number + 1
    if (this.#found.unsealed > 0) return 'a seal stands behind rows that are not sealed'
    if (seal.number !== next) return seal.number < next ? `seal ${seal.number} is there twice` : 'the seal is missing'
    if (sealHash(clinic_id, this.#before.hash, seal) !== seal.hash)
      return this.#found.seals === 0
        ? 'the seal was changed, or the clinic or the hash in the first line'
        : 'the seal was changed, or the one before it'
    const fault =
      rows === 'here' ? this.#faultOfRows(seal) : this.#faultOfAbsence(seal, rows === 'outside', period.until)
    if (fault !== null) return fault
    if (nameOfEnd(seal) === this.#expected) this.#provenTo = seal.number
    this.#found.seals++
    this.#before = seal
    this.#open = opened(seal.last_id)
    return null
  }

  #faultOfRows(seal: SealEntry['seal']): string | null {
    const { rows, hash, last_id } = this.#open
    const found = this.#found
    if (rows === 0) return `its ${seal.row_count} rows of ${seal.day} are gone`
    if (rows !== seal.row_count) return `it covers ${seal.row_count} rows of ${seal.day}, ${rows} are there`
    if (hash.digest('hex') !== seal.rows_hash || last_id !== seal.last_id) return 'its rows were changed'
    if (found.outside > 0) return 'rows of the seals before it are left out'
    if (seal.day <= found.droppedUntil)
      return `rows of ${found.droppedUntil} are gone, and those of ${seal.day} are there`
    const { since, until, first } = found.there ?? { since: seal.day, until: seal.day, first: seal.number }
    const days = { since: seal.day < since ? seal.day : since, until: seal.day > until ? seal.day : until }
    found.there = { ...days, first, last: seal.number }
    found.rows += rows
    return null
  }

  /** The retention drops whole days, the earlier ones first. What is outside of the period comes last. */
  #faultOfAbsence(seal: SealEntry['seal'], isOutside: boolean, until: string | null): string | null {
    const found = this.#found
    if (this.#open.rows > 0) return 'it says that its rows are not in the file, and rows stand before it'
    if (isOutside) {
      if (until === null) return 'its rows are left out, and the export has no end of a period'
      found.outside++
      return null
    }
    if (found.outside > 0) return 'rows of the seals before it are left out'
    if (found.there !== null && seal.day >= found.there.since)
      return `its ${seal.row_count} rows of ${seal.day} are gone, and those of ${found.there.since} are there`
    if (seal.day > found.droppedUntil) found.droppedUntil = seal.day
    found.dropped_to = seal.number
    return null
  }

  #faultOfLast(entry: LastEntry): string | null {
    const { seals, rows, unsealed } = this.#found
    if (this.#open.rows > 0) return 'the seal of the rows before is missing'
    if (entry.seals !== seals) return `the export had ${entry.seals} seals, ${seals} are there`
    if (entry.rows !== rows) return `the export had ${entry.rows} sealed rows, ${rows} are there`
    if (entry.unsealed_rows !== unsealed)
      return `the export had ${entry.unsealed_rows} rows without a seal, ${unsealed} are there`
    const { number, hash } = this.#before
    if ((entry.head?.number ?? 0) !== number)
      return `the chain goes on to seal ${entry.head?.number ?? 0}, which is missing`
    if ((entry.head?.hash ?? '') !== hash) return 'the head was changed, or belongs to another chain'
    this.#last = entry
    const sum = this.#whole.update(textOf({ ...entry, sha256: '' })).digest('hex')
    return sum === entry.sha256 ? null : 'it or a line before it was changed: their sum is another one'
  }

  #faultOfExpected(): string | null {
    if (this.#expected === null || this.#provenTo !== null) return null
    const number = Number(this.#expected.split('.', 1)[0])
    const begin = this.#first?.before.number ?? 0
    if (number <= begin)
      return `the expected head comes before the first seal of the file, ${begin + 1}: it proves no row of it`
    if (number > this.#before.number)
      return `the expected head is not in the chain, which ends at seal ${this.#before.number}`
    return `the expected head is not in the chain: another seal ${number} is in its place`
  }
}

const NOTHING = { sound: false as const, line: 0, seal: null, reason: 'the file is empty' }

function opened(last_id: number) {
  return { rows: 0, hash: createHash('sha256'), last_id }
}
