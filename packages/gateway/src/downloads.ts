// How files are sent: a few at once to each key, and to nobody more slowly than a least speed. A file that is being sent holds a
// connection to the backend where that is another process, and of those there are few for all clinics.
//
//   const leave = downloads.enter(file)
//   reply.send(keepingPace(stream))       // and leave() when it closes
import { Readable } from 'node:stream'
import { type FileReference, Problem } from '@clinic-data/contract'

/** A player asks for two or three ranges at once; several users of one integration listen at the same time. */
const AT_ONCE = { file: 4, key: 8 } as const

/** So many bytes are taken within so much time that is spent waiting for the reader. */
export interface Pace {
  bytes: number
  withinMs: number
}

/** 70 kbit/s: as fast as a recording of a call is played. */
const PACE: Pace = { bytes: 256 * 1024, withinMs: 30_000 }

export class Downloads {
  readonly #running = new Map<string, number>()

  /**
   * @returns what ends it, to be called once.
   * @throws Problem `service-unavailable` when the key, or the link of this file, has enough of them.
   */
  enter({ clinic_id, key_id, file_id }: FileReference): () => void {
    const key = `${clinic_id} ${key_id}`
    const file = `${key} ${file_id}`
    if (this.#count(file) >= AT_ONCE.file) throw tooMany(`This file is being downloaded ${AT_ONCE.file} times`)
    if (this.#count(key) >= AT_ONCE.key) throw tooMany(`${AT_ONCE.key} files of this key are being downloaded`)
    for (const id of [key, file]) this.#running.set(id, this.#count(id) + 1)
    return () => {
      for (const id of [key, file]) {
        if (this.#count(id) > 1) this.#running.set(id, this.#count(id) - 1)
        else this.#running.delete(id)
      }
    }
  }

  #count(id: string): number {
    return this.#running.get(id) ?? 0
  }
}

function tooMany(what: string): Problem {
  return new Problem('service-unavailable', `${what} already. Let one end first.`, { retry_after: 1 })
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
