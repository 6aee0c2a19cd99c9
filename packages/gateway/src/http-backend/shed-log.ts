// Logs calls that were refused for lack of room: one short line at intervals, however many there are.
import type { Log } from '../telemetry/log.ts'

const EVERY_MS = 10_000

export class ShedLog {
  readonly #log: Pick<Log, 'warn'>
  /** The backend's name in the log. */
  readonly #backend: string
  readonly #monotonic: () => number
  #saidAt = Number.NEGATIVE_INFINITY
  #unsaid = 0

  constructor(log: Pick<Log, 'warn'>, backend: string, monotonic: () => number = () => performance.now()) {
    this.#log = log
    this.#backend = backend
    this.#monotonic = monotonic
  }

  /** Counts a refused call. */
  add(): void {
    this.#unsaid++
    const now = this.#monotonic()
    if (now - this.#saidAt < EVERY_MS) return
    this.#log.warn(
      { backend: this.#backend, refused: this.#unsaid },
      'too many calls wait for the backend: more are refused',
    )
    this.#saidAt = now
    this.#unsaid = 0
  }
}
