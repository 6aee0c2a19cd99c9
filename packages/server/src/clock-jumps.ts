// Compares the wall clock with the monotonic one and logs each jump: times that were written meanwhile are wrong.
import type { Log } from '@clinic-data/gateway/telemetry/log'
import { metrics } from '@opentelemetry/api'

/** A row of `docs/metrics.md`, and the options of the instrument. */
export const CLOCK_METRICS = {
  jumps: {
    name: 'clock.jumps',
    kind: 'counter',
    unit: '{jump}',
    labels: ['direction'],
    description: 'Jumps of the wall clock by a second or more, `ahead` or `back`.',
  },
} as const

/** A clock that is corrected gradually moves by half a millisecond a second. */
const JUMP_MS = 1_000
const LOOK_MS = 1_000

interface Clocks {
  log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  wall?: () => number
  monotonic?: () => number
}

/** Create it after the process's meters are set up. */
export class ClockJumps {
  readonly #log: Clocks['log']
  /** The wall-clock time at which the monotonic clock began. */
  readonly #origin: () => number
  readonly #jumps
  #before: number

  constructor({ log, wall = Date.now, monotonic = () => performance.now() }: Clocks) {
    this.#log = log
    this.#origin = () => wall() - monotonic()
    this.#before = this.#origin()
    const { jumps } = CLOCK_METRICS
    this.#jumps = metrics.getMeter('clinic-data-server').createCounter(jumps.name, jumps)
    // A counter that is there before its first jump can be compared with itself.
    for (const direction of ['ahead', 'back']) this.#jumps.add(0, { direction })
  }

  /** Looks once a second. @returns a function that ends it. */
  start(): () => void {
    const timer = setInterval(() => this.look(), LOOK_MS).unref()
    return () => clearInterval(timer)
  }

  look(): void {
    const origin = this.#origin()
    const jump = origin - this.#before
    this.#before = origin
    if (Math.abs(jump) < JUMP_MS) return
    const direction = jump > 0 ? 'ahead' : 'back'
    this.#jumps.add(1, { direction })
    this.#log.warn({ jump_seconds: Math.round(jump / 100) / 10 }, `the clock of this machine has jumped ${direction}`)
  }
}
