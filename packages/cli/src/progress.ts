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

  /** One of many: what comes too soon after the one before is not shown. */
  async show(line: string): Promise<void> {
    const every = this.#stderr.isTerminal ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS
    if (performance.now() - this.#shownAt >= every) await this.say(line)
  }

  /** Shown in any case. */
  async say(line: string): Promise<void> {
    const { isTerminal } = this.#stderr
    this.#shownAt = performance.now()
    this.#isShown = isTerminal
    await this.#stderr.write(isTerminal ? CLEAN_LINE + line : `${line}\n`)
  }

  /** Leaves the terminal's line clean. */
  async end(): Promise<void> {
    if (this.#isShown) await this.#stderr.write(CLEAN_LINE)
    this.#isShown = false
  }
}
