// Counts sign-ins by way and outcome, and tells the log of refused ones: for each way a line a minute at most, and nobody's name.

import type { Log } from '@clinic-data/surface/log'
import { metrics } from '@opentelemetry/api'

/** A row of `docs/metrics.md`, and the options of the instrument. */
export const SIGN_IN_METRICS = {
  signIns: {
    name: 'console.sign_ins',
    kind: 'counter',
    unit: '{sign_in}',
    labels: ['way', 'outcome'],
    description:
      'Sign-ins to the console by `password`, `link`, `passkey`, `provider` or `invitation`: `begun`, `refused`, or `locked` after too many that were refused. `confirmed`: in a session that had begun, where a wrong answer is `refused` too. A link and an invitation are refused when their page opens, too.',
  },
} as const

const WAYS = ['password', 'link', 'passkey', 'provider', 'invitation'] as const
const OUTCOMES = ['begun', 'confirmed', 'refused', 'locked'] as const

export type WayIn = (typeof WAYS)[number]

export const REFUSED_LINE = 'sign-ins to the console were refused'
const BETWEEN_LINES_MS = 60_000

/** Create it after the process's meters are set up. */
export class SignInCount {
  readonly #log: Log
  readonly #now: () => Date
  readonly #counter
  /** Refused ones by way, since its latest line. */
  readonly #untold = new Map<WayIn, { refused: number; nextLine: number }>()

  constructor({ log, now }: { log: Log; now: () => Date }) {
    this.#log = log
    this.#now = now
    const { signIns } = SIGN_IN_METRICS
    this.#counter = metrics.getMeter('clinic-data-backend').createCounter(signIns.name, signIns)
    // A counter that is there before its first sign-in can be compared with itself.
    for (const way of WAYS) for (const outcome of OUTCOMES) this.#counter.add(0, { way, outcome })
  }

  /** @param reason the kind of a failure, for the log. */
  count(way: WayIn, outcome: (typeof OUTCOMES)[number], reason?: string): void {
    this.#counter.add(1, { way, outcome })
    if (outcome === 'begun' || outcome === 'confirmed') return
    const now = this.#now().getTime()
    const { refused, nextLine } = this.#untold.get(way) ?? { refused: 0, nextLine: now }
    const isTold = now >= nextLine
    if (isTold) this.#log.warn({ way, refused: refused + 1, ...(reason && { reason }) }, REFUSED_LINE)
    this.#untold.set(
      way,
      isTold ? { refused: 0, nextLine: now + BETWEEN_LINES_MS } : { refused: refused + 1, nextLine },
    )
  }
}
