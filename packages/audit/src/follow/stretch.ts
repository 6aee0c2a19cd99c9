// A stretch of the continuous export: the lines of the next seals behind a place, as `clinicd audit export` writes them. It begins with a line
// that names the seal before it, so each stretch is verified by itself, and all of them one behind the other.
import type { Database } from '@clinic-data/database'
import { BEGINNING, type Seal } from '../audit-chain.ts'
import { ExportCheck, type FileVerdict } from '../export/check.ts'
import type { Entry, FirstEntry, FormatName } from '../export/entries.ts'
import { formats } from '../export/formats.ts'
import { sealedEntries } from '../export/sealed-entries.ts'
import { chainOf, sealAt, sealsBetween } from '../export/seals-of.ts'

/** A stretch ends behind the seal with which it has as many. A seal itself has at most 10,000. Limits what comes twice. */
const MOST_ROWS = 5_000
/** Seals whose rows were dropped have only their own line. */
const MOST_SEALS = 1_000
/** Lines are given out together, about as many characters at once. Limits the memory. */
const BATCH_CHARACTERS = 512 * 1024

export interface StretchParts {
  readonly format: Exclude<FormatName, 'csv'>
  /** The version of this program. */
  readonly program: string
  readonly now: Date
}

export class Stretch {
  readonly #database: Database
  readonly #first: FirstEntry
  readonly #last: number
  /** It reads each line as the verification does. */
  readonly #check = new ExportCheck()

  private constructor(database: Database, first: FirstEntry, last: number) {
    this.#database = database
    this.#first = first
    this.#last = last
  }

  /** The stretch behind the seal with this number. Null: there is none yet. @throws Error when the next seal is missing. */
  static async behind(
    database: Database,
    clinic_id: string,
    number: number,
    { format, program, now }: StretchParts,
  ): Promise<Stretch | null> {
    const { last: end } = await chainOf(database, clinic_id)
    if (end.number <= number) return null
    const before = number === 0 ? BEGINNING : await sealAt(database, clinic_id, number)
    if (before === null) throw missing(clinic_id, number)
    const last = await lastOf(database, clinic_id, number, end.number)
    const made_at = now.toISOString()
    const period = { since: null, until: null }
    const first: FirstEntry = { type: 'follow', format, clinic_id, program, made_at, period, before }
    return new Stretch(database, first, last)
  }

  /** The number of its last seal. */
  get last(): number {
    return this.#last
  }

  get name(): string {
    return `the seals ${this.#first.before.number + 1} to ${this.#last} of the clinic ${this.#first.clinic_id}`
  }

  /** Says what the verification will say of the lines that were given out. */
  verdict(): FileVerdict {
    return this.#check.end()
  }

  /** Lines without their line feeds, some at once. */
  async *batches(): AsyncGenerator<readonly string[]> {
    const { clinic_id, before } = this.#first
    const last = this.#last
    let [lines, characters]: [string[], number] = [[], 0]
    const add = (entry: Entry) => {
      const line = formats[this.#first.format].lineOf(entry, this.#first)
      if (line === null) throw new Error('a row of the audit log has another form than this program knows')
      this.#check.take(line)
      lines.push(line)
      characters += line.length
    }
    add(this.#first)
    for await (const entry of sealedEntries(this.#database, clinic_id, { before, lastInside: last, last })) {
      add(entry)
      if (characters < BATCH_CHARACTERS) continue
      yield lines
      lines = []
      characters = 0
    }
    if (lines.length > 0) yield lines
  }
}

async function lastOf(database: Database, clinic_id: string, number: number, end: number): Promise<number> {
  let [last, rows]: [number, number] = [number, 0]
  for await (const seal of sealsBetween(database, clinic_id, number + 1, Math.min(end, number + MOST_SEALS))) {
    if (seal.number !== last + 1) throw missing(clinic_id, last + 1)
    last = seal.number
    rows += seal.row_count
    if (rows >= MOST_ROWS) break
  }
  if (last === number) throw missing(clinic_id, number + 1)
  return last
}

function missing(clinic_id: string, number: Seal['number']): Error {
  return new Error(
    `seal ${number} of the audit log of the clinic ${clinic_id} is missing: keep the log as it is, and run clinicd audit verify`,
  )
}
