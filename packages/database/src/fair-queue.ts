// A queue shared by several owners. The owners take turns, and each owner's own items keep their order.
//
// A clinic that sends a hundred requests at once waits with all of them. Yet between any two of its own, every other waiting clinic
// gets one turn.

export class FairQueue<T> {
  /** In the order of turns: an owner that had one goes to the end. */
  readonly #owners = new Map<string, Set<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of items that one owner has waiting. */
  sizeOf(owner: string): number {
    return this.#owners.get(owner)?.size ?? 0
  }

  push(owner: string, item: T): void {
    const own = this.#owners.get(owner)
    if (own === undefined) this.#owners.set(owner, new Set([item]))
    else own.add(item)
    this.#size += 1
  }

  /** Takes the next item whose owner may run now. */
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

  /** Removes an item that no longer waits. */
  remove(owner: string, item: T): void {
    const own = this.#owners.get(owner)
    if (own?.delete(item) !== true) return
    this.#size -= 1
    if (own.size === 0) this.#owners.delete(owner)
  }
}
