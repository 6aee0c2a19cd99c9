// The events of a record: who got each, and why a webhook got none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { emit } from '@clinic-data/webhooks'
import { newCircuit } from '@clinic-data/webhooks/subscriptions/circuit'
import { disableFailing } from '@clinic-data/webhooks/subscriptions/disable'
import { endSubscriptions } from '@clinic-data/webhooks/subscriptions/end'
import { MOST_FORMER } from '@clinic-data/webhooks/subscriptions/former-subscription'
import { resumeIntegration, stopIntegration } from '../src/integrations/stop-integration.ts'
import { audited } from './console-ground.ts'
import { type Subscribed, webhookConsole } from './webhook-console.ts'

const { ground, owner, app, backend, get, subscribed, setTime } = await webhookConsole()

const MINUTE_MS = 60_000
const pass = (minutes: number) => setTime(ground.now().getTime() + minutes * MINUTE_MS)

/** A minute before and after: no change is of the same moment. */
async function happened({ clinic }: Subscribed, type: EventType, id: string, patient = 'p1') {
  pass(1)
  const change = { type, data: JSON.stringify({ id, patient: { id: patient } }) }
  await app.write(clinic, (tx) => emit(tx, clinic, [change], ground.now()))
  pass(1)
}

const subscribe = async ({ clinic }: Subscribed, event_types: EventType[] = []) => {
  const body = { url: 'https://bi.example.com/hooks', event_types }
  return (await ask(backend, clinic, 'webhooks.create', { body })).data.id
}
const change = ({ clinic }: Subscribed, id: string, body: object) =>
  ask(backend, clinic, 'webhooks.update', { params: { id }, body })

/** Puts the webhook into an integration of its own. @returns what to stop or to resume, now. */
async function integrationOf({ clinic: { clinic_id }, webhook, id: by }: Subscribed) {
  await owner.query(sql`insert into integration (clinic_id, id, name, created_at)
    values (${clinic_id}, 'int_1', 'CRM', ${ground.now()})`)
  await owner.query(sql`update subscription set integration_id = 'int_1'
    where clinic_id = ${clinic_id} and id = ${webhook}`)
  return () => ({ id: 'int_1', by, now: ground.now(), wait: async () => undefined, record: () => undefined })
}

interface Shown {
  webhook_id: string
  delivery: { status: string } | null
  missed: { reason: string; since: string | null; until: string | null } | null
}

async function look(noa: Subscribed, record_id: string, cursor?: string) {
  const query = new URLSearchParams({ record_id, ...(cursor !== undefined && { cursor }) })
  const { status, json } = await get(noa, `/webhooks/record-events?${query}`)
  assert.equal(status, 200)
  return json as { data: { id: string; type: string; webhooks: Shown[] }[]; meta: { next_cursor: string | null } }
}

/** For each event, the latest first, what each webhook got. */
async function outcomes(noa: Subscribed, record_id: string) {
  const { data } = await look(noa, record_id)
  return data.map(({ type, webhooks }) => [
    type,
    Object.fromEntries(webhooks.map((one) => [one.webhook_id, one.delivery?.status ?? one.missed?.reason])),
  ])
}

test('each webhook is shown with its delivery, or why it has none: by how it was set at the time of the event', async () => {
  const noa = await subscribed()
  const first = noa.webhook
  const payments = await subscribe(noa, ['payment.recorded'])
  await happened(noa, 'appointment.created', 'a1')
  await change(noa, first, { enabled: false })
  await happened(noa, 'appointment.updated', 'a1')
  await change(noa, first, { enabled: true, event_types: ['call.completed'] })
  await happened(noa, 'appointment.updated', 'a1')
  await change(noa, first, { event_types: [] })
  const late = await subscribe(noa)
  const stopping = await integrationOf(noa)
  await stopIntegration(owner, noa.clinic, stopping())
  await happened(noa, 'appointment.cancelled', 'a1')
  await happened(noa, 'appointment.created', 'a2')
  const found = await outcomes(noa, 'a1')
  assert.deepEqual(found, [
    ['appointment.cancelled', { [first]: 'stopped', [payments]: 'not_subscribed', [late]: 'pending' }],
    ['appointment.updated', { [first]: 'not_subscribed', [payments]: 'not_subscribed', [late]: 'not_there' }],
    ['appointment.updated', { [first]: 'paused', [payments]: 'not_subscribed', [late]: 'not_there' }],
    ['appointment.created', { [first]: 'failed', [payments]: 'not_subscribed', [late]: 'not_there' }],
  ])
})

