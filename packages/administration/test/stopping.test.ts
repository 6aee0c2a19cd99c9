// Stop: everything of an integration is refused when it is answered, and is again exactly what it was when that is undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { sql, utcSession } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { engine, happen, recorder, TestClock } from '@clinic-data/testing/grounds/ground'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { START_WINDOW_MS } from '@clinic-data/webhooks/engine/engine-limits'
import { HORIZON_MS } from '@clinic-data/webhooks/engine/retry-schedule'
import { clinicsWithStrays, endStrays } from '@clinic-data/webhooks/engine/stray-deliveries'
import { resumeIntegration, stopIntegration } from '../src/integrations/stop-integration.ts'
import { connectApp, connecting, once, REDIRECT, requestOf, storeApp } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround, storeWebhook, webhookOf } from './integration-ground.ts'

const { owner, app } = await testDatabase()
const { connect, token } = connecting(owner)
const waits: number[] = []
const wait = async (ms: number) => {
  waits.push(ms)
}
const opened = await openConsole(owner, { connect, wait })
const secretKeys = newSecretKeys()
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog, secretKeys })
const opens = async (secret = '') => (await backend.authenticate(hashKey(secret))) !== null
const ground = () => integrationGround(opened, owner)

/** Everything of a clinic that Stop and its undoing can touch. */
async function stateOf(clinic_id: string) {
  const rows = (text: ReturnType<typeof sql>) => owner.read(utcSession(clinic_id), text)
  return {
    keys: await rows(sql`select id, stopped_at, revoked_at, expires_at, integration_id from api_key
      where clinic_id = ${clinic_id} order by id`),
    webhooks: await rows(sql`select id, enabled, is_paused, disabled_at, disabled_reason, stopped_at from subscription
      where clinic_id = ${clinic_id} order by id`),
    lanes: await rows(sql`select subscription_id, is_stopped from lane where clinic_id = ${clinic_id} order by 1`),
    deliveries: await rows(sql`select event_id, status, due_at, lease_id, error from delivery
      where clinic_id = ${clinic_id} order by subscription_id, event_id`),
  }
}

test('Stop refuses each key and token and pauses each webhook, and undoing it restores exactly that', async () => {
  const { clinic, clinic_id, cookie, mint, post, stop, resume } = await ground()
  const crm = await mint('CRM')
  const { integration } = crm
  const revoked = await mint('Old', { integration_id: integration.id })
  await post(`/keys/${revoked.id}/revoke`)
  const other = await mint('Other', { scopes: ['webhooks:manage'] })
  const desk = await connectApp(opened, { owner, cookie, token })
  await post(`/integrations/${integration.id}/join`, { ids: [desk.id] })
  const [on, paused, theirs] = [
    await storeWebhook(owner, clinic_id, { made_by: crm.id }),
    await storeWebhook(owner, clinic_id, { made_by: desk.id }),
    await storeWebhook(owner, clinic_id, { made_by: other.id }),
  ]
  await ask(backend, clinic, 'webhooks.update', {
    params: { id: paused },
    body: { enabled: false },
    principal: { key_id: other.id, clinic, scopes: ['webhooks:manage'], rate_limit: null, expires_at: null },
  })
  await happen({ owner, app }, clinic, 2, new Date())
  await owner.query(sql`update subscription set integration_id = (select integration_id from api_key k
      where k.clinic_id = ${clinic_id} and k.id = made_by) where clinic_id = ${clinic_id}`)
  const before = await stateOf(clinic_id)
  waits.length = 0
  const answer = await stop(integration.id)
  assert.deepEqual(waits, [Math.max(KEY_CACHE_MS, START_WINDOW_MS)])
  const { keys, connections, webhooks, waiting, expired } = answer
  assert.deepEqual([keys, connections, webhooks, waiting, expired], [1, 1, 1, 2, 0])
  const all = [crm.key, desk.tokens.access_token, revoked.key, other.key]
  const opening = async () => Promise.all(all.map(opens))
  assert.deepEqual(await opening(), [false, false, false, true])
  assert.deepEqual((await webhookOf(owner, clinic_id, on)).enabled, false)
  assert.deepEqual((await webhookOf(owner, clinic_id, theirs)).enabled, true)
  const undone = await resume(integration.id)
  assert.deepEqual([undone.keys, undone.connections, undone.webhooks, undone.waiting, undone.expired], [1, 1, 1, 2, 0])
  assert.deepEqual(await opening(), [true, true, false, true])
  assert.deepEqual(await stateOf(clinic_id), before)
  const rows = (await audited(owner, clinic)).filter(({ operation }) => /integrations\.(stop|resume)$/.test(operation))
  assert.deepEqual(
    rows.map(({ operation, resource_ids }) => [operation, resource_ids]),
    [
      ['console.integrations.stop', [integration.id]],
      ['console.integrations.resume', [integration.id]],
    ],
  )
})

