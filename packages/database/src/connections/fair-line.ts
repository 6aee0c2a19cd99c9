// Places that several owners share. One who finds no place waits, and the owners that wait take turns.
//
// A clinic may have a hundred requests in the line: between two of its own, every other clinic that waits has a turn.
//
//   const waiting = line.enter(clinic_id, { timeoutMs, late })   // undefined: entered
//   if (waiting) await waiting                                   // rejects when the wait took too long
//   try { … } finally { line.leave(clinic_id) }                  // once for each entry, never after a rejection

export interface Patience {
  timeoutMs: number
  /** The error of a wait that took longer. */
  late: () => Error
}

export class FairLine {
  readonly #shareOf: (owner: string) => number
  /** Places that each owner has. */
  readonly #taken = new Map<string, number>()
  /** In the order of the turns: an owner that had one goes to the end. */
  readonly #waiting = new Map<string, Set<() => void>>()
  #free: number

  /** @param shareOf the most places that an owner has at once. */
  constructor(places: number, shareOf: (owner: string) => number = () => places) {
    this.#free = places
    this.#shareOf = shareOf
  }

  get free(): number {
    return this.#free
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0
  }

  /** How many wait, of all owners. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, own) => sum + own.size, 0)
  }

  waitingOf(owner: string): number {
    return this.#waiting.get(owner)?.size ?? 0
  }

  /** Enters at once, or returns a promise of having entered. */
  enter(owner: string, patience?: Patience): Promise<void> | undefined {
    if (this.#free === 0 || !this.#mayEnter(owner)) return this.#wait(owner, patience)
    this.#take(owner, 1)
    return undefined
  }

  /** Gives a place back, and then to the next owner that waits and has not its whole share. */
  leave(owner: string): void {
    this.#take(owner, -1)
    for (const [next, own] of this.#waiting) {
      if (!this.#mayEnter(next)) continue
      this.#take(next, 1)
      this.#waiting.delete(next)
      if (own.size > 1) this.#waiting.set(next, own)
      const [admit] = own
      admit?.()
      return
    }
  }

  #mayEnter(owner: string): boolean {
    return (this.#taken.get(owner) ?? 0) < this.#shareOf(owner)
  }

  #take(owner: string, places: 1 | -1): void {
    const taken = (this.#taken.get(owner) ?? 0) + places
    if (taken < 0) throw new Error('a place was given back twice')
    if (taken === 0) this.#taken.delete(owner)
    else this.#taken.set(owner, taken)
    this.#free -= places
  }

  #wait(owner: string, patience: Patience | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(owner) ?? new Set()
      this.#waiting.set(owner, own)
      const timer =
        patience &&
        setTimeout(
          () => {
            own.delete(admit)
            if (own.size === 0) this.#waiting.delete(owner)
            reject(patience.late())
          },
          Math.max(0, patience.timeoutMs),
        )
      const admit = () => {
        own.delete(admit)
        clearTimeout(timer)
        resolve()
      }
      own.add(admit)
    })
  }
}
