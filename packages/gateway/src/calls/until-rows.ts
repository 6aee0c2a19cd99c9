// `wait` of a feed: while there is nothing to tell, the backend is asked again, from the place where its answer ended.
//
// Between two questions nothing is held: no place among the key's requests, no call of the backend, no connection to the
// database. A backend knows nothing of waiting.
import { setTimeout as delay } from 'node:timers/promises'
import type { AnyAnswer } from '../answers/write-output.ts'
import type { Input } from '../requests/read-input.ts'

/** How much later than it happened an event may be told: each who waits asks this often, in less than a millisecond of work. */
const ASK_EVERY_MS = 250

export interface Waiting {
  /** Fires when nobody waits any more: the client has gone, or the process stops. */
  readonly signal?: AbortSignal
  /** Throws when the key is no longer good: what happens after its revocation is not told to it. */
  readonly checkKey?: () => unknown
}

/** The first answer with rows; or the last one when `wait` seconds have gone by, or nobody waits any more. */
export async function untilRows(
  input: Input,
  { signal, checkKey }: Waiting,
  ask: (input: Input) => Promise<AnyAnswer | null>,
): Promise<AnyAnswer | null> {
  const { wait = 0 } = input.query as { wait?: number }
  const until = performance.now() + wait * 1000
  let answer = await ask(input)
  while (answer?.resume && isEmpty(answer) && performance.now() < until && !signal?.aborted) {
    await delay(Math.min(ASK_EVERY_MS, until - performance.now()), undefined, { signal }).catch(() => undefined)
    if (signal?.aborted) return answer
    await checkKey?.()
    answer = await ask({ ...input, query: { ...input.query, after: answer.resume } })
  }
  return answer
}

function isEmpty({ data, next }: AnyAnswer): boolean {
  return !next && Array.isArray(data) && data.length === 0
}
