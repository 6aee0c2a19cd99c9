// The requests of the clients, and what an answer means for a history.
import type { Entry, Result, WriteKind } from './history.ts'

/** Longer than any answer that the service still gives. */
const PATIENCE_MS = 20_000

/** Where a record is read by its id. Leads have no such path. */
export const reading: Partial<Record<WriteKind, string>> = { payment: '/v1/payments/', message: '/v1/chat/messages/' }

export interface FaultRequest {
  readonly method?: string
  readonly path: string
  readonly key: string
  readonly body?: object
  readonly idempotencyKey?: string
}

/** `status` null: no whole answer came. */
export interface Answer {
  readonly invokedAt: number
  readonly endedAt: number
  readonly status: number | null
  readonly text: string
  readonly requestId: string
}

export type Ask = (request: FaultRequest) => Promise<Answer>

/**
 * @param address waits until the service has one.
 * @param mayBreak whether a caller may get 503 now.
 */
export function asking(address: () => Promise<string>, note: (entry: Entry) => void, mayBreak: boolean): Ask {
  return async ({ method = 'GET', path, key, body, idempotencyKey }) => {
    const url = `${await address()}${path}`
    const invokedAt = performance.now()
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const sent = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(url, sent).catch(() => null)
    const text = (await answer?.text().catch(() => null)) ?? null
    const status = text === null ? null : (answer?.status ?? null)
    const endedAt = performance.now()
    const wrong = wrongIn(status, answer?.headers.get('retry-after') ?? null, mayBreak)
    if (wrong !== null) note({ entry: 'wrong answer', at: endedAt, text: `${method} ${path}: ${wrong}, ${text}` })
    return { invokedAt, endedAt, status, text: text ?? '', requestId: answer?.headers.get('x-request-id') ?? '' }
  }
}

/** Whatever breaks behind it, a caller gets an answer of the contract, or 503 with a time, or its connection ends. */
function wrongIn(status: number | null, retryAfter: string | null, mayBreak: boolean): string | null {
  if (!mayBreak && (status === null || status >= 500))
    return `${status ?? 'no answer'}, but nothing that it needs is broken`
  if (status === 503) return /^[1-9]\d?$/.test(retryAfter ?? '') ? null : `503 with Retry-After ${retryAfter}`
  return status !== null && (status >= 500 || status === 429) ? `${status}` : null
}

/** Returns what an answer says of a change. 409: the same request is under way, or nobody knows yet how it ended. */
export function resultOf({ status }: Answer): Result {
  if (status === null || status === 409 || status >= 500) return 'unknown'
  return status < 300 ? 'ok' : 'fail'
}
