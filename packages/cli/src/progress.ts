// The progress of long work on standard error: one line that is rewritten on a terminal, a line now and then elsewhere.
import type { Sink } from './surroundings.ts'

const TERMINAL_EVERY_MS = 100
const ELSEWHERE_EVERY_MS = 5_000
const CLEAN_LINE = '\r\x1b[K'

export class Progress {
  readonly #stderr: Sink
  #shownAt = performance.now()
  #isShown = false

  constructor(stderr: Sink) {
    this.#stderr = stderr
  }

  async show(line: string): Promise<void> {
    const { isTerminal } = this.#stderr
    const now = performance.now()
    if (now - this.#shownAt < (isTerminal ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS)) return
    this.#shownAt = now
    this.#isShown = isTerminal
    await this.#stderr.write(isTerminal ? CLEAN_LINE + line : `${line}\n`)
  }

  /** Leaves the terminal's line clean. */
  async end(): Promise<void> {
    if (this.#isShown) await this.#stderr.write(CLEAN_LINE)
    this.#isShown = false
  }
}
