// Shows the progress of long work on standard error: one rewritten line on a terminal, an occasional line elsewhere.
import type { Sink } from '../process-context.ts'

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

  /** Shows one of many lines. Skips a line that follows too soon. */
  async show(line: string): Promise<void> {
    const every = this.#stderr.isTerminal ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS
    if (performance.now() - this.#shownAt >= every) await this.say(line)
  }

  /** Always shown. */
  async say(line: string): Promise<void> {
    const { isTerminal } = this.#stderr
    this.#shownAt = performance.now()
    this.#isShown = isTerminal
    await this.#stderr.write(isTerminal ? CLEAN_LINE + line : `${line}\n`)
  }

  /** Clears the terminal's line. */
  async end(): Promise<void> {
    if (this.#isShown) await this.#stderr.write(CLEAN_LINE)
    this.#isShown = false
  }
}
