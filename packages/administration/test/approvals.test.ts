// A second person's approval: what opens patients' data wider waits for another owner or administrator, goes on once it is approved, and only once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { APPROVALS, approvedOperations, opensPatients } from '@clinic-data/console-contract/approvals'
import { allScopes } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { updateClinic } from '../src/clinics.ts'
import { NOTHING_ELSE } from '../src/credentials/credentials.ts'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, openConsole, type Sent, send, signedIn } from './console-ground.ts'
import { INVITED, inRole, type SignedPerson, setRole } from './people-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })

const KEY = { name: 'CRM', scopes: ['patients:read'] }

/** Two owners of a clinic, and an administrator. The clinic wants approvals. */
async function clinicOfTwo(console = opened) {
  const noa = await inRole(console, owner, 'owner')
  const dan = await inRole(console, owner, 'owner', noa.clinic)
  const tal = await inRole(console, owner, 'administrator', noa.clinic)
  await demand(noa, true)
  return { noa, dan, tal }
}

/** As the operator sets it, by `clinicd clinics update`. */
const demand = ({ clinic: { clinic_id } }: SignedPerson, needs_approval: boolean) =>
  updateClinic(owner, clinic_id, { needs_approval }, NOTHING_ELSE)

const post = ({ cookie }: SignedPerson, path: string, sent: Sent = {}, console = opened) =>
  send(console, path, { cookie, headers: once(), ...sent })
const mint = (who: SignedPerson, body: object = KEY, console = opened) => post(who, '/keys', { body }, console)
const listed = async ({ cookie }: SignedPerson, console = opened) =>
  (await send(console, '/approvals', { method: 'GET', cookie })).json
const latest = async (who: SignedPerson, console = opened) => (await listed(who, console)).data[0]

const told = ({ status, json }: Awaited<ReturnType<typeof send>>) => [status, json?.code, json?.errors?.[0]?.code]
const WAITS = [403, 'forbidden', 'approval_required']

async function decide(
  who: SignedPerson,
  { id }: { id: string },
  what: 'approve' | 'refuse' | 'withdraw',
  console = opened,
) {
  const { status, json } = await post(who, `/approvals/${id}/${what}`, {}, console)
  return [status, json.data?.state ?? json.code]
}

test('a key waits for another person, is made by the same request once it is approved, and only once', async () => {
  const { noa, tal } = await clinicOfTwo()
  assert.deepEqual(told(await mint(noa)), WAITS)
  const asked = await latest(tal)
  assert.deepEqual(
    [asked.operation, asked.asked_by.id, asked.state, asked.decided_by],
    ['console.keys.mint', noa.id, 'waiting', null],
  )
  assert.deepEqual(JSON.parse(asked.request), { body: KEY, params: {}, shown: KEY })
  assert.deepEqual(await decide(tal, asked, 'approve'), [200, 'approved'])
  // It was written in another order, and is the same.
  assert.equal((await mint(noa, { scopes: KEY.scopes, name: KEY.name })).status, 201)
  assert.equal((await latest(noa)).state, 'used')
  assert.deepEqual(told(await mint(noa)), WAITS)
  const { json } = await send(opened, '/keys', { method: 'GET', cookie: noa.cookie })
  assert.equal(json.data.length, 1)
})

test('the audit log holds who asked, who approved and what was done by it', async () => {
  const { noa, tal } = await clinicOfTwo()
  await mint(noa)
  const { id } = await latest(tal)
  await decide(tal, { id }, 'approve')
  const { json } = await mint(noa)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => /keys\.mint|approvals/.test(operation))
  assert.deepEqual(
    rows.map(({ operation, key_id, status, resource_ids }) => [operation, key_id, status, resource_ids]),
    [
      ['console.approvals.ask', noa.id, 202, [id]],
      ['console.keys.mint', noa.id, 403, []],
      ['console.approvals.approve', tal.id, 200, [id]],
      ['console.keys.mint', noa.id, 201, [json.data.id, id]],
    ],
  )
})

