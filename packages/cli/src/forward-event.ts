// An event on its way to an endpoint under development: signed and sent as a real delivery is.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import type { LiveEvent } from './live-events.ts'

/** As long as a real delivery waits. */
export const FORWARD_TIMEOUT_MS = 15_000

export interface Forwarded {
  /** The status of the answer; null when none came. */
  readonly status: number | null
  readonly duration_ms: number
  readonly error: string | null
}

export interface Target {
  readonly url: string
  readonly secret: string
  readonly signal: AbortSignal
}

/**
 * The secret that forwarded events are signed with: derived from the key, so that it stays the same from one `sc listen` to the
 * next and is stored nowhere. It opens nothing, and the key cannot be got from it.
 */
export function listenSecret(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('sc listen').digest('base64')}`
}

/** One POST, followed nowhere and not repeated. @throws the signal's reason, nothing else */
export async function forwardEvent(event: LiveEvent, { url, secret, signal }: Target): Promise<Forwarded> {
  const body = JSON.stringify(event)
  const signed = deliveryHeaders({ secret, body, event_id: event.id, event_type: event.type, now: new Date() })
  const startedAt = performance.now()
  const told = (status: number | null, error: string | null): Forwarded => ({
    status,
    duration_ms: Math.round(performance.now() - startedAt),
    error,
  })
  try {
    const headers = { 'content-type': 'application/json; charset=utf-8', ...signed }
    const ends = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)])
    return told(await post(url, { headers, body, signal: ends }), null)
  } catch (error) {
    signal.throwIfAborted()
    return told(null, reasonOf(error))
  }
}

interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** The status of the answer, whose body nobody reads. Not `fetch`, which goes to no port 6000: endpoints under development do. */
async function post(url: string, { headers, body, signal }: Post): Promise<number> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const asked = request(url, { method: 'POST', headers, signal })
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  for (const either of [asked, response]) either.on('error', () => undefined)
  response.resume()
  return response.statusCode ?? 0
}

function reasonOf(error: unknown): string {
  const { name, code, cause } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || (cause as Error | undefined)?.name === 'TimeoutError') return 'timeout'
  return typeof code === 'string' ? code : 'failed'
}
