// The rate limit of a process whose admissions another process counts, so that several gateways of one machine share each limit.
//
//   const limit = new RemoteRateLimit((takes) => link.ask('take', takes))   // here
//   answer('take', (takes) => takeAll(new MemoryRateLimit(), takes))       // there
import type { RateLimit, Taken } from './rate-limit.ts'

/** The arguments of `RateLimit.take`. */
export type Take = readonly [id: string, limit: number]

interface Group {
  readonly takes: Take[]
  readonly answered: Promise<readonly Taken[]>
}

export class RemoteRateLimit implements RateLimit {
  readonly #ask: (takes: readonly Take[]) => Promise<readonly Taken[]>
  /** Not sent yet. */
  #group: Group | null = null

  /** @param ask resolves with one result for each take, in their order. */
  constructor(ask: (takes: readonly Take[]) => Promise<readonly Taken[]>) {
    this.#ask = ask
  }

  /** Asks together with the other requests of this turn of the event loop: a message costs more than what it holds. */
  async take(id: string, limit: number): Promise<Taken> {
    this.#group ??= this.#newGroup()
    const place = this.#group.takes.push([id, limit]) - 1
    const taken = (await this.#group.answered)[place]
    if (taken === undefined) throw new Error('a request of a key was not counted')
    return taken
  }

  #newGroup(): Group {
    const takes: Take[] = []
    const { promise, resolve } = Promise.withResolvers<readonly Taken[]>()
    setImmediate(() => {
      this.#group = null
      resolve(this.#ask(takes))
    })
    return { takes, answered: promise }
  }
}

/** Counts the requests of a group, in their order. */
export function takeAll(limit: RateLimit, takes: readonly Take[]): Promise<readonly Taken[]> {
  return Promise.all(takes.map(([id, most]) => limit.take(id, most)))
}
