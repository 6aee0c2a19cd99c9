// Choices that a seed repeats: what clients do, and when something is broken. It does not repeat how processes take turns.

export class Seeded {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** @param chance - from 0 to 1. */
  happens(chance: number): boolean {
    return this.next() < chance
  }

  /** @throws Error when there is nothing to choose from. */
  pick<T>(list: readonly T[]): T {
    const [one] = list.slice(this.between(0, list.length - 1))
    if (one === undefined) throw new Error('there is nothing to choose from')
    return one
  }

  /** Choices of its own, for a part whose number of choices depends on time. */
  fork(): Seeded {
    return new Seeded(this.between(0, 2 ** 32 - 1))
  }
}
