// How files are sent: a few at once to each key, and to nobody more slowly than a least speed. A file that is being sent holds a
// connection to the backend where that is another process, and of those there are few for all clinics.
//
//   const leave = await downloads.enter(file, signal)
//   reply.send(keepingPace(stream))       // and leave() when it closes
import { Readable } from 'node:stream'
import type { FileReference } from '@clinic-data/contract'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

/** A player asks for two or three ranges at once; several users of one integration listen at the same time. */
const AT_ONCE = { file: 4, key: 8 } as const

/** Those of one key that wait: a socket each, and nothing else. */
const MOST_WAITING = 50

/** So many bytes are taken within so much time that is spent waiting for the reader. */
export interface Pace {
  bytes: number
  withinMs: number
}

/** 70 kbit/s: as fast as a recording of a call is played. */
const PACE: Pace = { bytes: 256 * 1024, withinMs: 30_000 }

export class Downloads {
  readonly #ofFile = new ConcurrencyLimit({ maxRunning: AT_ONCE.file, maxWaiting: MOST_WAITING })
  readonly #ofKey = new ConcurrencyLimit({ maxRunning: AT_ONCE.key, maxWaiting: MOST_WAITING })

  /**
   * Waits for a place where the key has all of its own, or those of this file.
   *
   * @returns what gives it back, to be called once.
   * @throws Problem `service-unavailable` when none became free in time; the signal's reason when the client has gone.
   */
  async enter({ clinic_id, key_id, file_id }: FileReference, signal?: AbortSignal): Promise<() => void> {
    const key = `${clinic_id} ${key_id}`
    const file = `${key} ${file_id}`
    await this.#ofFile.enter(file, signal)
    try {
      await this.#ofKey.enter(key, signal)
    } catch (error) {
      this.#ofFile.leave(file)
      throw error
    }
    return () => {
      this.#ofKey.leave(key)
      this.#ofFile.leave(file)
    }
  }
}

/** The same bytes; broken off when the reader falls behind. The time that the source takes is not the reader's. */
export function keepingPace(source: Readable, pace = PACE): Readable {
  const sent = Readable.from(chunks(), { objectMode: false })
  // A reader that has gone before the first byte starts nothing that would end the source.
  sent.once('close', () => source.destroy())
  return sent

  async function* chunks() {
    let taken = 0
    let left = pace.withinMs
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      const givenAt = performance.now()
      const late = setTimeout(() => sent.destroy(new Error('the file was read too slowly')), left)
      try {
        yield chunk
      } finally {
        clearTimeout(late)
      }
      taken += chunk.byteLength
      left -= performance.now() - givenAt
      if (taken >= pace.bytes) [taken, left] = [0, pace.withinMs]
    }
  }
}
