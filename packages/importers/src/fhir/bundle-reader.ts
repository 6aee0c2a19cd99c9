// Reads a FHIR bundle of any size entry by entry. Holds one entry in memory, and reports a fault with its place.

import { jsonOf } from '@clinic-data/contract/json-text'
import { piecesOf, readingFault } from '../input-file.ts'
import type { BundleEntry } from './fhir-r4.ts'

/** Why a file cannot be read as a bundle. Never quotes the file. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault'
}

/** The members of a bundle beside its entries. */
const LONGEST_FRAME = 1024 * 1024

/** The largest single entry. It may hold a document or a picture. */
const LONGEST_ENTRY = 64 * 1024 * 1024

const READ_BYTES = 1024 * 1024

/** Entries of these types are resources. Those of others (history, message) are changes. */
const TYPES = ['transaction', 'batch', 'collection', 'searchset']

/**
 * Yields the entries in groups, one for each piece of the file.
 *
 * @throws BundleFault after the entries before the fault.
 */
export async function* readBundle(path: string): AsyncGenerator<BundleEntry[]> {
  const splitter = new BundleSplitter()
  try {
    for await (const piece of piecesOf(path, READ_BYTES)) yield splitter.take(piece)
  } catch (error) {
    if (error instanceof BundleFault) throw error
    throw new BundleFault(readingFault(error))
  }
  splitter.end()
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Finds the entries among a bundle's bytes. JSON.parse then reads each entry. */
class BundleSplitter {
  readonly #walk = new JsonWalk()
  /** The bytes before the present piece, and the start of its unread part. */
  #before = 0
  #from = 0
  /** The bundle without its entries. */
  #frame = ''
  #inEntries = false
  #entries = 0
  /** The pieces of an unfinished entry. */
  #entry: Buffer[] | null = null
  #entryLength = 0
  #entryPlace = ''

  take(piece: Buffer): BundleEntry[] {
    const entries: BundleEntry[] = []
    const walk = this.#walk
    this.#from = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      const depth = walk.depth
      walk.step(byte)
      if (walk.depth > depth) this.#opened(piece, at)
      else if (walk.depth < depth) this.#closed(piece, at, entries)
      else if (this.#inEntries && depth === 2 && !walk.inString && !isBetween(byte)) this.#refuse(at)
    }
    this.#keep(piece.subarray(this.#from))
    this.#before += piece.length
    return entries
  }

  /** Call it at the end of the file. */
  end(): void {
    const { depth, inString } = this.#walk
    if (this.#entry !== null) throw new BundleFault(`ends in the middle of the entry that begins ${this.#entryPlace}`)
    if (depth !== 0 || inString) throw new BundleFault(`ends too early, ${this.#place(0)}`)
    const frame = jsonOf(this.#frame.replace(/^\u00ef\u00bb\u00bf/, '')) as {
      resourceType?: unknown
      type?: unknown
      entry?: unknown
    }
    if (frame === undefined) throw new BundleFault('is not JSON outside of its entries')
    if (frame?.resourceType !== 'Bundle') throw new BundleFault('is not a FHIR bundle')
    if (!TYPES.includes(String(frame.type)))
      throw new BundleFault(`is a bundle of none of the types ${TYPES.join(', ')}`)
    if (frame.entry !== undefined && !Array.isArray(frame.entry))
      throw new BundleFault('has an entry that is not a list of objects: nothing was read')
    if (this.#entries === 0) throw new BundleFault('holds no entries: nothing was in it')
  }

  #opened(piece: Buffer, at: number): void {
    if (this.#inEntries) {
      if (this.#walk.depth !== 3) return
      if (piece[at] === OPEN_LIST) this.#refuse(at)
      this.#entry = []
      this.#entryLength = 0
      this.#entryPlace = this.#place(at)
      this.#from = at
    } else if (this.#walk.depth === 2 && piece[at] === OPEN_LIST) {
      const frame = this.#frame + latin(piece.subarray(this.#from, at + 1))
      if (!/"entry"\s*:\s*\[$/.test(frame)) return
      this.#frame = frame
      this.#inEntries = true
    }
  }

  #closed(piece: Buffer, at: number, entries: BundleEntry[]): void {
    if (!this.#inEntries) return
    if (this.#entry !== null && this.#walk.depth === 2) {
      this.#entries += 1
      entries.push(this.#parsed(Buffer.concat([...this.#entry, piece.subarray(this.#from, at + 1)])))
      this.#entry = null
    } else if (this.#walk.depth === 1) {
      this.#inEntries = false
      this.#from = at
    }
  }

  #parsed(bytes: Buffer): BundleEntry {
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch {
      throw new BundleFault(`has an entry that is not UTF-8: it begins ${this.#entryPlace}`)
    }
    const entry = jsonOf(text)
    if (entry === undefined) throw new BundleFault(`has an entry that is not JSON: it begins ${this.#entryPlace}`)
    return entry as BundleEntry
  }

  /** Keeps the rest of the piece: a begun entry, or a part of the frame. */
  #keep(rest: Buffer): void {
    if (this.#entry !== null) {
      this.#entry.push(rest)
      this.#entryLength += rest.length
      if (this.#entryLength <= LONGEST_ENTRY) return
      throw new BundleFault(`has an entry of more than ${LONGEST_ENTRY} bytes: it begins ${this.#entryPlace}`)
    }
    if (this.#inEntries) return
    this.#frame += latin(rest)
    if (this.#frame.length <= LONGEST_FRAME) return
    throw new BundleFault(`holds more than ${LONGEST_FRAME} bytes beside its entries, so it is no FHIR bundle`)
  }

  #refuse(at: number): never {
    throw new BundleFault(`has something other than an object among its entries, ${this.#place(at)}`)
  }

  #place(at: number): string {
    return `at byte ${this.#before + at + 1}, line ${this.#walk.line}`
  }
}

const [QUOTE, BACKSLASH, COMMA, LINE] = [0x22, 0x5c, 0x2c, 0x0a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Follows the depth of lists and objects, and whether a string is open. */
class JsonWalk {
  depth = 0
  line = 1
  inString = false
  #escaped = false

  step(byte: number): void {
    if (this.inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.inString = false
    } else if (byte === QUOTE) this.inString = true
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.depth -= 1
    else if (byte === LINE) this.line += 1
  }
}

function isBetween(byte: number): boolean {
  return byte === COMMA || byte === 0x20 || byte === LINE || byte === 0x0d || byte === 0x09
}

/** Only the ASCII characters of the frame matter. */
function latin(bytes: Buffer): string {
  return bytes.toString('latin1')
}
