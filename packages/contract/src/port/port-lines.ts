// The answer to several calls in one message: a line for each call, in the order in which they are answered.
//
//   <the call's place in the list> <status> <body>\n
//
// A body is JSON without line breaks, or empty. Where the rows of a list are written already, they stand behind the answer's other
// members, and tabs stand in front of both: JSON as it is written here has none.
//
//   <the call's place in the list> <status>\t<body>\t<rows>\n
import { PORT_LIMITS } from './port.ts'
import { type PortReply, UnusableAnswer } from './port-answer.ts'

/** An answer as a backend sends it. */
export interface SentReply extends Omit<PortReply, 'rows'> {
  readonly rows?: string
}

/** @example portLine(0, { status: 204, text: '' }) // '0 204 \n' */
export function portLine(place: number, { status, text, rows }: SentReply): string {
  return rows === undefined ? `${place} ${status} ${text}\n` : `${place} ${status}\t${text}\t${rows}\n`
}

const LINE_BREAK = 0x0a
const TAB = 0x09
const START = /^(\d{1,4}) (\d{3})([ \t])/
/** The most characters of a line's start. */
const START_CHARACTERS = 9

/** Reads the lines from bytes as they arrive. */
export class PortLines {
  readonly #take: (place: number, reply: PortReply) => void
  /** The beginning of the next line. */
  #pieces: Uint8Array[] = []
  #bytes = 0

  /** @param take gets each line's call and answer. */
  constructor(take: (place: number, reply: PortReply) => void) {
    this.#take = take
  }

  /** @throws UnusableAnswer when a line has another form, or is longer than an answer may be. */
  read(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      this.#keep(bytes.subarray(start, end))
      const [only] = this.#pieces
      const line = this.#pieces.length === 1 ? (only as Buffer) : Buffer.concat(this.#pieces)
      this.#pieces = []
      this.#bytes = 0
      start = end + 1
      this.#takeLine(line)
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start))
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes > PORT_LIMITS.response_bytes) throw new UnusableAnswer('a line longer than an answer may be')
    this.#pieces.push(piece)
  }

  #takeLine(line: Buffer): void {
    const [start, place, status, mark] = START.exec(line.toString('latin1', 0, START_CHARACTERS)) ?? []
    if (start === undefined) throw new UnusableAnswer('a line without a call and a status')
    const end = mark === ' ' ? line.length : line.indexOf(TAB, start.length)
    if (end < 0) throw new UnusableAnswer('a line without its rows')
    const text = line.toString('utf8', start.length, end)
    const rows = mark === ' ' ? {} : { rows: line.subarray(end + 1) }
    this.#take(Number(place), { status: Number(status), text, ...rows })
  }
}
