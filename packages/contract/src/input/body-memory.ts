// Limits the memory for request bodies that are read whole. When there is no room for another byte, the body that has been arriving
// longest is dropped, so that a stalled one delays no other.
//
//   await memory.hold(chunks, async (counted) => parse(await collect(counted)))
import { Problem } from '../problems.ts'

interface Body {
  /** The counted bytes: those received, or the announced ones while they are more. */
  bytes: number
  /** Called when another body needs the room. */
  giveWay: () => void
}

export class BodyMemory {
  readonly #most: number
  #held = 0
  /** Bodies that are still arriving, the oldest first. */
  readonly #arriving = new Set<Body>()

  /** @param most in bytes, at least the size of the largest body. */
  constructor(most: number) {
    this.#most = most
  }

  /** The number of bytes held now. */
  get held(): number {
    return this.#held
  }

  /**
   * Passes a body's bytes on and counts them until `use` is done.
   *
   * @param announced this many bytes are counted before the first has arrived.
   * @throws (the bytes) Problem 503 when the body is dropped.
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
    // It may be dropped while nobody waits for the next bytes.
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
      // The iterator may still wait for the sender, but nobody reads it any more.
      iterator.return?.().catch(() => undefined)
    }
  }

  /** Makes room for the body's new size. */
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
