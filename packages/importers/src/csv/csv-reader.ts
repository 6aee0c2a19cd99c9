// Reads a CSV file of any size (RFC 4180, UTF-8) row by row: quotes, line ends within them, CRLF, a byte order mark (docs/decisions/0037).

import { isUtf8 } from 'node:buffer'
import { piecesOf, readingFault } from '../input-file.ts'

export type CsvRow = {
  /** The line on which the row begins. The header's is 1. */
  line: number
  values: string[]
  /** The fault of the row's quotes. Null when they are right. */
  fault: string | null
}

/** Why the rest of a file cannot be read. Never quotes the file. */
export class CsvUnreadable extends Error {
  override readonly name = 'CsvUnreadable'
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const READ_BYTES = 256 * 1024

/** Any record fits. It stops the search for the end of a quote that is never closed. */
const LONGEST_ROW = 4 * 1024 * 1024

/**
 * Yields the rows, with the header, in groups as they are read. Skips empty lines.
 *
 * @throws CsvUnreadable after the rows before the fault.
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRow[]> {
  const lines = new WholeLines()
  const rows = new RowSplitter()
  try {
    for await (const piece of piecesOf(path, READ_BYTES)) {
      const text = lines.take(piece)
      if (text !== '') yield rows.take(text)
    }
    yield rows.end(lines.end())
  } catch (error) {
    if (error instanceof CsvUnreadable) throw error
    if (error instanceof NotUtf8) {
      yield rows.take(error.before)
      throw new CsvUnreadable(rows.line, `is not UTF-8: byte ${error.byte} of the file`)
    }
    throw new CsvUnreadable(rows.line, readingFault(error))
  }
}

const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\ufeff'

class NotUtf8 extends Error {
  /** Counted from 1. */
  readonly byte: number
  /** The whole lines before it that were not yielded yet. */
  readonly before: string

  constructor(byte: number, before: string) {
    super()
    this.byte = byte
    this.before = before
  }
}

/** Decodes whole lines: no character of several bytes contains a line feed. */
class WholeLines {
  #pieces: Buffer[] = []
  #length = 0
  #decoded = 0

  take(piece: Buffer): string {
    const end = piece.lastIndexOf(LINE_FEED) + 1
    if (end === 0) {
      this.#keep(piece)
      return ''
    }
    const text = this.#decode(piece.subarray(0, end))
    this.#keep(piece.subarray(end))
    return text
  }

  end(): string {
    return this.#decode(Buffer.alloc(0))
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    // For example a file without line feeds.
    if (this.#length > LONGEST_ROW) throw new CsvUnreadable(1, TOO_LONG)
  }

  #decode(last: Buffer): string {
    const bytes = Buffer.concat([...this.#pieces, last])
    this.#pieces = []
    this.#length = 0
    if (isUtf8(bytes)) return this.#text(bytes)
    const sound = soundLength(bytes)
    const byte = this.#decoded + sound + 1
    throw new NotUtf8(byte, this.#text(bytes.subarray(0, bytes.subarray(0, sound).lastIndexOf(LINE_FEED) + 1)))
  }

  #text(bytes: Buffer): string {
    const text = bytes.toString()
    const isFirst = this.#decoded === 0
    this.#decoded += bytes.length
    return isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  }
}

/** Finds the start of the first malformed character. */
function soundLength(bytes: Buffer): number {
  let [sound, unsound] = [0, bytes.length]
  while (unsound - sound > 1) {
    const middle = Math.floor((sound + unsound) / 2)
    if (mayGoOn(bytes.subarray(0, middle))) sound = middle
    else unsound = middle
  }
  while (!isUtf8(bytes.subarray(0, sound))) sound -= 1
  return sound
}

/** Whether the bytes are UTF-8. The last character may be cut. */
function mayGoOn(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const TOO_LONG = `has a row of more than ${LONGEST_ROW} characters: is a quote not closed?`

class RowSplitter {
  /** The line of the next row. */
  line = 1
  /** An unfinished row, which goes on in the next piece. */
  #rest = ''

  take(piece: string): CsvRow[] {
    const text = this.#rest + piece
    const rows: CsvRow[] = []
    let at = 0
    let quote = text.indexOf('"')
    while (at < text.length) {
      const end = text.indexOf('\n', at)
      if (end === -1) break
      if (quote !== -1 && quote < end) {
        const row = new QuotedRow(text, at)
        if (!row.isWhole) break
        rows.push({ line: this.line, values: row.values, fault: row.fault })
        this.line += lineFeeds(text, at, row.next)
        at = row.next
        quote = text.indexOf('"', at)
      } else {
        const line = text.slice(at, text.charCodeAt(end - 1) === CARRIAGE_RETURN && end > at ? end - 1 : end)
        if (line !== '') rows.push({ line: this.line, values: line.split(','), fault: null })
        this.line += 1
        at = end + 1
      }
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > LONGEST_ROW) throw new CsvUnreadable(this.line, TOO_LONG)
    return rows
  }

  /** @param piece the last line, which may lack its line feed. */
  end(piece: string): CsvRow[] {
    const rows = piece === '' && this.#rest === '' ? [] : this.take(piece.endsWith('\n') ? piece : `${piece}\n`)
    if (this.#rest !== '')
      throw new CsvUnreadable(this.line, 'has a quote that is not closed, in the row that begins here')
    return rows
  }
}

const CARRIAGE_RETURN = 0x0d
const STRAY_QUOTE = 'a value that holds a quote stands in quotes, and each quote in it is doubled'

/** Reads a row with quotes, value by value. */
class QuotedRow {
  readonly values: string[] = []
  fault: string | null = null
  /** The start of the next row. */
  next = 0
  /** False when the text ends within quotes. */
  readonly isWhole: boolean
  readonly #text: string

  constructor(text: string, at: number) {
    this.#text = text
    this.next = at
    this.isWhole = this.#readValues()
  }

  #readValues(): boolean {
    for (;;) {
      const isQuoted = this.#text[this.next] === '"'
      const value = isQuoted ? this.#quotedValue() : ''
      if (value === null) return false
      const { rest, isLast } = this.#upToDelimiter()
      if (isQuoted ? rest !== '' : rest.includes('"')) this.fault = STRAY_QUOTE
      this.values.push(value + rest)
      if (isLast) return true
    }
  }

  /** Reads the text between quotes. Null when the closing quote is missing. */
  #quotedValue(): string | null {
    const from = this.next + 1
    let at = from
    for (;;) {
      const quote = this.#text.indexOf('"', at)
      if (quote === -1) return null
      if (this.#text[quote + 1] !== '"') {
        this.next = quote + 1
        return this.#text.slice(from, quote).replaceAll('""', '"')
      }
      at = quote + 2
    }
  }

  #upToDelimiter(): { rest: string; isLast: boolean } {
    const from = this.next
    const feed = this.#text.indexOf('\n', from)
    const comma = this.#text.indexOf(',', from)
    if (comma !== -1 && comma < feed) {
      this.next = comma + 1
      return { rest: this.#text.slice(from, comma), isLast: false }
    }
    this.next = feed + 1
    const end = feed > from && this.#text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed
    return { rest: this.#text.slice(from, end), isLast: true }
  }
}

function lineFeeds(text: string, from: number, to: number): number {
  let found = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) found += 1
  return found
}

/** Copies a value that is kept: as a slice it would keep the text of the file in memory. */
export function ownText(value: string): string {
  return Buffer.from(value).toString()
}
