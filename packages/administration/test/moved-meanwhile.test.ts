// Merging and moving at the moment at which an app is connected anew or ends, or a webhook is changed: nothing is left outside, and nobody is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endWithin } from '@clinic-data/connect/tokens/end-connection'
import { sql, type Transaction, utcSession } from '@clinic-data/database'
import { newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { lockLanes } from '@clinic-data/webhooks/subscriptions/lane'
import { lockSubscription } from '@clinic-data/webhooks/subscriptions/subscription'
import { connecting, once, REDIRECT, requestOf, storeApp } from './connecting.ts'
import { openConsole, send } from './console-ground.ts'
import { integrationGround, storeWebhook, webhookOf } from './integration-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })

const HOOKS = ['patients:read', 'chat:read', 'webhooks:manage']
const MOVES = ['merge', 'join'] as const

/** An app with a webhook, and an integration into which it may be moved. */
async function ground() {
  const site = await integrationGround(opened, owner)
  const { clinic_id, cookie, post, mint } = site
  const client_id = await storeApp(owner)
  /** @returns what takes the tokens. */
  const consent = async (integration_name: string, scopes: readonly string[]) => {
    const verifier = newVerifier()
    const request = requestOf(client_id, verifier, { scope: scopes.join(' ') })
    const body = { request, scopes, days: null, integration_name }
    const { json } = await send(opened, '/connect/allow', { cookie, body, headers: once() })
    const code = new URL(json.data.redirect_to).searchParams.get('code') ?? ''
    return () =>
      token({ grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri: REDIRECT })
  }
  const members = () =>
    owner.read<{ id: string; integration_id: string }>(
      utcSession(clinic_id),
      sql`select k.id, k.integration_id from api_key k join connection c on c.clinic_id = ${clinic_id} and c.id = k.id
        where k.clinic_id = ${clinic_id} order by k.id`,
    )
  const exchange = await consent('App', HOOKS)
  assert.equal((await exchange()).status, 200)
  const [app] = await members()
  if (app === undefined) assert.fail('no connection')
  const { integration } = await mint('Kept')
  return {
    ...site,
    app,
    kept: integration.id,
    consent,
    members,
    hook: (id?: string) =>
      storeWebhook(owner, clinic_id, { ...(id && { id }), made_by: app.id, integration_id: app.integration_id }),
    end: () =>
      owner.write(utcSession(clinic_id), (tx) =>
        endWithin(tx, { clinic_id, which: sql`id = ${app.id}`, reason: 'ended', now: new Date() }),
      ),
    /** As the console does it, of what belongs to another integration. */
    move: async (how: (typeof MOVES)[number], { id, integration_id }: { id: string; integration_id: string }) => {
      const body = how === 'merge' ? { from: integration_id } : { ids: [id] }
      const { status, json } = await post(`/integrations/${integration.id}/${how}`, body)
      assert.equal(status, 200, JSON.stringify(json))
    },
  }
}

/** While the test holds something, the first waits for it and the second comes. Both end when it lets go. */
async function inTurn(
  clinic_id: string,
  hold: (tx: Transaction) => Promise<unknown>,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
) {
  let both: Promise<unknown> = Promise.resolve()
  await owner.write(utcSession(clinic_id), async (tx) => {
    await hold(tx)
    const one = first()
    await doneOrWaiting(owner, tx, one, '%lane%')
    const other = second()
    both = Promise.all([one, other])
    both.catch(() => undefined)
    await doneOrWaiting(owner, tx, other, '%api_key%', '%pg_advisory_xact_lock%', '%set is_stopped = true%')
  })
  return both
}

async function holdLane(tx: Transaction, clinic_id: string, id: string) {
  lockLanes(tx, clinic_id, [id])
  await tx.query(sql`select`)
}

for (const how of MOVES)
  test(`a ${how} at the moment at which a newer consent takes over a webhook takes the webhook along, and Stop finds it`, async () => {
    const { clinic_id, kept, consent, members, hook, move, stop } = await ground()
    const [moved, lost] = [await hook(), await hook('wh_lost')]
    await owner.query(
      sql`update subscription set event_types = '{patient.created}' where clinic_id = ${clinic_id} and id = ${moved}`,
    )
    const exchange = await consent(
      'Newer',
      HOOKS.filter((scope) => scope !== 'chat:read'),
    )
    const [, newer] = await members()
    if (newer === undefined) assert.fail('no second connection')
    await inTurn(
      clinic_id,
      (tx) => holdLane(tx, clinic_id, lost),
      exchange,
      () => move(how, newer),
    )
    const { integration_id, made_by, enabled } = await webhookOf(owner, clinic_id, moved)
    assert.deepEqual([integration_id, made_by, enabled], [kept, newer.id, true])
    await stop(kept)
    assert.equal((await webhookOf(owner, clinic_id, moved)).enabled, false)
  })

for (const how of MOVES)
  test(`a ${how} and the end of one of its apps wait for each other in one order, and both are done`, async () => {
    const { clinic_id, app, kept, hook, members, move, end } = await ground()
    const id = await hook()
    await inTurn(
      clinic_id,
      (tx) => holdLane(tx, clinic_id, id),
      end,
      () => move(how, app),
    )
    const { integration_id, enabled } = await webhookOf(owner, clinic_id, id)
    assert.deepEqual([integration_id, enabled], [kept, false])
    assert.deepEqual(await members(), [{ id: app.id, integration_id: kept }])
  })

test('a merge with a stopped one and a change of its webhook wait for each other in one order, and both are done', async () => {
  const { clinic, clinic_id, app, kept, hook, move, stop } = await ground()
  const id = await hook()
  await stop(kept)
  let merging: Promise<unknown> = Promise.resolve()
  await owner.write(utcSession(clinic_id), async (tx) => {
    await holdLane(tx, clinic_id, id)
    merging = move('merge', app)
    merging.catch(() => undefined)
    await doneOrWaiting(owner, tx, merging, '%lane%')
    assert.notEqual(await lockSubscription(tx, clinic, id), null)
  })
  await merging
  assert.equal((await webhookOf(owner, clinic_id, id)).enabled, false)
})

test('a merge with a stopped one and the end of one of its apps wait for each other in one order, and both are done', async () => {
  const { clinic_id, app, kept, hook, members, move, end, stop } = await ground()
  const id = await hook()
  await stop(kept)
  await inTurn(
    clinic_id,
    (tx) => holdLane(tx, clinic_id, id),
    () => move('merge', app),
    end,
  )
  assert.equal((await webhookOf(owner, clinic_id, id)).enabled, false)
  assert.deepEqual(await members(), [{ id: app.id, integration_id: kept }])
})

test('a webhook that a newer consent takes over at the moment of a Stop goes on as what it is afterwards', async () => {
  const { clinic_id, kept, consent, members, hook, post, stop } = await ground()
  const [moved, lost] = [await hook(), await hook('wh_lost')]
  await post(`/integrations/${kept}/join`, { ids: [moved] })
  const exchange = await consent('Newer', HOOKS)
  const [, newer] = await members()
  await inTurn(
    clinic_id,
    (tx) => holdLane(tx, clinic_id, lost),
    exchange,
    () => stop(kept),
  )
  const { enabled, integration_id } = await webhookOf(owner, clinic_id, moved)
  assert.deepEqual([enabled, integration_id], [true, newer?.integration_id])
})

test('a newer consent for another integration takes no webhook out of a stopped one: it ends with the older connection', async () => {
  const { clinic_id, app, consent, hook, stop, resume } = await ground()
  const id = await hook()
  const exchange = await consent('Newer', HOOKS)
  await stop(app.integration_id)
  assert.equal((await exchange()).status, 200)
  await resume(app.integration_id)
  const { enabled, is_paused, integration_id } = await webhookOf(owner, clinic_id, id)
  assert.deepEqual([enabled, is_paused, integration_id], [false, false, app.integration_id])
})

test('a connection and a webhook whose integration is gone get one again, which Stop finds', async () => {
  const { clinic_id, app, hook, read, stop, members } = await ground()
  const id = await hook()
  for (const table of ['api_key', 'subscription'])
    await owner.query(sql`update ${sql.identifier(table)} set integration_id = 'int_gone'
      where clinic_id = ${clinic_id} and integration_id = ${app.integration_id}`)
  await owner.query(sql`delete from integration where clinic_id = ${clinic_id} and id = ${app.integration_id}`)
  const ids = (await read('/integrations')).map((one: { id: string }) => one.id)
  assert.ok(ids.includes(`int_${app.id}`), ids.join())
  assert.deepEqual(await members(), [{ id: app.id, integration_id: `int_${app.id}` }])
  await stop(`int_${app.id}`)
  assert.equal((await webhookOf(owner, clinic_id, id)).enabled, false)
})
