// Failures that repeat, such as those of an outage of the database: a line when they begin, one a minute while they last, and one when
// they have ended.

/** As long as this no failure must have come before a success ends them: while one clinic's place is away, others' work succeeds. */
const QUIET_MS = 5_000

/** The interval of lines about failures that last. */
const AGAIN_MS = 60_000

interface Failing {
  readonly since: number
  count: number
  lastAt: number
  toldAt: number
}

export class FailureLog {
  readonly #log: { warn(detail: object, line: string): void }
  readonly #elapsed: () => number
  /** By their line. */
  readonly #failing = new Map<string, Failing>()

  /** @param elapsed a clock that never goes back, in milliseconds. */
  constructor(log: { warn(detail: object, line: string): void }, elapsed = () => performance.now()) {
    this.#log = log
    this.#elapsed = elapsed
  }

  failed(detail: object, line: string): void {
    const now = this.#elapsed()
    const failing = this.#failing.get(line) ?? { since: now, count: 0, lastAt: now, toldAt: Number.NEGATIVE_INFINITY }
    this.#failing.set(line, failing)
    failing.count++
    failing.lastAt = now
    if (now - failing.toldAt < AGAIN_MS) return
    failing.toldAt = now
    this.#log.warn(failing.count === 1 ? detail : { ...detail, failures: failing.count }, line)
  }

  /**
   * Call this again and again while the work succeeds.
   *
   * @param lasting lines of what has failed and is still being tried: it may wait long between two tries.
   */
  succeeded(lasting: readonly string[] = []): void {
    const now = this.#elapsed()
    for (const [line, { since, count, lastAt }] of this.#failing) {
      if (now - lastAt < QUIET_MS || lasting.includes(line)) continue
      this.#failing.delete(line)
      this.#log.warn({ failure: line, failures: count, ms: Math.round(lastAt - since) }, 'a failure has ended')
    }
  }
}
