// Answers requests that take too long with 503, and with 408 where the client's own body is late. One timer looks at all of them: a timer
// for each would cost every request a noticeable part of its time.
import { Problem } from '@clinic-data/contract'
import type { FastifyReply } from 'fastify'

/** A request's longest time in the gateway. The backend has two seconds less, a statement one second less again. */
export const DEADLINE_MS = 10_000

/** How much later than its deadline a request may be answered, as a part of it. */
const LOOKS = 10

/** A request that is under way. */
export interface Watched {
  readonly reply: FastifyReply
  /** By the monotonic clock. */
  readonly startedAt: number
  /** Where it is in the list. Beyond its end when nobody watches any more. */
  place: number
  /** Refuses a body that is still arriving. Null while none is waited for. */
  refuseBody: (() => void) | null
}

export class Deadline {
  readonly #ms: number
  readonly #timer: NodeJS.Timeout
  /**
   * In any order. Not a Map: the tables that it has outgrown lead to the newer ones, and one of them in the old part of the heap
   * would keep every later request in memory until the next full collection.
   */
  readonly #running: Watched[] = []

  constructor(ms = DEADLINE_MS) {
    this.#ms = ms
    this.#timer = setInterval(() => this.#look(), ms / LOOKS).unref()
  }

  start(reply: FastifyReply, startedAt: number): Watched {
    const watched = { reply, startedAt, place: this.#running.length, refuseBody: null }
    this.#running.push(watched)
    return watched
  }

  /**
   * Waits for a request's body. The refusal takes the way of any other, so it stands in the audit log.
   *
   * @throws Problem 408 at the deadline.
   */
  async arrival<T>(watched: Watched, reading: Promise<T>): Promise<T> {
    const late = new Promise<never>((_, reject) => {
      watched.refuseBody = () => reject(bodyIsLate(this.#ms))
    })
    try {
      return await Promise.race([reading, late])
    } finally {
      watched.refuseBody = null
    }
  }

  /** The last one takes its place. */
  end(watched: Watched): void {
    if (this.#running[watched.place] !== watched) return
    const last = this.#running.pop()
    if (last === undefined || last === watched) return
    last.place = watched.place
    this.#running[last.place] = last
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    for (const watched of this.#running.filter(({ startedAt }) => now - startedAt >= this.#ms)) {
      const { reply, refuseBody } = watched
      if (refuseBody !== null) {
        // The next look ends it if this refusal has not.
        refuseBody()
        continue
      }
      this.end(watched)
      // The client may have gone, or an answer be on its way.
      if (reply.raw.destroyed || reply.raw.writableEnded) continue
      // Half an answer cannot be taken back.
      if (reply.raw.headersSent) reply.raw.destroy()
      else if (!reply.sent) reply.send(tookTooLong())
    }
  }
}

function tookTooLong(): Problem {
  return new Problem('service-unavailable', 'The answer took too long. Retry with exponential backoff.', {
    retry_after: 1,
  })
}

function bodyIsLate(ms: number): Problem {
  const detail = `The body did not arrive whole within ${ms / 1000} seconds. Nothing was stored. Send the request again.`
  return new Problem('request-timeout', detail)
}
