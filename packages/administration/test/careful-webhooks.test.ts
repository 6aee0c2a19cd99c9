// Care of the contract's operations that the console opens: webhooks bring every patient to their address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { operations } from '@clinic-data/contract/operations'
import { sql, utcSession } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { carefulBackend } from '../src/routes/careful-backend.ts'
import { administratorsStillValid, principalOf } from '../src/routes/signed-in.ts'
import { cookieToken } from '../src/sessions/session-cookie.ts'
import { findSession } from '../src/sessions/sessions.ts'
import { approvalGround } from './approval-ground.ts'
import { audited, openConsole, type Person, person, signedIn } from './console-ground.ts'

const { owner, app } = await testDatabase()
const opened = await openConsole(owner)
const { clinicOfTwo, demand, latest, decide } = approvalGround(owner, opened)

const now = () => new Date()
const url = 'https://receiver.clinic.example/events'

/** The contract's operations in the name of somebody who is signed in. */
async function calling(who: Person, more: { checkTarget?: () => Promise<null> } = {}) {
  const token = cookieToken(await signedIn(opened, owner, who), false) ?? assert.fail('no cookie')
  const find = async () => (await findSession(owner, token, { now: now(), isUse: true })) ?? assert.fail('no session')
  const validOf = administratorsStillValid(owner)
  const local = createBackend({ database: app, now, log: failingLog, validOf, secretKeys: newSecretKeys(), ...more })
  const backend = carefulBackend(local, { consoleDatabase: owner, now, log: failingLog })
  const as = async (operation: 'webhooks.create' | 'webhooks.update') =>
    principalOf({ session: await find(), address: '192.0.2.1' }, operations[operation])
  return { backend, as }
}

test('a webhook is made, sent elsewhere and shown a new secret only after a late proof, and paused and deleted without one', async () => {
  const noa = await person(owner)
  const { backend, as } = await calling(noa)
  const proven = await as('webhooks.create')
  const wanted = { url, event_types: ['call.completed', 'payment.recorded'] as const }
  const { data } = await ask(backend, noa.clinic, 'webhooks.create', { principal: proven, body: wanted })
  await owner.query(sql`update administrator_session set proven_at = null where clinic_id = ${noa.clinic.clinic_id}`)
  const late = {
    principal: await as('webhooks.create'),
    params: { id: data.id },
  }
  const refused = problem('forbidden')
  await assert.rejects(ask(backend, noa.clinic, 'webhooks.create', { ...late, params: {}, body: wanted }), refused)
  await assert.rejects(ask(backend, noa.clinic, 'webhooks.secret.rotate', late), refused)
  const change = (body: object) => ask(backend, noa.clinic, 'webhooks.update', { ...late, body })
  for (const body of [
    { url: 'https://elsewhere.example/events' },
    { event_types: ['call.completed', 'patient.created'] },
    { event_types: [] },
    { event_types: null },
  ])
    await assert.rejects(change(body), refused, JSON.stringify(body))
  await change({ url, event_types: ['payment.recorded'], description: 'The CRM', enabled: true })
  await change({ enabled: false })
  await assert.rejects(change({ enabled: true }), refused)
  await ask(backend, noa.clinic, 'webhooks.delete', late)
})

test('where the clinic wants approvals a webhook is made and sent elsewhere after one, and narrowed without', async () => {
  const { noa, dan } = await clinicOfTwo()
  const { backend, as } = await calling(noa)
  const waits = problem('forbidden')
  const approveLatest = async () => {
    const asked = await latest(dan)
    assert.deepEqual(await decide(dan, asked, 'approve'), [200, 'approved'])
    return asked
  }
  const create = async (body: object, key: string) =>
    ask(backend, noa.clinic, 'webhooks.create', { principal: await as('webhooks.create'), body, idempotency_key: key })
  const wanted = { url, event_types: ['payment.recorded'] }
  await assert.rejects(create(wanted, 'one'), waits)
  const asked = await approveLatest()
  assert.deepEqual([asked.operation, JSON.parse(asked.request).shown], ['webhooks.create', { name: url }])
  await assert.rejects(create({ url }, 'one'), waits, 'more events are another request')
  const { data } = await create(wanted, 'one')
  assert.equal((await create(wanted, 'one')).data.id, data.id, 'the same request again is no second use')
  await assert.rejects(create(wanted, 'two'), waits)

  const change = async (body: object) =>
    ask(backend, noa.clinic, 'webhooks.update', {
      principal: await as('webhooks.update'),
      params: { id: data.id },
      body,
    })
  const elsewhere = { url: 'https://elsewhere.example/events' }
  await assert.rejects(change(elsewhere), waits)
  const { request } = await approveLatest()
  assert.deepEqual(JSON.parse(request).shown.former, { ...wanted, enabled: true })
  await change({ enabled: false, description: 'The CRM' })
  await assert.rejects(change(elsewhere), waits, 'it is not as it was')
  await assert.rejects(change({ enabled: true }), waits)
  await approveLatest()
  assert.equal((await change({ enabled: true })).data.enabled, true)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.approvals.spend')
  assert.equal(rows.length, 2 + 1, 'each with the request id of its webhook')
})

