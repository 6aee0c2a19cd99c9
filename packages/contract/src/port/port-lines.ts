// The answer to several calls in one message: a line for each call, in the order in which they are answered.
//
//   <the call's place in the list> <status> <body>\n
//
// A body is JSON without line breaks, or empty.
import { PORT_LIMITS } from './port.ts'
import { type PortReply, UnusableAnswer } from './port-answer.ts'

/** @example portLine(0, { status: 204, text: '' }) // '0 204 \n' */
export function portLine(place: number, { status, text }: PortReply): string {
  return `${place} ${status} ${text}\n`
}

const LINE_BREAK = 0x0a
const START = /^(\d{1,4}) (\d{3}) /

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
      this.#takeLine(line.toString())
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start))
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes > PORT_LIMITS.response_bytes) throw new UnusableAnswer('a line longer than an answer may be')
    this.#pieces.push(piece)
  }

  #takeLine(line: string): void {
    const [start, place, status] = START.exec(line) ?? []
    if (start === undefined) throw new UnusableAnswer('a line without a call and a status')
    this.#take(Number(place), { status: Number(status), text: line.slice(start.length) })
  }
}