test('asking for the same again is one request, and anything else is another one', async () => {
  const { noa, dan } = await clinicOfTwo()
  for (const body of [
    KEY,
    KEY,
    { ...KEY, name: 'CRM 2' },
    { ...KEY, scopes: ['calls:read'] },
    { ...KEY, rate_limit: 9 },
  ])
    assert.deepEqual(told(await mint(noa, body)), WAITS)
  assert.equal((await listed(dan)).data.length, 4)
  await mint(dan)
  const ofNoa = (await listed(dan)).data.find(
    (one: { asked_by: { id: string }; request: string }) =>
      one.asked_by.id === noa.id && JSON.parse(one.request).body.name === 'CRM 2',
  )
  await decide(dan, ofNoa, 'approve')
  for (const [who, body] of [
    [noa, KEY],
    [noa, { ...KEY, name: 'CRM 2', scopes: allScopes }],
    [dan, { ...KEY, name: 'CRM 2' }],
  ] as const)
    assert.deepEqual(told(await mint(who, body)), WAITS, 'nobody else, and nothing else')
  assert.equal((await mint(noa, { ...KEY, name: 'CRM 2' })).status, 201)
})

test('nobody approves what one has asked for oneself, and whoever may make no keys approves none', async () => {
  const { noa, dan, tal } = await clinicOfTwo()
  await mint(tal)
  const { id } = await latest(tal)
  assert.deepEqual(await decide(tal, { id }, 'approve'), [403, 'forbidden'])
  assert.deepEqual(await decide(tal, { id }, 'refuse'), [403, 'forbidden'])
  assert.deepEqual(await decide(noa, { id }, 'withdraw'), [403, 'forbidden'])
  for (const role of ['developer', 'auditor', 'member'] as const) {
    await setRole(owner, dan, role)
    for (const what of ['approve', 'refuse'] as const)
      assert.deepEqual(await decide(dan, { id }, what), [403, 'forbidden'])
  }
  const stranger = (await clinicOfTwo()).noa
  assert.deepEqual(await decide(stranger, { id }, 'approve'), [404, 'not-found'])
  assert.deepEqual((await listed(stranger)).data, [])
  assert.equal((await latest(tal)).state, 'waiting')
})

test('an approval ends with whoever gave it: with the account, and with the role', async () => {
  const { noa, dan, tal } = await clinicOfTwo()
  const approvedBy = async (who: SignedPerson, name: string) => {
    await mint(noa, { ...KEY, name })
    assert.deepEqual(await decide(who, await latest(who), 'approve'), [200, 'approved'])
  }
  await approvedBy(dan, 'A')
  await approvedBy(tal, 'B')
  await post(noa, `/people/${dan.id}/disable`)
  await setRole(owner, tal, 'developer')
  for (const name of ['A', 'B']) assert.deepEqual(told(await mint(noa, { ...KEY, name })), WAITS, name)
  await setRole(owner, tal, 'owner')
  assert.equal((await mint(noa, { ...KEY, name: 'B' })).status, 201)
})

test('whoever asked may no longer do it: the approval opens nothing', async () => {
  const { noa, tal } = await clinicOfTwo()
  await mint(tal)
  await decide(noa, await latest(noa), 'approve')
  await setRole(owner, tal, 'developer')
  assert.deepEqual(told(await mint(tal)), [403, 'forbidden', undefined])
})

test('one approval lets one of many requests at once through', async () => {
  const { noa, dan } = await clinicOfTwo()
  await mint(noa)
  await decide(dan, await latest(dan), 'approve')
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => mint(noa)))).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, 403, 403, 403, 403, 403, 403, 403])
})

