// Shows the progress of long work on standard error: one rewritten line on a terminal, an occasional line elsewhere.

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
