// Deliveries that the service's own code signs, for the tests in Python.
import { deliveryHeaders, newWebhookSecret } from '@clinic-data/contract/webhook-signature'

const secret = newWebhookSecret()
const former = newWebhookSecret()
const now = new Date('2026-07-12T06:30:05.900Z')
const body =
  '{"id":"evt5512","type":"patient.updated","created_at":"2026-07-12T09:30:00.123+03:00","data":{"id":"p1042","first_name":"דוד 🙂"}}'
const later =
  '{"id":"evt5512","type":"robot.built","created_at":"2026-07-12T09:30:00.123+03:00","data":{"id":"r1"},"new":1}'

/** Signed, and no events. */
const MALFORMED = ['', 'null', '[]', '7', '{"id":"evt5512"}', body.replace('"evt5512"', '5'), body.slice(0, -1)]

function signed(text: string, event_type = 'patient.updated') {
  return { body: text, headers: deliveryHeaders({ secret, body: text, event_id: 'evt5512', event_type, now }) }
}

export const signedDeliveries = {
  secret,
  ...signed(body),
  former: {
    secret: former,
    headers: deliveryHeaders({
      secret,
      former_secrets: [former],
      body,
      event_id: 'evt5512',
      event_type: 'patient.updated',
      now,
    }),
  },
  later: signed(later, 'robot.built'),
  malformed: MALFORMED.map((text) => signed(text)),
}