test('the same request again is no second use, and a lost answer is told as ever', async () => {
  const { noa, dan } = await clinicOfTwo()
  const headers = { 'idempotency-key': randomUUID() }
  await post(noa, '/keys', { body: KEY, headers })
  await decide(dan, await latest(dan), 'approve')
  assert.equal((await post(noa, '/keys', { body: KEY, headers })).status, 201)
  assert.deepEqual(told(await post(noa, '/keys', { body: KEY, headers })), [409, 'conflict', undefined])
})

test('a refused, a withdrawn and an expired request are over, and so is an approval that is taken back or too old', async () => {
  const console = await openConsole(owner, { connect })
  const { noa, dan } = await clinicOfTwo(console)
  const again = async (who: SignedPerson) => ({ ...who, cookie: await signedIn(console, owner, who) })
  const ask = async (who = noa) => {
    assert.deepEqual(told(await mint(who, KEY, console)), WAITS)
    return latest(who, console)
  }
  const CLOSED = [409, 'conflict']
  const refused = await ask()
  assert.deepEqual(await decide(dan, refused, 'refuse', console), [200, 'refused'])
  assert.deepEqual(await decide(dan, refused, 'approve', console), CLOSED)
  const withdrawn = await ask()
  assert.notEqual(withdrawn.id, refused.id)
  assert.deepEqual(await decide(noa, withdrawn, 'withdraw', console), [200, 'withdrawn'])
  assert.deepEqual(await decide(dan, withdrawn, 'approve', console), CLOSED)
  const takenBack = await ask()
  assert.deepEqual(await decide(dan, takenBack, 'approve', console), [200, 'approved'])
  assert.deepEqual(await decide(dan, takenBack, 'refuse', console), [200, 'refused'])
  const tooOld = await ask()
  console.clock.advance(APPROVALS.hours_to_decide * 60 - 1)
  const [late, later] = [await again(noa), await again(dan)]
  assert.deepEqual(await decide(later, tooOld, 'approve', console), [200, 'approved'])
  console.clock.advance(APPROVALS.hours_to_use * 60)
  const [noaAgain, danAgain] = [await again(late), await again(later)]
  assert.equal((await latest(noaAgain, console)).state, 'expired')
  const expired = await ask(noaAgain)
  assert.notEqual(expired.id, tooOld.id)
  console.clock.advance(APPROVALS.hours_to_decide * 60)
  assert.deepEqual(await decide(await again(danAgain), expired, 'approve', console), CLOSED)
})

test('one person waits for at most so many, and is told', async () => {
  const { noa, dan } = await clinicOfTwo()
  for (let i = 0; i < APPROVALS.most_waiting; i++)
    assert.deepEqual(told(await mint(noa, { ...KEY, name: `K${i}` })), WAITS)
  const { status, json } = await mint(noa, { ...KEY, name: 'One more' })
  assert.deepEqual([status, json.code], [429, 'rate-limited'])
  assert.deepEqual(told(await mint(noa, { ...KEY, name: 'K0' })), WAITS, 'the same again is no other one')
  assert.deepEqual(await decide(noa, await latest(noa), 'withdraw'), [200, 'withdrawn'])
  assert.deepEqual(told(await mint(noa, { ...KEY, name: 'One more' })), WAITS)
  assert.deepEqual(told(await mint(dan)), WAITS)
})

