// Forwards an event to an endpoint under development, signed and sent like a real delivery.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import { agentFor } from './connection/proxy.ts'
import type { LiveEvent } from './live-events.ts'

/** The same time limit as a real delivery. */
const FORWARD_TIMEOUT_MS = 15_000

export interface Forwarded {
  /** The status of the answer. Null when none came. */
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
 * The secret that signs forwarded events. It is derived from the key, or from a seed beside a login's tokens, so it stays the same from one `sc listen` to the next and is
 * stored nowhere. It gives no access, and the key cannot be computed from it.
 */
export function listenSecret(seed: string): string {
  return `whsec_${createHmac('sha256', seed).update('sc listen').digest('base64')}`
}

/** Sends one POST. Follows no redirect and does not repeat. @throws only the signal's reason */
export async function forwardEvent(event: LiveEvent, { url, secret, signal }: Target): Promise<Forwarded> {
  const body = JSON.stringify(event)
  const signed = deliveryHeaders({ secret, body, event_id: event.id, event_type: event.type, now: new Date() })
  const startedAt = performance.now()
  const forwarded = (status: number | null, error: string | null): Forwarded => ({
    status,
    duration_ms: Math.round(performance.now() - startedAt),
    error,
  })
  try {
    const headers = { 'content-type': 'application/json; charset=utf-8', ...signed }
    const ends = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)])
    return forwarded(await post(url, { headers, body, signal: ends }), null)
  } catch (error) {
    signal.throwIfAborted()
    return forwarded(null, reasonOf(error))
  }
}

interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** Returns the answer's status and discards its body. Not `fetch`: it refuses port 6000, which development endpoints use. */
async function post(url: string, { headers, body, signal }: Post): Promise<number> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const agent = await agentFor(new URL(url))
  const clientRequest = request(url, { method: 'POST', headers, signal, ...(agent && { agent }) })
  clientRequest.end(body)
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  for (const either of [clientRequest, response]) either.on('error', () => undefined)
  response.resume()
  return response.statusCode ?? 0
}

function reasonOf(error: unknown): string {
  const { name, code, cause } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || (cause as Error | undefined)?.name === 'TimeoutError') return 'timeout'
  return typeof code === 'string' ? code : 'failed'
}
