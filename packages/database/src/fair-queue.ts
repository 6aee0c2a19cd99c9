// Those who wait, of several owners: the owners take turns, and each owner's own keep their order.
//
// A clinic that sends a hundred requests at once stands in the line with all of them, and yet before each of its own but the
// first comes one of every other clinic that waits.

export class FairQueue<T> {
  /** In the order of the turns: whoever had one goes to the end. */
  readonly #owners = new Map<string, Set<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many of one owner wait. */
  sizeOf(owner: string): number {
    return this.#owners.get(owner)?.size ?? 0
  }

  push(owner: string, item: T): void {
    const own = this.#owners.get(owner)
    if (own === undefined) this.#owners.set(owner, new Set([item]))
    else own.add(item)
    this.#size += 1
  }

  /** The next one of those whose owner may have a turn now. */
  shift(mayRun: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, own] of this.#owners) {
      if (!mayRun(owner)) continue
      const [next] = own
      if (next === undefined) throw new Error('an owner without a waiter stands in the line')
      this.#owners.delete(owner)
      this.#size -= 1
      own.delete(next)
      if (own.size > 0) this.#owners.set(owner, own)
      return next
    }
    return undefined
  }

  /** For one that waits no longer. */
  remove(owner: string, item: T): void {
    const own = this.#owners.get(owner)
    if (own?.delete(item) !== true) return
    this.#size -= 1
    if (own.size === 0) this.#owners.delete(owner)
  }
}
