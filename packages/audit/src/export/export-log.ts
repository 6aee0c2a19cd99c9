// Exports a clinic's audit log: its rows, the seals over them, and the head of the chain, oldest first. Whoever has the file and a head
// needs nothing else to verify it (docs/decisions/0116).
import { createHash } from 'node:crypto'
import type { Database } from '@clinic-data/database'
import { BEGINNING, nameOfEnd, type SealedRow } from '../audit-chain.ts'
import { rowsBetween } from '../sealed-rows.ts'
import { ExportCheck, type FileVerdict } from './check.ts'
import { type Entry, type FirstEntry, type FormatName, type Period, textOf } from './entries.ts'
import { formats } from './formats.ts'
import { sealedEntries } from './sealed-entries.ts'
import { type Chain, chainOf, isWithin, sealAt, sealsWithin } from './seals-of.ts'

export interface ExportParts {
  readonly format: FormatName
  readonly period: Period
  /** The version of this program. */
  readonly program: string
  readonly now: Date
  /** Stores the audit row of the export, before anything is given out. It names these. */
  readonly audit: (exported: readonly string[]) => Promise<void>
}

/** Lines are given out together, about as many bytes at once. */
const CHUNK_BYTES = 64 * 1024

/** The number of the last row is not known beforehand. */
const ANY_ID = Number.MAX_SAFE_INTEGER

export class AuditExport {
  readonly #database: Database
  readonly #clinic_id: string
  readonly #parts: ExportParts
  /** It reads each line that is written, as the verification does. */
  readonly #check = new ExportCheck()
  #text = ''

  /** @param database opened as one who reads the clinic's audit log. */
  constructor(database: Database, clinic_id: string, parts: ExportParts) {
    this.#database = database
    this.#clinic_id = clinic_id
    this.#parts = parts
  }

  /** Says what the verification will say of the whole file. */
  verdict(): FileVerdict {
    return this.#check.end()
  }

  async *content(): AsyncGenerator<Uint8Array> {
    const { period, audit } = this.#parts
    const chain = await chainOf(this.#database, this.#clinic_id)
    const within = await sealsWithin(this.#database, this.#clinic_id, period, chain.last.number)
    const before = within.first === 1 ? BEGINNING : await this.#sealBefore(within.first)
    await audit(namesOf(this.#clinic_id, chain, within))
    const first = this.#firstEntry(before)
    const whole = createHash('sha256')
    const { heading } = formats[first.format]
    if (heading !== null) this.#add(heading)
    this.#write(first, first)
    const found = { seals: 0, rows: 0, unsealed_rows: 0 }
    for await (const entry of this.#entries(chain, within, before)) {
      if (entry.type === 'seal') found.seals++
      else if (entry.type === 'row') found[entry.seal === null ? 'unsealed_rows' : 'rows']++
      this.#write(entry, first)
      if (this.#text.length < CHUNK_BYTES) continue
      const chunk = this.#chunk()
      whole.update(chunk)
      yield chunk
    }
    const rest = this.#chunk()
    whole.update(rest)
    yield rest
    const head = chain.head === null ? null : { ...chain.head, hash: chain.last.hash }
    const last = { type: 'end' as const, ...found, head, sha256: '' }
    const sha256 = whole.update(textOf(last)).digest('hex')
    this.#write({ ...last, sha256 }, first)
    yield this.#chunk()
  }

  async *#entries({ last: end }: Chain, within: { last: number }, before: FirstEntry['before']): AsyncGenerator<Entry> {
    const [database, clinic_id] = [this.#database, this.#clinic_id]
    yield* sealedEntries(database, clinic_id, { before, lastInside: within.last, last: end.number })
    for await (const row of rowsBetween(database, clinic_id, end.last_id, ANY_ID))
      if (isWithin(row.content, this.#parts.period)) yield unsealed(row)
  }

  #firstEntry(before: FirstEntry['before']): FirstEntry {
    const { format, program, now, period } = this.#parts
    const made_at = now.toISOString()
    return { type: 'export', format, clinic_id: this.#clinic_id, program, made_at, period, before }
  }

  async #sealBefore(number: number): Promise<FirstEntry['before']> {
    return (await sealAt(this.#database, this.#clinic_id, number - 1)) ?? { ...BEGINNING, number: number - 1 }
  }

  #write(entry: Entry, first: FirstEntry): void {
    const line = formats[first.format].lineOf(entry, first)
    if (line === null) throw new Error('a row of the audit log has another form than this program knows')
    this.#add(line)
  }

  #add(line: string): void {
    this.#check.take(line)
    this.#text += `${line}\n`
  }

  #chunk(): Uint8Array {
    const chunk = Buffer.from(this.#text)
    this.#text = ''
    return chunk
  }
}

function unsealed({ content }: SealedRow): Entry {
  return { type: 'row', seal: null, canonical: content }
}

/** Whose data the log names follows from the seals, which stay for ever. A row with all of them would be as long as the log. */
function namesOf(clinic_id: string, { last }: Chain, within: { first: number; last: number }): string[] {
  const seals = within.last < within.first ? [] : [`seals:${within.first}-${within.last}`]
  return [clinic_id, ...seals, ...(last.number === 0 ? [] : [nameOfEnd(last)])]
}
