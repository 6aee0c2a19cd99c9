// The webhooks of a stopped integration receive nothing, whoever asks, and in whatever order their ends, Stop and its undoing come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { sql, utcSession } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { happen } from '@clinic-data/testing/grounds/ground'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { expireDeliveries } from '@clinic-data/webhooks/engine/expire'
import { HORIZON_MS } from '@clinic-data/webhooks/engine/retry-schedule'
import { endSubscriptions } from '@clinic-data/webhooks/subscriptions/end'
import { pauseSubscription } from '@clinic-data/webhooks/subscriptions/pause'
import { lockForChange } from '@clinic-data/webhooks/subscriptions/subscription'
import { resumeIntegration, stopIntegration } from '../src/integrations/stop-integration.ts'
import { openConsole } from './console-ground.ts'
import { integrationGround, storeWebhook, urlOfStored, webhookOf } from './integration-ground.ts'

const { owner, app } = await testDatabase()
const wait = async () => undefined
const opened = await openConsole(owner, { wait })
const of = { database: app, now: () => new Date(), log: failingLog, secretKeys: newSecretKeys() }
const backend = createBackend(of)

/** People ask this one. */
const ofPeople = createBackend({ ...of, validOf: () => () => undefined })
const ELSEWHERE = 'https://elsewhere.example/hook'

/** A webhook of one integration, and a key of another one that may manage all webhooks. */
async function ground() {
  const site = await integrationGround(opened, owner)
  const { noa, clinic, clinic_id, mint } = site
  const { id: made_by, integration } = await mint('CRM')
  const other = await mint('Other', { scopes: ['webhooks:manage', 'chat:read'] })
  const webhook = await storeWebhook(owner, clinic_id, { made_by, integration_id: integration.id })
  const scopes = ['webhooks:manage', 'chat:read'] as const
  const principal = { key_id: other.id, clinic, scopes, rate_limit: null, expires_at: null }
  const call = (operation: 'webhooks.update' | 'webhooks.test', body: object) =>
    ask(backend, clinic, operation, { params: { id: webhook }, body, principal })
  const stopping = { id: integration.id, by: null, now: new Date(), wait, record: () => undefined }
  return {
    ...site,
    webhook,
    integration,
    other,
    move: (url = ELSEWHERE) => call('webhooks.update', { url }),
    moveAsPerson: () =>
      ask(ofPeople, clinic, 'webhooks.update', {
        params: { id: webhook },
        body: { url: ELSEWHERE },
        principal: { ...principal, key_id: noa.id },
      }),
    stopOther: () => stopIntegration(owner, clinic, { ...stopping, id: other.integration.id }),
    enable: (enabled: boolean) => call('webhooks.update', { enabled }),
    sendTest: () => call('webhooks.test', {}),
    stop: () => stopIntegration(owner, clinic, stopping),
    resume: () => resumeIntegration(owner, clinic, stopping),
    stored: () => webhookOf(owner, clinic_id, webhook),
    lanes: () =>
      owner.read(
        utcSession(clinic_id),
        sql`select opened_at from lane where clinic_id = ${clinic_id} and subscription_id = ${webhook}`,
      ),
  }
}

const IS_STOPPED = /integration .* is stopped/

test('a webhook that was paused by hand before Stop is enabled by nobody until that is undone', async () => {
  const { enable, stop, resume, stored } = await ground()
  await enable(false)
  await stop()
  await assert.rejects(enable(true), problem('conflict', IS_STOPPED))
  assert.equal((await stored()).enabled, false)
  await resume()
  assert.equal((await stored()).enabled, false)
  await enable(true)
  assert.equal((await stored()).enabled, true)
})

test('a webhook that is paused by hand while its integration is stopped stays so when that is undone', async () => {
  const { enable, stop, resume, stored } = await ground()
  await stop()
  await enable(false)
  assert.equal((await resume()).webhooks, 0)
  const { enabled, disabled_reason } = await stored()
  assert.deepEqual([enabled, disabled_reason], [false, 'It was paused by a request.'])
  await enable(true)
  assert.equal((await stored()).enabled, true)
})

test('a webhook that is paused by hand while the undoing of Stop runs stays so', async () => {
  const { clinic, clinic_id, webhook, stop, resume, stored } = await ground()
  await stop()
  let resuming: Promise<unknown> = Promise.resolve()
  await owner.write(utcSession(clinic_id), async (tx) => {
    await lockForChange(tx, clinic, webhook)
    resuming = resume()
    await doneOrWaiting(owner, tx, resuming, '%delete from lane%')
    await pauseSubscription(tx, clinic, webhook, new Date())
  })
  await resuming
  assert.equal((await stored()).enabled, false)
})

test('a webhook that Stop has paused says so to whoever tests or enables it', async () => {
  const { enable, sendTest, stop } = await ground()
  await stop()
  await assert.rejects(sendTest(), problem('conflict', IS_STOPPED))
  await assert.rejects(enable(true), problem('conflict', IS_STOPPED))
})

