// Counts by name in windows that each begin with the first of a name, for the latest names alone: anybody makes up names.

interface Counted {
  readonly since: number
  readonly number: number
}

export interface RecentCountsBounds {
  readonly windowMs: number
  readonly names: number
}

export class RecentCounts {
  readonly #bounds: RecentCountsBounds
  /** The latest is at the end, and the first one goes when there are too many. */
  readonly #counts = new Map<string, Counted>()

  constructor(bounds: RecentCountsBounds) {
    this.#bounds = bounds
  }

  /** Null: nothing in the window. After a clock has jumped back, a count lies ahead: it is forgotten. */
  of(name: string, now: Date): Counted | null {
    const counted = this.#counts.get(name)
    const age = counted === undefined ? -1 : now.getTime() - counted.since
    return counted !== undefined && age >= 0 && age < this.#bounds.windowMs ? counted : null
  }

  add(name: string, now: Date): void {
    const { since, number } = this.of(name, now) ?? { since: now.getTime(), number: 0 }
    this.#counts.delete(name)
    this.#counts.set(name, { since, number: number + 1 })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > this.#bounds.names && oldest !== undefined) this.#counts.delete(oldest)
  }
}
