// A clock that runs as fast as the test wants.
import type { Clock } from '@clinic-data/surface/clock'

export class TestClock implements Clock {
  #nowMs: number
  #number = 0
  readonly #due = new Map<number, { atMs: number; action: () => void }>()

  constructor(nowMs = Date.UTC(2026, 6, 12, 6, 30)) {
    this.#nowMs = nowMs
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  after(delayMs: number, action: () => void): () => void {
    const number = this.#number++
    this.#due.set(number, { atMs: this.#nowMs + delayMs, action })
    return () => this.#due.delete(number)
  }

  /** The number of actions that are still pending. */
  get waiting(): number {
    return this.#due.size
  }

  /** Runs the actions due within `ms`, by default all, in order. Actions that these schedule are included. */
  async run(ms = Number.POSITIVE_INFINITY): Promise<void> {
    const untilMs = this.#nowMs + ms
    for (;;) {
      const [next] = [...this.#due].toSorted(([a, one], [b, other]) => one.atMs - other.atMs || a - b)
      if (next === undefined || next[1].atMs > untilMs) break
      const [number, { atMs, action }] = next
      this.#due.delete(number)
      this.#nowMs = atMs
      action()
      await new Promise((settled) => setImmediate(settled))
    }
    if (Number.isFinite(untilMs)) this.#nowMs = untilMs
  }
}

/** Gives repeatable numbers from 0 up to but not including 1 (the generator of Park and Miller). */
export function seeded(seed: number): () => number {
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }
}
