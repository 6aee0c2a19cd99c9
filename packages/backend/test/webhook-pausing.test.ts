// Pausing a subscription and enabling it again: what is sent, what is not, and what is told of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { KEY_ID } from '@clinic-data/testing/grounds/test-clinic'
import { deliveriesOf, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { claimDue } from '@clinic-data/webhooks/engine/claim'
import { madeBy } from '@clinic-data/webhooks/subscriptions/makers'

const ground = await webhookGround()
const { owner, app, backend, newClinic, subscribe, happen, now, due } = ground

const ended: string[] = []
const pausing = ground.with({ onSubscriptionEnded: async (_, id) => void ended.push(id) })
const change = async (clinic: Clinic, id: string, body: object) =>
  (await ask(pausing, clinic, 'webhooks.update', { params: { id }, body })).data
const claimed = async ({ clinic_id }: Clinic) =>
  (await claimDue(app, { clinic_id, most: 8, retries: 64, lease_id: 'lease', now: now() })).claimed.length
const statuses = async (clinic: Clinic) => (await deliveriesOf(owner, clinic)).map(({ status }) => status)

test('a paused subscription sends nothing, and says since when and why', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await happen(clinic, 'patient.created')
  const paused = await change(clinic, id, { enabled: false })
  assert.deepEqual([paused.enabled, paused.disabled_reason], [false, 'It was paused by a request.'])
  assert.equal(Date.parse(paused.disabled_at ?? ''), now().getTime())
  assert.deepEqual(ended.splice(0), [id])
  await happen(clinic, 'patient.created')
  assert.deepEqual([await statuses(clinic), await claimed(clinic)], [['failed'], 0])
  assert.deepEqual(await change(clinic, id, { enabled: false }), paused)
  assert.deepEqual((await ask(backend, clinic, 'webhooks.get', { params: { id } })).data, paused)
})

test('an attempt under way when a subscription is paused is broken off, and its outcome changes nothing', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await happen(clinic, 'patient.created')
  assert.equal(await claimed(clinic), 1)
  await change(clinic, id, { enabled: false })
  const [delivery] = await owner
    .query<{ lease_id: string | null; error: string }>(
      sql`select lease_id, error from delivery where clinic_id = ${clinic.clinic_id}`,
    )
    .then(({ rows }) => rows)
  assert.deepEqual(delivery, { lease_id: null, error: 'subscription_disabled' })
})

test('a paused subscription is enabled again: new events are sent, and earlier ones by a replay', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const before = (await ask(backend, clinic, 'webhooks.get', { params: { id } })).data
  await happen(clinic, 'patient.created')
  await change(clinic, id, { enabled: false })
  await happen(clinic, 'patient.created')
  due.splice(0)
  assert.deepEqual(await change(clinic, id, { enabled: true }), before)
  assert.deepEqual(await change(clinic, id, { enabled: true }), before)
  assert.equal(await claimed(clinic), 0)
  await happen(clinic, 'patient.updated')
  assert.equal(await claimed(clinic), 1)
  const body = { since: '2026-07-12T00:00:00Z', only: 'all' as const }
  const { data } = await ask(backend, clinic, 'webhooks.replay', { params: { id }, body })
  assert.equal(data.matched, 2)
})

test('a paused subscription is changed and enabled in one request, and refuses what would send', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await change(clinic, id, { enabled: false })
  const url = 'https://new.example.com/hooks'
  assert.equal((await change(clinic, id, { description: 'CRM' })).enabled, false)
  for (const [operation, body] of [
    ['webhooks.test', { event_type: 'patient.created' }],
    ['webhooks.replay', { since: '2026-07-12T00:00:00Z' }],
  ] as const) {
    await assert.rejects(ask(backend, clinic, operation, { params: { id }, body }), problem('conflict', /paused/))
  }
  const enabled = await change(clinic, id, { url, enabled: true })
  assert.deepEqual([enabled.url, enabled.description, enabled.enabled], [url, 'CRM', true])
})

test('a key that may not read chats does not enable a subscription that wants chat events', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await change(clinic, id, { enabled: false })
  const scopes = allScopes.filter((scope) => scope !== 'chat:read')
  const enable = { params: { id }, body: { enabled: true } }
  await assert.rejects(
    ask(pausing, clinic, 'webhooks.update', { ...enable, scopes }),
    problem('forbidden', /chat:read/),
  )
  assert.equal((await ask(pausing, clinic, 'webhooks.get', { params: { id } })).data.enabled, false)
  assert.equal((await ask(pausing, clinic, 'webhooks.update', enable)).data.enabled, true)
})

test('a subscription that was disabled for its failures is not enabled by a request', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await owner.query(sql`update subscription set enabled = false, disabled_at = now(), disabled_reason = 'Gone.'
    where clinic_id = ${clinic.clinic_id}`)
  for (const enabled of [true, false])
    await assert.rejects(change(clinic, id, { enabled }), problem('conflict', /final/))
})

test('a subscription keeps who made it, and the enabled ones of a key are found', async () => {
  const clinic = await newClinic()
  const ids = [await subscribe(clinic), await subscribe(clinic), await subscribe(clinic)]
  await change(clinic, ids[1] ?? '', { enabled: false })
  await owner.query(
    sql`update subscription set made_by = null where clinic_id = ${clinic.clinic_id} and id = ${ids[2] ?? ''}`,
  )
  const found = await madeBy(owner, clinic, KEY_ID)
  assert.deepEqual(
    found.map(({ id }) => id),
    [ids[0]],
  )
  assert.deepEqual(await madeBy(owner, clinic, 'other'), [])
})