test('a Stop that is over is told with its time, and a webhook that is disabled for good since when it got nothing', async () => {
  const noa = await subscribed()
  const { clinic, webhook } = noa
  const failing = await subscribe(noa)
  const ended = await subscribe(noa)
  const stopping = await integrationOf(noa)
  const stoppedAt = ground.now().toISOString()
  await stopIntegration(owner, clinic, stopping())
  await happened(noa, 'appointment.created', 'a1')
  const resumedAt = ground.now().toISOString()
  await resumeIntegration(owner, clinic, stopping())
  pass(1)
  const disabledAt = ground.now().toISOString()
  const gone = { ...newCircuit, first_gone_at: new Date(0), last_gone_at: ground.now() }
  const lane = { subscription_id: failing, circuit: gone, recovered_at: null, leases: null }
  await owner.write(clinic, async (tx) => {
    await disableFailing(tx, clinic.clinic_id, [lane], ground.now())
    await endSubscriptions(tx, clinic.clinic_id, { which: sql`id = ${ended}`, reason: 'Its maker.', now: ground.now() })
  })
  await happened(noa, 'appointment.updated', 'a1')
  const { data } = await look(noa, 'a1')
  const missed = data.map(({ webhooks }) =>
    Object.fromEntries(webhooks.map((one) => [one.webhook_id, one.missed ?? one.delivery?.status])),
  )
  const disabled = { reason: 'disabled', since: disabledAt, until: null }
  assert.deepEqual(missed, [
    { [webhook]: 'pending', [failing]: disabled, [ended]: disabled },
    { [webhook]: { reason: 'stopped', since: stoppedAt, until: resumedAt }, [failing]: 'failed', [ended]: 'failed' },
  ])
})

test('what was before its changes were kept is not known, and a deleted webhook is not shown', async () => {
  const noa = await subscribed()
  const { clinic, webhook } = noa
  const gone = await subscribe(noa)
  await change(noa, webhook, { enabled: false })
  await happened(noa, 'appointment.created', 'a1')
  await change(noa, webhook, { enabled: true })
  await ask(backend, clinic, 'webhooks.delete', { params: { id: gone } })
  assert.deepEqual(await outcomes(noa, 'a1'), [['appointment.created', { [webhook]: 'paused' }]])
  await owner.query(sql`delete from former_subscription where clinic_id = ${clinic.clinic_id}`)
  await owner.query(sql`update subscription set kept_since = ${ground.now()} where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(await outcomes(noa, 'a1'), [['appointment.created', { [webhook]: 'unknown' }]])
})

test('only the latest settings of a webhook are kept, and a change that asks for nothing else keeps none', async () => {
  const noa = await subscribed()
  const { webhook, clinic } = noa
  const kept = async () => {
    const { rows } = await owner.query<{ until: string }>(sql`select until from former_subscription
      where clinic_id = ${clinic.clinic_id} and subscription_id = ${webhook} order by until`)
    return rows.map(({ until }) => Date.parse(until))
  }
  await change(noa, webhook, { description: 'CRM' })
  assert.deepEqual(await kept(), [])
  const changes: number[] = []
  for (let n = 0; n < MOST_FORMER + 3; n++) {
    pass(1)
    changes.push(ground.now().getTime())
    await change(noa, webhook, { event_types: n % 2 === 0 ? ['call.completed'] : [] })
  }
  assert.deepEqual(await kept(), changes.slice(3))
})

test('the events of a record come page by page, each once, and those of another clinic never', async () => {
  const noa = await subscribed()
  const other = await subscribed()
  for (let n = 0; n < 23; n++) await happened(noa, 'appointment.updated', 'a1')
  await happened(other, 'appointment.updated', 'a1')
  const pages = [await look(noa, 'a1')]
  for (let next = pages[0]?.meta.next_cursor; next; next = pages.at(-1)?.meta.next_cursor)
    pages.push(await look(noa, 'a1', next))
  assert.deepEqual(
    pages.map(({ data }) => data.length),
    [10, 10, 3],
  )
  const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
  assert.deepEqual(ids, [...new Set(ids)].sort().reverse())
  assert.equal((await look(other, 'a1')).data.length, 1)
  assert.deepEqual(await look(noa, 'nobody'), { data: [], meta: { next_cursor: null } })
})

test('each look names the record, its events and its patients in the log', async () => {
  const noa = await subscribed()
  await happened(noa, 'appointment.created', 'a1', 'p7')
  const { data } = await look(noa, 'a1')
  await look(noa, 'nothing')
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation.startsWith('console.webhooks.'))
  assert.deepEqual(
    rows.map(({ operation, status, resource_ids, patient_ids }) => [operation, status, resource_ids, patient_ids]),
    [
      ['console.webhooks.record_events', 200, ['a1', data[0]?.id], ['p7']],
      ['console.webhooks.record_events', 200, ['nothing'], []],
    ],
  )
})
