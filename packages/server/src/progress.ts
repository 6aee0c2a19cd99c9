// Progress of long work on stderr: one line that is rewritten on a terminal, a line now and then elsewhere.

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

  /** Leaves the terminal's line clean. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K')
  }
}
