// Says when to search for times that were written while a clock was ahead: at first, when this process's own clock has gone back, and
// now and then for those of other processes.
import { TIMES_LOOK_MS } from './engine-limits.ts'

export class FutureLooks {
  #askedAt: Date | null = null
  #lookedAt: Date | null = null

  /** Call this at each scan. */
  isDue(now: Date): boolean {
    const wentBack = this.#askedAt !== null && now < this.#askedAt
    this.#askedAt = now
    if (wentBack) this.#lookedAt = null
    return this.#lookedAt === null || now.getTime() - this.#lookedAt.getTime() >= TIMES_LOOK_MS
  }

  /** Call this after a search that ended well. After another one, the next scan searches again. */
  looked(now: Date): void {
    this.#lookedAt = now
  }
}