test('what opens patients’ data wider waits, and what opens none or narrows goes on', async () => {
  const { noa, dan, tal } = await clinicOfTwo()
  await demand(noa, false)
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const key = (await mint(noa, { ...KEY, expires_at: days(30), networks: ['10.0.0.0/8'], rate_limit: 100 })).json.data
  const slots = (await mint(noa, { name: 'Slots', scopes: ['availability:read'], expires_at: days(30) })).json.data
  const connection = await connectApp(opened, { owner, cookie: noa.cookie, token }, ['patients:read', 'catalog:read'])
  await post(noa, `/connections/${connection.id}`, { body: { expires_at: days(30) } })
  await demand(noa, true)
  await setRole(owner, tal, 'developer')
  const app = await storeApp(owner)
  const device = async () => storeDevice(owner, app)
  const wider: [path: string, body: object][] = [
    ['/keys', KEY],
    ['/keys', { name: 'All', scopes: ['catalog:read', 'webhooks:manage'] }],
    [`/keys/${key.id}`, { expires_at: days(31) }],
    [`/keys/${key.id}`, { rate_limit: 101 }],
    [`/keys/${key.id}`, { networks: null }],
    [`/connections/${connection.id}`, { expires_at: null }],
    ['/connect/allow', { request: requestOf(app), scopes: ['patients:read'], days: 30 }],
    ['/device/allow', { user_code: await device(), scopes: ['patients:read'], days: 30 }],
    ['/invitations', { ...INVITED, role: 'administrator' }],
    ['/invitations', { ...INVITED, role: 'owner' }],
    [`/people/${tal.id}/role`, { role: 'administrator' }],
    ['/approval-rule', { is_on: false }],
  ]
  for (const [path, body] of wider) assert.deepEqual(told(await post(noa, path, { body })), WAITS, path)
  const others: typeof wider = [
    ['/keys', { name: 'Web site', scopes: ['catalog:read', 'availability:read'] }],
    [`/keys/${key.id}`, { expires_at: days(29), networks: ['10.0.0.1'], rate_limit: 50, name: 'Narrow' }],
    [`/keys/${slots.id}`, { expires_at: null }],
    [`/connections/${connection.id}`, { scopes: ['patients:read'], expires_at: days(5) }],
    [
      '/connect/allow',
      { request: requestOf(app, undefined, { scope: 'catalog:read' }), scopes: ['catalog:read'], days: 30 },
    ],
    ['/invitations', { ...INVITED, role: 'member' }],
    [`/people/${tal.id}/role`, { role: 'auditor' }],
    [`/keys/${key.id}/revoke`, {}],
  ]
  for (const [path, body] of others) {
    const { status, payload } = await post(noa, path, { ...(!path.endsWith('/revoke') && { body }) })
    assert.ok(status < 300, `${path} ${payload}`)
  }
  const operations = new Set((await listed(dan)).data.map(({ operation }: { operation: string }) => operation))
  assert.equal(operations.size, approvedOperations.length)
})

test('each scope but those of the catalog and of free slots opens patients’ data', () => {
  assert.deepEqual(
    allScopes.filter((scope) => !opensPatients([scope])),
    ['availability:read', 'catalog:read'],
  )
})

test('an app is approved by what it may do, for whichever request it comes with', async () => {
  const { noa, dan } = await clinicOfTwo()
  const [app, other] = [await storeApp(owner), await storeApp(owner)]
  const allow = (client: string, more: object = {}) =>
    post(noa, '/connect/allow', { body: { request: requestOf(client), scopes: ['patients:read'], days: 30, ...more } })
  assert.deepEqual(told(await allow(app)), WAITS)
  const asked = await latest(dan)
  assert.deepEqual(JSON.parse(asked.request), {
    body: { scopes: ['patients:read'], days: 30, integration_id: null },
    params: {},
    shown: { name: 'Desk', app_id: app, host: null, is_verified: true, audience: null },
  })
  await decide(dan, asked, 'approve')
  for (const [client, more] of [
    [other, {}],
    [app, { days: 90 }],
  ] as const)
    assert.deepEqual(told(await allow(client, more)), WAITS)
  assert.equal((await allow(app)).status, 201)
})

test('a member asks for an app, sees its own requests alone, and may withdraw them', async () => {
  const { noa, dan } = await clinicOfTwo()
  const mia = await inRole(opened, owner, 'member', noa.clinic)
  await mint(noa)
  await post(noa, '/member-scopes', { body: { scopes: ['patients:read'] } })
  const body = { request: requestOf(await storeApp(owner)), scopes: ['patients:read'], days: 30 }
  assert.deepEqual(told(await post(mia, '/connect/allow', { body })), WAITS)
  const { data } = await listed(mia)
  assert.deepEqual(
    data.map(({ asked_by }: { asked_by: { id: string } }) => asked_by.id),
    [mia.id],
  )
  const ofNoa = (await listed(dan)).data.find((one: { asked_by: { id: string } }) => one.asked_by.id === noa.id)
  assert.deepEqual(await decide(mia, ofNoa, 'withdraw'), [404, 'not-found'])
  assert.deepEqual(await decide(mia, data[0], 'withdraw'), [200, 'withdrawn'])
})

