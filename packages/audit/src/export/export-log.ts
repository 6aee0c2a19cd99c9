// Exports a clinic's audit log: its rows, the seals over them, and the head of the chain, oldest first. Whoever has the file and a head
// needs nothing else to verify it (docs/decisions/0116).
import type { Database } from '@clinic-data/database'
import { nameOfEnd } from '../audit-chain.ts'
import { rowsBetween } from '../sealed-rows.ts'
import type { FileVerdict } from './check.ts'
import type { Entry, FirstEntry, FormatName } from './entries.ts'
import { FileWriter } from './file-writer.ts'
import { isRowWithin, type Period } from './period.ts'
import { sealedEntries, unsealedRow } from './sealed-entries.ts'
import { type Chain, chainOf, sealBefore, sealsWithin } from './seals-of.ts'

export interface ExportParts {
  readonly format: FormatName
  readonly period: Period
  /** The version of this program. */
  readonly program: string
  readonly now: Date
  /** Stores the audit row of the export, before anything is given out. It names these. */
  readonly audit: (exported: readonly string[]) => Promise<void>
}

/** The number of the last row is not known beforehand. */
const ANY_ID = Number.MAX_SAFE_INTEGER

export class AuditExport {
  readonly #database: Database
  readonly #clinic_id: string
  readonly #parts: ExportParts
  #writer: FileWriter | null = null

  /** @param database opened as one who reads the clinic's audit log. */
  constructor(database: Database, clinic_id: string, parts: ExportParts) {
    this.#database = database
    this.#clinic_id = clinic_id
    this.#parts = parts
  }

  /** Says what the verification will say of the whole file, once its content was given out. */
  verdict(): FileVerdict {
    if (this.#writer === null) throw new Error('nothing was exported yet')
    return this.#writer.verdict()
  }

  async *content(): AsyncGenerator<Uint8Array> {
    const { period, audit } = this.#parts
    const chain = await chainOf(this.#database, this.#clinic_id)
    const within = await sealsWithin(this.#database, this.#clinic_id, period, chain.last.number)
    const before = await sealBefore(this.#database, this.#clinic_id, within.first)
    await audit(namesOf(this.#clinic_id, chain, within))
    this.#writer = new FileWriter(this.#firstEntry(before))
    yield* this.#writer.content(this.#entries(chain, within, before), chain)
  }

  async *#entries({ last: end }: Chain, within: { last: number }, before: FirstEntry['before']): AsyncGenerator<Entry> {
    const [database, clinic_id] = [this.#database, this.#clinic_id]
    yield* sealedEntries(database, clinic_id, { before, lastInside: within.last, last: end.number })
    for await (const row of rowsBetween(database, clinic_id, end.last_id, ANY_ID))
      if (isRowWithin(row.content, this.#parts.period)) yield unsealedRow(row)
  }

  #firstEntry(before: FirstEntry['before']): FirstEntry {
    const { format, program, now, period } = this.#parts
    const made_at = now.toISOString()
    return { type: 'export', format, clinic_id: this.#clinic_id, program, made_at, period, before }
  }
}

/** Whose data the log names follows from the seals, which stay for ever. A row with all of them would be as long as the log. */
function namesOf(clinic_id: string, { last }: Chain, within: { first: number; last: number }): string[] {
  const seals = within.last < within.first ? [] : [`seals:${within.first}-${within.last}`]
  return [clinic_id, ...seals, ...(last.number === 0 ? [] : [nameOfEnd(last)])]
}
