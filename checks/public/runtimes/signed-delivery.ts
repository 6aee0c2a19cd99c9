// A delivery that the service's own code signs, and the same one while its secret is rotated.
import { deliveryHeaders, newWebhookSecret } from '@clinic-data/contract/webhook-signature'

const [secret, former] = [newWebhookSecret(), newWebhookSecret()]
const event = { id: 'evt5512', type: 'patient.updated', created_at: '2026-07-12T09:30:00.123+03:00' }
const body = JSON.stringify({ ...event, data: { id: 'p1042', first_name: 'דוד 🙂' } })
const about = { secret, body, event_id: event.id, event_type: event.type, now: new Date('2026-07-12T06:30:05.900Z') }

export const signedDelivery = {
  secret,
  body,
  headers: deliveryHeaders(about),
  former: { secret: former, headers: deliveryHeaders({ ...about, former_secrets: [former] }) },
}
