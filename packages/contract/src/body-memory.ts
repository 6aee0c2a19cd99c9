// The bodies of requests that are read whole: so many bytes of them are in memory at once, and no more. Where there is no room for
// another byte, the body that has been arriving longest gives way: one that stalls holds its place for nobody.
//
//   await memory.hold(chunks, async (counted) => parse(await collect(counted)))
import { Problem } from './problems.ts'

interface Body {
  /** Counted: those that have come, or those announced while they are more. */
  bytes: number
  /** Called when another one needs the room. */
  giveWay: () => void
}

export class BodyMemory {
  readonly #most: number
  #held = 0
  /** Bodies that still arrive, the longest under way first. */
  readonly #arriving = new Set<Body>()

  /** @param most in bytes: at least what one body may have. */
  constructor(most: number) {
    this.#most = most
  }

  /** How many bytes are held now. */
  get held(): number {
    return this.#held
  }

  /**
   * Passes a body's bytes on and counts them until `use` is done.
   *
   * @param announced so many bytes are counted before the first has come.
   * @throws (the bytes) Problem 503 when the body must give way.
   */
  async hold<T>(
    chunks: AsyncIterable<Uint8Array>,
    use: (counted: AsyncIterable<Uint8Array>) => Promise<T>,
    announced = 0,
  ): Promise<T> {
    const body: Body = { bytes: 0, giveWay: () => undefined }
    const gaveWay = new Promise<never>((_, reject) => {
      body.giveWay = () => reject(noRoom())
    })
    // It may happen while nobody waits for the next bytes.
    gaveWay.catch(() => undefined)
    this.#arriving.add(body)
    try {
      this.#count(body, announced)
      return await use(this.#counted(body, chunks, gaveWay))
    } finally {
      this.#arriving.delete(body)
      this.#release(body)
    }
  }

  async *#counted(
    body: Body,
    chunks: AsyncIterable<Uint8Array>,
    gaveWay: Promise<never>,
  ): AsyncGenerator<Uint8Array, void> {
    const iterator = chunks[Symbol.asyncIterator]()
    let came = 0
    try {
      for (;;) {
        const next = await Promise.race([gaveWay, iterator.next()])
        if (next.done) break
        came += next.value.byteLength
        this.#count(body, came)
        yield next.value
      }
      this.#arriving.delete(body)
    } finally {
      // It may still wait for the sender: nobody listens to it any more.
      iterator.return?.().catch(() => undefined)
    }
  }

  /** Makes room for what a body has become. */
  #count(body: Body, size: number): void {
    const bytes = Math.max(0, size - body.bytes)
    while (this.#held + bytes > this.#most) {
      const [longest = body] = this.#arriving
      this.#arriving.delete(longest)
      if (longest === body) throw noRoom()
      this.#release(longest)
      longest.giveWay()
    }
    body.bytes += bytes
    this.#held += bytes
  }

  #release(body: Body): void {
    this.#held -= body.bytes
    body.bytes = 0
  }
}

function noRoom(): Problem {
  return new Problem('service-unavailable', 'Too many large requests at once. Send the same again in a second.', {
    retry_after: 1,
  })
}
