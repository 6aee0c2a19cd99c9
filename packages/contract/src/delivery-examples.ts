// Deliveries in other states than the resource's own example: a waiting one, a failed one, one requested by hand.
import { Delivery } from './resources/webhook.ts'
import { exampleOf } from './schema/schema.ts'
import { zonedInstant } from './values/zoned-instant.ts'

const delivery = exampleOf(Delivery)
const ZONE = 'Asia/Jerusalem'

/** The attempts at an endpoint that is down, in seconds from the event: the whole schedule. */
const ATTEMPTS_AT = [0, 5, 35, 155, 755, 2_555, 6_155, 13_355, 27_755, 49_355, 85_355]

const refused = { response_status: 503, error: 'http_5xx' }
const attempts = ATTEMPTS_AT.map((seconds, i) => ({
  number: i + 1,
  trigger: 'automatic' as const,
  attempted_at: zonedInstant(new Date(Date.parse(delivery.created_at) + seconds * 1000 + 57), ZONE, 3),
  duration_ms: 121,
  ...refused,
}))

export const waitingDelivery: typeof delivery = {
  ...delivery,
  status: 'pending',
  attempt_count: 0,
  attempts: [],
  delivered_at: null,
  last_attempt_at: null,
  response_status: null,
  next_attempt_at: delivery.created_at,
}

export const failedDelivery: typeof delivery = {
  ...delivery,
  ...refused,
  status: 'failed',
  attempt_count: attempts.length,
  attempts,
  delivered_at: null,
  last_attempt_at: attempts.at(-1)?.attempted_at ?? null,
}

export const retriedDelivery: typeof delivery = {
  ...failedDelivery,
  status: 'pending',
  next_attempt_at: '2026-07-13T10:05:00.000+03:00',
}