/** Both wait for the lock that Stop takes, the first one before the later one. */
async function atOnce(clinic_id: string, first: () => Promise<unknown>, later: () => Promise<unknown>): Promise<void> {
  let both: Promise<unknown> = Promise.resolve()
  await owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} integrations`}, 0))`)
    const one = first()
    await doneOrWaiting(owner, tx, one, 'select pg_advisory_xact_lock(hashtextextended($1%')
    both = Promise.all([one, later()])
  })
  await both
}

for (const first of ['enabling', 'Stop'] as const)
  test(`of an enabling and Stop at once, where ${first} comes first, nothing is left enabled`, async () => {
    const { clinic_id, enable, stop, resume, stored } = await ground()
    await enable(false)
    const acts = { enabling: () => enable(true).catch(problem('conflict', IS_STOPPED)), Stop: stop }
    await atOnce(clinic_id, acts[first], acts[first === 'Stop' ? 'enabling' : 'Stop'])
    assert.equal((await stored()).enabled, false)
    await resume()
    assert.equal((await stored()).enabled, first === 'enabling')
  })

test('a webhook that another partner’s key sends to its own address is stopped with that partner, who receives', async () => {
  const { other, move, stop, stopOther, stored } = await ground()
  await move()
  const { integration_id, made_by } = await stored()
  assert.deepEqual([integration_id, made_by], [other.integration.id, other.id])
  await stop()
  assert.equal((await stored()).enabled, true, 'the former partner gets nothing of it any more')
  await stopOther()
  assert.equal((await stored()).enabled, false)
})

test('a webhook stays with its partner when a key sends its own address again, and when a person changes it', async () => {
  const { webhook, move, moveAsPerson, stop, stored } = await ground()
  const before = await stored()
  await move(urlOfStored(webhook))
  assert.deepEqual(await stored(), before)
  await moveAsPerson()
  assert.deepEqual(await stored(), before)
  await stop()
  assert.equal((await stored()).enabled, false)
})

test('no key takes a webhook out of a stopped integration, and undoing Stop restores it', async () => {
  const { integration, move, moveAsPerson, stop, resume, stored } = await ground()
  await stop()
  await assert.rejects(move(), problem('conflict', IS_STOPPED))
  await moveAsPerson()
  assert.equal((await resume()).webhooks, 1)
  const { enabled, integration_id } = await stored()
  assert.deepEqual([enabled, integration_id], [true, integration.id])
})

for (const first of ['the new address', 'Stop'] as const)
  test(`of a new address by another partner and Stop at once, where ${first} comes first, one is as if the other came later`, async () => {
    const { clinic_id, integration, other, move, stop, stored } = await ground()
    const acts = { 'the new address': () => move().catch(problem('conflict', IS_STOPPED)), Stop: stop }
    await atOnce(clinic_id, acts[first], acts[first === 'Stop' ? 'the new address' : 'Stop'])
    const { enabled, integration_id } = await stored()
    const expected = first === 'Stop' ? [false, integration.id] : [true, other.integration.id]
    assert.deepEqual([enabled, integration_id], expected)
  })

for (const change of ['Stop', 'its undoing'] as const)
  test(`a webhook that ends while ${change} runs has ended for good`, async () => {
    const { clinic_id, webhook, stop, resume, stored, lanes } = await ground()
    if (change === 'its undoing') await stop()
    let changing: Promise<unknown> = Promise.resolve()
    await owner.write(utcSession(clinic_id), async (tx) => {
      await endSubscriptions(tx, clinic_id, { which: sql`id = ${webhook}`, reason: 'It ended.', now: new Date() })
      changing = change === 'Stop' ? stop() : resume()
      await doneOrWaiting(owner, tx, changing, '%update lane%', '%delete from lane%')
    })
    await changing
    if (change === 'Stop') await resume()
    const { enabled, is_paused, disabled_reason } = await stored()
    assert.deepEqual([enabled, is_paused, disabled_reason], [false, false, 'It ended.'])
    assert.deepEqual(await lanes(), [])
  })

test('what waits behind an open circuit expires when Stop is undone, which tells it, and not before', async () => {
  const { clinic, clinic_id, stop, resume, lanes } = await ground()
  const past = new Date(Date.now() - HORIZON_MS - 60_000)
  await happen({ owner, app }, clinic, 2, past)
  await owner.query(sql`update lane set opened_at = now(), probe_at = now(), failing_since = ${past},
    failed_attempts = 100, exhausted_deliveries = 100 where clinic_id = ${clinic_id}`)
  await stop()
  assert.equal(await expireDeliveries(app, clinic_id, new Date()), 0)
  assert.equal((await lanes()).length, 1)
  const { webhooks, expired } = await resume()
  assert.deepEqual([webhooks, expired], [1, 2])
})