test('a key that changed since is not the one that was approved', async () => {
  const { noa, dan } = await clinicOfTwo()
  await demand(noa, false)
  const { id } = (await mint(noa, { ...KEY, rate_limit: 100 })).json.data
  await demand(noa, true)
  const faster = () => post(noa, `/keys/${id}`, { body: { rate_limit: 300 } })
  assert.deepEqual(told(await faster()), WAITS)
  const asked = await latest(dan)
  assert.deepEqual(JSON.parse(asked.request).shown.former, { expires_at: null, rate_limit: 100, networks: null })
  await decide(dan, asked, 'approve')
  await post(noa, `/keys/${id}`, { body: { rate_limit: 50 } })
  assert.deepEqual(told(await faster()), WAITS)
})

test('an owner turns it on where another one could approve, and off only with an approval', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const set = (who: SignedPerson, is_on: boolean) => post(who, '/approval-rule', { body: { is_on } })
  assert.deepEqual(told(await set(noa, true)), [409, 'conflict', undefined])
  const tal = await inRole(opened, owner, 'administrator', noa.clinic)
  assert.deepEqual(told(await set(tal, true)), [403, 'forbidden', undefined])
  const { json } = await set(noa, true)
  assert.deepEqual(json.data, { is_on: true, approvers: 2 })
  assert.deepEqual((await listed(tal)).rule, { is_on: true, approvers: 2 })
  const session = await send(opened, '/session', { method: 'GET', cookie: noa.cookie })
  assert.equal(session.json.data.needs_approval, true)
  assert.deepEqual(told(await mint(noa)), WAITS)
  assert.deepEqual(told(await set(noa, false)), WAITS)
  await decide(tal, await latest(tal), 'approve')
  assert.equal((await set(noa, false)).json.data.is_on, false)
  assert.equal((await mint(noa)).status, 201, 'without an approval')
})

test('a key that is under way when it is turned on is made before the answer or waits', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const tal = await inRole(opened, owner, 'administrator', noa.clinic)
  const minted = Promise.all(Array.from({ length: 6 }, (_, i) => mint(tal, { ...KEY, name: `K${i}` })))
  assert.equal((await post(noa, '/approval-rule', { body: { is_on: true } })).status, 200)
  const count = async () =>
    (
      await owner.read<{ id: string }>(
        utcSession(noa.clinic.clinic_id),
        sql`select id from api_key where clinic_id = ${noa.clinic.clinic_id}`,
      )
    ).length
  const atAnswer = await count()
  const made = (await minted).filter(({ status }) => status === 201).length
  assert.deepEqual([await count(), made], [atAnswer, atAnswer])
})

test('the proof of who sits there is asked for first, and an old one approves nothing', async () => {
  const { noa, dan } = await clinicOfTwo()
  const forget = ({ clinic, id }: SignedPerson) =>
    owner.query(sql`update administrator_session set proven_at = null
      where clinic_id = ${clinic.clinic_id} and administrator_id = ${id}`)
  await mint(noa)
  const { id } = await latest(dan)
  await forget(dan)
  assert.deepEqual(told(await post(dan, `/approvals/${id}/approve`)), [403, 'forbidden', 'confirmation_required'])
  await forget(noa)
  assert.deepEqual(told(await mint(noa, { ...KEY, name: 'Other' })), [403, 'forbidden', 'confirmation_required'])
  assert.equal((await listed(dan)).data.length, 1)
})
