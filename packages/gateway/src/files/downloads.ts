// Limits downloads: a few at once for each key, and none below a minimum speed. A running download may hold a connection to a
// backend process, and all clinics share few of those.
//
//   const leave = await downloads.enter(file, signal)
//   reply.send(keepingPace(stream))       // and leave() when it closes
import { Readable } from 'node:stream'
import type { FileReference } from '@clinic-data/contract'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

/** A player requests two or three ranges at once, and several users of one integration listen at the same time. */
const AT_ONCE = { file: 4, key: 8 } as const

/** The waiting downloads of one key. Each costs only a socket. */
const MOST_WAITING = 50

/** A reader is cut off if it takes fewer bytes than this while the server waits for it this long in all. */
export interface Pace {
  bytes: number
  withinMs: number
}

/** 70 kbit/s: the speed at which a recording is played. */
const PACE: Pace = { bytes: 256 * 1024, withinMs: 30_000 }

export class Downloads {
  readonly #ofFile = new ConcurrencyLimit({ maxRunning: AT_ONCE.file, maxWaiting: MOST_WAITING })
  readonly #ofKey = new ConcurrencyLimit({ maxRunning: AT_ONCE.key, maxWaiting: MOST_WAITING })

  /**
   * Waits for a place when the key uses all of its own, or all for this file.
   *
   * @returns a function that returns the place. Call it once.
   * @throws Problem `service-unavailable` when no place became free in time; the signal's reason when the client has gone.
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

/** Passes the bytes through, and breaks off when the reader falls behind. Time that the source takes does not count. */
export function keepingPace(source: Readable, pace = PACE): Readable {
  const sent = Readable.from(chunks(), { objectMode: false })
  // The chunks do not end while they wait for the source: when the reader has gone, the source ends first.
  const end = sent._destroy.bind(sent)
  sent._destroy = (error, done) => {
    source.destroy()
    end(error, done)
  }
  return sent

  async function* chunks() {
    let taken = 0
    let left = pace.withinMs
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      const givenAt = performance.now()
      const late = setTimeout(() => sent.destroy(new Error('the file was read too slowly')), Math.max(0, left))
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
