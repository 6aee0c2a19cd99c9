// A signed delivery, and its verification with changes.
import assert from 'node:assert/strict'
import { deliveryHeaders, newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { type ReceivedWebhook, verifyWebhook, type WebhookFault, WebhookVerificationError } from '../src/client.ts'

export const secret = newWebhookSecret()
export const now = new Date('2026-07-12T06:30:05.900Z')
export const [event_id, event_type] = ['evt5512', 'patient.updated'] as const

export const body =
  '{"id":"evt5512","type":"patient.updated","created_at":"2026-07-12T09:30:00.123+03:00","data":{"id":"p1042","first_name":"דוד 🙂"}}'

export const sign = (changes: Partial<Parameters<typeof deliveryHeaders>[0]> = {}): Record<string, string> =>
  deliveryHeaders({ secret, body, event_id, event_type, now, ...changes })

export const verify = (changes: Partial<ReceivedWebhook> = {}) =>
  verifyWebhook({ secret, headers: sign(), body, now, ...changes })

export function refuses(reason: WebhookFault, changes: Partial<ReceivedWebhook>, message?: string): void {
  assert.throws(
    () => verify(changes),
    (error) => error instanceof WebhookVerificationError && error.reason === reason,
    message,
  )
}

export const only = (part: 'x-service-' | 'webhook-', headers = sign()) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase().startsWith(part)))

export const without = (name: string) => Object.fromEntries(Object.entries(sign()).filter(([other]) => other !== name))
export const event: unknown = JSON.parse(body)
