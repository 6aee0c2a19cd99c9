// Answers requests that take too long with 503. One timer looks at all of them: a timer for each would cost every request a
// noticeable part of its time.
import { Problem } from '@clinic-data/contract'
import type { FastifyReply } from 'fastify'

/** How much later than its deadline a request may be answered, as a part of it. */
const LOOKS = 10

export class Deadline {
  readonly #ms: number
  readonly #timer: NodeJS.Timeout
  /** When each request began, by the monotonic clock. The oldest is first. */
  readonly #running = new Map<FastifyReply, number>()

  constructor(ms: number) {
    this.#ms = ms
    this.#timer = setInterval(() => this.#look(), ms / LOOKS).unref()
  }

  start(reply: FastifyReply, now: number): void {
    this.#running.set(reply, now)
  }

  end(reply: FastifyReply): void {
    this.#running.delete(reply)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    for (const [reply, startedAt] of this.#running) {
      if (now - startedAt < this.#ms) return
      this.#running.delete(reply)
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
