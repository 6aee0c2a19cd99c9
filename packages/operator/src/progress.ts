// Shows the progress of long work: one rewritten line on a terminal, an occasional line elsewhere. A command's progress is on
// standard error, the phases of a start are on standard output.

const TERMINAL_EVERY_MS = 100
const ELSEWHERE_EVERY_MS = 5_000

export class Progress {
  readonly #stream = process.stderr
  #shownAt = 0

  show(line: string): void {
    const now = performance.now()
    if (now - this.#shownAt < (this.#stream.isTTY ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS)) return
    this.#shownAt = now
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }

  /** Clears the terminal's line. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K')
  }
}

const SECOND_MS = 1_000

/** A phase of a start: its seconds as they pass on a terminal, and one line when it has ended. */
export class Phase {
  readonly #name: string
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout | undefined

  constructor(name: string) {
    this.#name = name
    if (!process.stdout.isTTY) return
    this.#timer = setInterval(() => process.stdout.write(`\r\x1b[K${this.#line(0)}`), SECOND_MS).unref()
  }

  end(): void {
    this.abandon()
    process.stdout.write(`${this.#line(1)}\n`)
  }

  /** Clears the terminal's line. */
  abandon(): void {
    clearInterval(this.#timer)
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  }

  #line(digits: number): string {
    return `${this.#name} … ${((performance.now() - this.#startedAt) / SECOND_MS).toFixed(digits)} s`
  }
}
