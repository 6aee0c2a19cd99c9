// Repeatable random numbers: the same seed and keys give the same numbers, independent of all other draws.

const TO_UNIT = 2 ** -32

export class Random {
  #state: number

  /** A stream of numbers for these keys: the seed, the purpose, and its number. */
  constructor(...keys: readonly number[]) {
    let state = 0x9e3779b9
    for (const key of keys) {
      state = mixed(state ^ (key | 0))
      state = mixed(state ^ Math.floor(key / 2 ** 32))
    }
    this.#state = state
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return (mixed(this.#state) >>> 0) * TO_UNIT
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.next() * choices.length)]
    if (choice === undefined) throw new RangeError('nothing to pick from')
    return choice
  }

  /** One of the choices, by their weights. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let rest = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [choice, weight] of choices) {
      rest -= weight
      if (rest < 0) return choice
    }
    return this.pick(choices)[0]
  }
}

/** The finisher of MurmurHash3: every bit of the key changes half the bits of the result. */
function mixed(key: number): number {
  let bits = Math.imul(key ^ (key >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
