// Tests what is told of a failure: its error and its status are of one attempt, in a delivery and in how its subscription does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask } from '@clinic-data/testing/grounds/ask'
import { webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { claimDue } from '@clinic-data/webhooks/engine/claim'
import { complete } from '@clinic-data/webhooks/engine/complete'
import { subscriptionHealth } from '@clinic-data/webhooks/subscriptions/health'

const ground = await webhookGround()
const { app, backend, now } = ground

const REFUSED = { error: 'http_5xx', response_status: 503 }
const SLOW = { error: 'timeout', response_status: null }
const DELIVERED = { error: null, response_status: 204 }
type End = typeof REFUSED | typeof SLOW | typeof DELIVERED

const endOf = ({ error, response_status }: { error: string | null; response_status: number | null }) => ({
  error,
  response_status,
})

/** Attempts as many deliveries as are due, at once. They end as given. */
async function attempt({ clinic_id }: Clinic, ...ends: readonly End[]): Promise<void> {
  const { claimed } = await claimDue(app, { clinic_id, most: 8, retries: 64, lease_id: 'lease', now: now() })
  const common = { started_at: now(), duration_ms: 12, retry_after_seconds: null }
  const outcomes = ends.flatMap((end, at) =>
    claimed.slice(at, at + 1).map((one) => ({ claimed: one, ...common, ...end })),
  )
  assert.deepEqual([claimed.length, outcomes.length], [ends.length, ends.length])
  await complete(app, clinic_id, outcomes, { now: now(), random: () => 0 })
}

async function lastFailure(clinic: Clinic) {
  const [health] = await subscriptionHealth(app, clinic, now())
  return endOf(health?.last_failure ?? assert.fail('there is no failure'))
}

test('the error and the status that are told are of one attempt, of a delivery and of the last failure', async () => {
  ground.at('2026-07-12T06:30:00Z')
  const clinic = await ground.newClinic()
  const id = await ground.subscribe(clinic)
  await ground.happen(clinic, 'patient.created')
  await attempt(clinic, REFUSED)
  assert.deepEqual(await lastFailure(clinic), REFUSED)

  // In the same hour.
  ground.at('2026-07-12T06:50:00Z')
  await attempt(clinic, SLOW)
  assert.deepEqual(await lastFailure(clinic), SLOW)
  const [delivery] = (await ask(backend, clinic, 'webhooks.deliveries.list', { params: { id } })).data
  assert.ok(delivery)
  assert.deepEqual(endOf(delivery), SLOW)
  assert.deepEqual(delivery.attempts.map(endOf), [REFUSED, SLOW])

  // Both are counted at once.
  ground.at('2026-07-12T07:30:00Z')
  await ground.happen(clinic, 'patient.updated')
  await attempt(clinic, REFUSED, SLOW)
  assert.deepEqual(await lastFailure(clinic), SLOW)
})

test('what arrives after a failure in the same hour leaves the failure as it was told', async () => {
  ground.at('2026-07-12T06:30:00Z')
  const clinic = await ground.newClinic()
  await ground.subscribe(clinic)
  await ground.happen(clinic, 'patient.created')
  await attempt(clinic, REFUSED)
  ground.at('2026-07-12T06:50:00Z')
  await attempt(clinic, DELIVERED)
  assert.deepEqual(await lastFailure(clinic), REFUSED)
})
