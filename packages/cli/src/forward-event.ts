// An event on its way to an endpoint under development: signed and sent as a real delivery is.
import { createHmac } from 'node:crypto'
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
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return told(response.status, null)
  } catch (error) {
    signal.throwIfAborted()
    return told(null, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'timeout'
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException
  return code ?? 'failed'
}
