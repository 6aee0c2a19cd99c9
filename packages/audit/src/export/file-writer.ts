// Writes the entries of an exported audit log as the bytes of its file: the heading, the first entry, all others, and the last one, which counts and sums them.
import { createHash } from 'node:crypto'
import { ExportCheck, type FileVerdict } from './check.ts'
import { type Entry, type FirstEntry, textOf } from './entries.ts'
import { formats } from './formats.ts'
import type { Chain } from './seals-of.ts'

/** Lines are given out together, about as many bytes at once. */
const CHUNK_BYTES = 64 * 1024

export class FileWriter {
  readonly #first: FirstEntry
  /** It reads each line that is written, as the verification does. */
  readonly #check = new ExportCheck()
  readonly #whole = createHash('sha256')
  #text = ''

  constructor(first: FirstEntry) {
    this.#first = first
  }

  /** Says what the verification will say of the whole file. */
  verdict(): FileVerdict {
    return this.#check.end()
  }

  /** @param entries all but the first and the last one, and `chain` where they lead to. */
  async *content(entries: AsyncIterable<Entry>, chain: Chain): AsyncGenerator<Uint8Array> {
    const { heading } = formats[this.#first.format]
    if (heading !== null) this.#add(heading)
    this.#write(this.#first)
    const found = { seals: 0, rows: 0, unsealed_rows: 0 }
    for await (const entry of entries) {
      if (entry.type === 'seal') found.seals++
      else if (entry.type === 'row') found[entry.seal === null ? 'unsealed_rows' : 'rows']++
      this.#write(entry)
      if (this.#text.length >= CHUNK_BYTES) yield this.#chunk()
    }
    yield this.#chunk()
    const head = chain.head === null ? null : { ...chain.head, hash: chain.last.hash }
    const last = { type: 'end' as const, ...found, head, sha256: '' }
    const sha256 = this.#whole.update(textOf(last)).digest('hex')
    this.#write({ ...last, sha256 })
    yield Buffer.from(this.#text)
  }

  #write(entry: Entry): void {
    const line = formats[this.#first.format].lineOf(entry, this.#first)
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
    this.#whole.update(chunk)
    return chunk
  }
}
