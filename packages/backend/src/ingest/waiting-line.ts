// At most so many at once; the others wait in their order, and when too many wait the next is sent away.
import { Problem } from '@clinic-data/contract'

export class WaitingLine {
  readonly #waiting: (() => void)[] = []
  readonly #longest: number
  #free: number

  constructor({ atOnce, longest }: { atOnce: number; longest: number }) {
    this.#free = atOnce
    this.#longest = longest
  }

  /** @throws Problem `service-unavailable` when the line is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#wait()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.length >= this.#longest) {
      throw new Problem('service-unavailable', 'Too many requests wait. Send the same again in a second.')
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