test('an approval is given back when the webhook that it let through is refused', async () => {
  const { noa, dan } = await clinicOfTwo()
  const { backend, as } = await calling(noa)
  const create = async (description: string) => {
    const values = { body: { url, description }, idempotency_key: 'k' }
    return ask(backend, noa.clinic, 'webhooks.create', { principal: await as('webhooks.create'), ...values })
  }
  for (const description of ['One', 'Two']) {
    await assert.rejects(create(description), problem('forbidden'))
    assert.deepEqual(await decide(dan, await latest(dan), 'approve'), [200, 'approved'])
  }
  await create('One')
  await assert.rejects(create('Two'), problem('idempotency-key-reused'))
  assert.equal((await latest(dan)).state, 'approved')
  // As if the answer of the first were no longer kept for it.
  await owner.query(
    sql`update idempotency set request_hash = ${'0'.repeat(64)} where clinic_id = ${noa.clinic.clinic_id}`,
  )
  await assert.rejects(create('One'), problem('idempotency-key-reused'))
  await assert.rejects(
    ask(backend, noa.clinic, 'webhooks.create', {
      principal: await as('webhooks.create'),
      body: { url, description: 'One' },
      idempotency_key: 'another',
    }),
    problem('forbidden'),
    'what was done by an approval is done',
  )
})

test('a change that opened nothing when it was weighed opens nothing either when somebody has narrowed the webhook since', async () => {
  const { noa } = await clinicOfTwo()
  await demand(noa, false)
  const { backend, as } = await calling(noa)
  const { clinic } = noa
  const wanted = { url, event_types: ['payment.recorded', 'call.completed'] as const }
  for (const [body, narrow] of [
    [{ enabled: true }, sql`enabled = false, is_paused = true, disabled_at = now(), disabled_reason = 'Paused.'`],
    [{ url }, sql`url = 'https://moved.clinic.example/events'`],
    [{ event_types: wanted.event_types }, sql`event_types = ${['call.completed']}`],
  ] as const) {
    const principal = await as('webhooks.create')
    const { data } = await ask(backend, clinic, 'webhooks.create', { principal, body: wanted })
    await demand(noa, true)
    const stored = async () =>
      (await owner.query(sql`select url, event_types, enabled from subscription where id = ${data.id}`)).rows
    let sent: Promise<unknown> = Promise.resolve()
    await owner.write(utcSession(clinic.clinic_id), async (tx) => {
      await tx.query(sql`update subscription set ${narrow} where clinic_id = ${clinic.clinic_id} and id = ${data.id}`)
      const change = { principal: await as('webhooks.update'), params: { id: data.id }, body }
      sent = ask(backend, clinic, 'webhooks.update', change)
      await doneOrWaiting(owner, tx, sent, '%for share%')
    })
    const narrowed = await stored()
    await assert.rejects(sent, problem('conflict'), JSON.stringify(body))
    assert.deepEqual(await stored(), narrowed)
    await demand(noa, false)
  }
})

test('an approval opens what was approved, and not what the webhook has become since', async () => {
  const { noa, dan } = await clinicOfTwo()
  await demand(noa, false)
  const { backend, as } = await calling(noa)
  const { clinic } = noa
  const principal = await as('webhooks.create')
  const { data } = await ask(backend, clinic, 'webhooks.create', { principal, body: { url } })
  const change = async (body: object) =>
    ask(backend, clinic, 'webhooks.update', { principal: await as('webhooks.update'), params: { id: data.id }, body })
  await change({ enabled: false })
  await demand(noa, true)
  await assert.rejects(change({ enabled: true }), problem('forbidden'))
  await decide(dan, await latest(dan), 'approve')
  let sent: Promise<unknown> = Promise.resolve()
  await owner.write(utcSession(clinic.clinic_id), async (tx) => {
    await tx.query(sql`update subscription set url = 'https://moved.clinic.example/events'
      where clinic_id = ${clinic.clinic_id} and id = ${data.id}`)
    sent = change({ enabled: true })
    await doneOrWaiting(owner, tx, sent, '%for share%')
  })
  await assert.rejects(sent, problem('conflict'))
  assert.equal((await latest(dan)).state, 'approved', 'it is given back')
})

test('no webhook that needed no approval when it was weighed is made once the clinic wants one', async () => {
  const { noa } = await clinicOfTwo()
  await demand(noa, false)
  // The name of the address is looked up after it was weighed.
  const checkTarget = () => demand(noa, true).then(() => null)
  const { backend, as } = await calling(noa, { checkTarget })
  const made = { principal: await as('webhooks.create'), body: { url } }
  await assert.rejects(ask(backend, noa.clinic, 'webhooks.create', made), problem('conflict'))
  const change = { principal: await as('webhooks.create'), body: { url } }
  await assert.rejects(ask(backend, noa.clinic, 'webhooks.create', change), problem('forbidden'))
})
