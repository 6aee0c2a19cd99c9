// Reads a body as it arrives and ends a sender that is too slow, so that it does not hold its place for nothing.
import type { IncomingMessage } from 'node:http'
import { Problem } from '@clinic-data/contract'

/** A body is cut off if fewer bytes than this arrive while the server waits for it this long in all. */
export interface Pace {
  bytes: number
  withinMs: number
}

/** 16 KiB a second: a slow mobile network is faster, and 100 MiB then take less than two hours. */
const PACE: Pace = { bytes: 160 * 1024, withinMs: 10_000 }

/** The same in words. */
export const LEAST_SPEED = `${PACE.bytes / 1024} KiB in any ${PACE.withinMs / 1000} seconds`

/**
 * Does not wait for the rest of an unread body: the answer is sent first.
 *
 * @throws Problem 408 when the sender falls behind.
 */
export async function* arriving(request: IncomingMessage, pace = PACE): AsyncGenerator<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  let came = 0
  let left = pace.withinMs
  try {
    for (;;) {
      const askedAt = performance.now()
      const next = await within(left, chunks.next())
      if (next.done) return
      came += next.value.byteLength
      left -= performance.now() - askedAt
      if (came >= pace.bytes) [came, left] = [0, pace.withinMs]
      yield next.value
    }
  } finally {
    // The iterator may still wait for the sender, but nobody reads it any more.
    chunks.return?.().catch(() => undefined)
  }
}

async function within<T>(ms: number, coming: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), Math.max(0, ms))
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(): Problem {
  // The rest of a small body may be less than that.
  const detail = `The body stopped or came too slowly: send it whole within ${PACE.withinMs / 1000} seconds, or at least ${LEAST_SPEED}. Nothing was stored.`
  return new Problem('request-timeout', detail)
}
