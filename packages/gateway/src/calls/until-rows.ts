// Implements `wait` of a feed: while there are no rows, asks the backend again from the place where its last answer ended.
//
// Between two requests nothing is held: no place among the key's requests, no call of the backend, no connection to the database. A
// backend does not know about waiting (docs/decisions/0015).
import { setTimeout as delay } from 'node:timers/promises'
import type { AnyAnswer, Operation } from '@clinic-data/contract'
import type { Input } from '../requests/read-input.ts'

/** The longest delay of an event. Each waiting client asks this often, with less than a millisecond of work. */
const ASK_EVERY_MS = 250

export interface Waiting {
  /** Fires when nobody waits any more: the client has gone, or the process stops. */
  readonly signal?: AbortSignal
  /** Throws when the key is no longer valid, so that it learns nothing that happens after its revocation. */
  readonly checkKey?: () => unknown
}

/** Whether the client may ask the operation to wait: then how long it takes says nothing about the service. */
export function mayWait({ query }: Operation): boolean {
  return 'wait' in query.properties
}

/** Returns the first answer with rows, or the last one when `wait` seconds have passed or nobody waits any more. */
export async function untilRows(
  input: Input,
  { signal, checkKey }: Waiting,
  ask: (input: Input) => Promise<AnyAnswer | null>,
): Promise<AnyAnswer | null> {
  const { wait = 0 } = input.query as { wait?: number }
  const until = performance.now() + wait * 1000
  let answer = await ask(input)
  while (answer?.resume && isEmpty(answer) && !signal?.aborted) {
    const left = until - performance.now()
    if (left <= 0) break
    await delay(Math.min(ASK_EVERY_MS, left), undefined, { signal }).catch(() => undefined)
    if (signal?.aborted) return answer
    await checkKey?.()
    answer = await ask({ ...input, query: { ...input.query, after: answer.resume } })
  }
  return answer
}

function isEmpty({ data, next }: AnyAnswer): boolean {
  return !next && Array.isArray(data) && data.length === 0
}