test('a code and a refresh token of a stopped connection are refused, are not used up, and are good again after it', async () => {
  const { clinic_id, cookie, read, stop, resume } = await ground()
  const client_id = await storeApp(owner)
  const verifier = newVerifier()
  const body = { request: requestOf(client_id, verifier), scopes: ['patients:read'], days: null }
  const { json } = await send(opened, '/connect/allow', { cookie, body, headers: once() })
  const code = new URL(json.data.redirect_to).searchParams.get('code') ?? ''
  const exchange = {
    grant_type: 'authorization_code',
    client_id,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
  }
  const { rows } = await owner.query<{ integration_id: string }>(
    sql`select integration_id from api_key where clinic_id = ${clinic_id} and name = 'Desk'`,
  )
  const id = rows[0]?.integration_id ?? ''
  await stop(id)
  const isStopped = async (form: Record<string, string>) => {
    const { status, body: refused } = await token(form)
    assert.deepEqual([status, refused.error], [403, 'access_denied'])
    assert.match(String(refused.error_description), /has stopped this connection\. Keep its tokens/)
  }
  await isStopped(exchange)
  await resume(id)
  const { refresh_token = '' } = (await token(exchange)).body
  const refresh = { grant_type: 'refresh_token', client_id, refresh_token }
  await stop(id)
  for (let i = 0; i < 2; i++) await isStopped(refresh)
  await resume(id)
  const { status, body: pair } = await token(refresh)
  assert.equal(status, 200)
  assert.equal(await opens(pair.access_token), true)
  const [connection] = (await read(`/integrations/${id}`)).connection_list
  assert.deepEqual([connection.ended_at, connection.stopped_at], [null, null])
})

test('while an integration is stopped nothing is added to it, moved, widened or enabled by hand', async () => {
  const { clinic, clinic_id, mint, post, stop } = await ground()
  const { integration, id } = await mint()
  const other = await mint('Other', { scopes: ['webhooks:manage', 'chat:read'] })
  const webhook = await storeWebhook(owner, clinic_id, { made_by: id })
  await stop(integration.id)
  const integration_id = integration.id
  const wanted: [string, object][] = [
    ['/keys', { name: 'X', scopes: ['patients:read'], integration_id }],
    [
      '/connect/allow',
      { request: requestOf(await storeApp(owner)), scopes: ['patients:read'], days: null, integration_id },
    ],
    [`/integrations/${integration_id}/join`, { ids: [other.id] }],
    [`/integrations/${other.integration.id}/join`, { ids: [id] }],
  ]
  for (const [path, body] of wanted) {
    const { status, json } = await post(path, body)
    assert.deepEqual([status, /is stopped/.test(json.detail)], [409, true], path)
  }
  const scopes = ['webhooks:manage', 'chat:read'] as const
  const principal = { key_id: other.id, clinic, scopes, rate_limit: null, expires_at: null }
  const enabling = ask(backend, clinic, 'webhooks.update', {
    params: { id: webhook },
    body: { enabled: true },
    principal,
  })
  await assert.rejects(enabling, problem('conflict'))
})

test('of two Stops at once both answer when it holds, and one undoing undoes it', async () => {
  const { clinic_id, mint, stop, resume } = await ground()
  const { integration, key, id } = await mint()
  await storeWebhook(owner, clinic_id, { made_by: id })
  const answers = await Promise.all([stop(integration.id), stop(integration.id)])
  assert.deepEqual(answers[0], answers[1])
  assert.equal(await opens(key), false)
  await resume(integration.id)
  assert.equal(await opens(key), true)
})

test('a key that is minted, and an app that is connected, while Stop runs is refused or stopped with the others', async () => {
  const { clinic, clinic_id, mint, post } = await ground()
  const { integration } = await mint()
  const integration_id = integration.id
  const request = requestOf(await storeApp(owner))
  let late: Promise<{ status: number }[]> = Promise.resolve([])
  const record = () => undefined
  await owner.write(utcSession(clinic_id), async (tx) => {
    // Whoever adds to an integration waits here, and Stop behind it.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} integrations`}, 0))`)
    const stopping = stopIntegration(owner, clinic, { id: integration_id, by: null, now: new Date(), wait, record })
    await doneOrWaiting(owner, tx, stopping, 'select pg_advisory_xact_lock(hashtextextended($1%')
    late = stopping.then(() => Promise.all(adding))
    const adding = [
      post('/keys', { name: 'Late', scopes: ['patients:read'], integration_id }),
      post('/connect/allow', { request, scopes: ['patients:read'], days: null, integration_id }),
    ]
  })
  const statuses = (await late).map(({ status }) => status)
  assert.ok(
    statuses.every((status) => [201, 409].includes(status)),
    String(statuses),
  )
  const { rows } = await owner.query(sql`select id from api_key
    where clinic_id = ${clinic_id} and integration_id = ${integration_id} and stopped_at is null`)
  assert.deepEqual(rows, [])
})

test('a thousand deliveries wait while their integration is stopped, go on when that is undone, and expire in their time', async () => {
  const { clinic, clinic_id, mint } = await ground()
  const { integration, id } = await mint()
  await storeWebhook(owner, clinic_id, { made_by: id })
  const clock = new TestClock(new Date().toISOString())
  await using disposable = new AsyncDisposableStack()
  const { sent, send: sending } = recorder()
  const dispatcher = engine({ owner, app, opened: disposable }, clock, { send: sending })
  const work = async () => {
    dispatcher.wake(clinic_id)
    await dispatcher.idle()
  }
  const stopping = () => ({ id: integration.id, by: null, now: clock.now(), wait, record: () => undefined })
  await happen({ owner, app }, clinic, 1_000, clock.now())
  const { waiting } = await stopIntegration(owner, clinic, stopping())
  assert.equal(waiting, 1_000)
  await happen({ owner, app }, clinic, 5, clock.now())
  for (const stray of await clinicsWithStrays(app)) if (stray === clinic_id) await endStrays(app, stray)
  clock.pass(HORIZON_MS - 60_000)
  await work()
  assert.equal(sent.length, 0)
  const undo = () => resumeIntegration(owner, clinic, stopping())
  const undone = await undo()
  assert.deepEqual([undone.waiting, undone.expired], [1_000, 0])
  await stopIntegration(owner, clinic, stopping())
  clock.pass(120_000)
  await happen({ owner, app }, clinic, 3, clock.now())
  const late = await undo()
  assert.deepEqual([late.waiting, late.expired], [0, 1_000])
  await happen({ owner, app }, clinic, 3, clock.now())
  await work()
  assert.equal(sent.length, 3)
})

test('what was claimed before Stop loses its lease, and goes on from where it was when that is undone', async () => {
  const { clinic, clinic_id, mint, stop, resume } = await ground()
  const { integration, id } = await mint()
  await storeWebhook(owner, clinic_id, { made_by: id })
  await happen({ owner, app }, clinic, 3, new Date())
  await owner.query(sql`update delivery set lease_id = 'l', lease_until = now() + interval '45 s'
    where clinic_id = ${clinic_id}`)
  await owner.query(sql`update lane set leases = '{"l": {"held": 3, "until": "2100-01-01T00:00:00Z"}}'
    where clinic_id = ${clinic_id}`)
  await stop(integration.id)
  const { deliveries, lanes } = await stateOf(clinic_id)
  assert.deepEqual(
    lanes.map(({ is_stopped }) => is_stopped),
    [true],
  )
  assert.deepEqual(
    deliveries.map((row) => [row.status, row.lease_id]),
    Array(3).fill(['pending', null]),
  )
  assert.equal((await resume(integration.id)).waiting, 3)
})

test('an app that is connected again goes to its integration, and to none while that is stopped', async () => {
  const { noa, clinic_id, cookie, mint, post, stop, resume } = await ground()
  const { integration } = await mint('CRM')
  const desk = await connectApp(opened, { owner, cookie, token })
  assert.equal((await post(`/integrations/${integration.id}/join`, { ids: [desk.id] })).status, 200)
  const allow = async (more: object = {}) => {
    const body = { request: requestOf(desk.client_id), scopes: ['patients:read'], days: null, ...more }
    return (await send(opened, '/connect/allow', { cookie, headers: once(), body })).status
  }
  const ofApp = async () =>
    (
      await owner.read<{ integration_id: string }>(
        utcSession(clinic_id),
        sql`select k.integration_id from connection c join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
          where c.clinic_id = ${clinic_id} and c.app_id = ${desk.client_id}`,
      )
    ).map(({ integration_id }) => integration_id)
  /** The page is told before. */
  const told = async (client_id = desk.client_id) => {
    const { json } = await post('/connect/look', { request: requestOf(client_id) })
    return [json.data.access.integration, json.data.access.is_stopped]
  }
  assert.equal(await allow(), 201)
  assert.deepEqual(await ofApp(), [integration.id, integration.id])
  assert.deepEqual(await told(), [{ id: integration.id, name: 'CRM' }, false])
  assert.deepEqual(await told(await storeApp(owner)), [null, false])
  const other = await mint('Other')
  await stop(integration.id)
  assert.deepEqual(await told(), [{ id: integration.id, name: 'CRM' }, true])
  assert.deepEqual([await allow(), await allow({ integration_id: other.integration.id })], [409, 409])
  await resume(integration.id)
  assert.equal(await allow(), 201)
  // A member lists no integrations.
  await owner.query(sql`update administrator set role = 'member' where clinic_id = ${clinic_id} and id = ${noa.id}`)
  assert.deepEqual(await told(), [null, false])
})
