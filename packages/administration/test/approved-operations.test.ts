// The operations that wait for a second person where a clinic wants it, and the rule that turns it on and off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedOperations, opensPatients } from '@clinic-data/console-contract/approvals'
import { allScopes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { approvalGround, codesOf, KEY, WAITS, whileKeyWaits } from './approval-ground.ts'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { newPassword, openConsole } from './console-ground.ts'
import { rightsOver, storePatient } from './patient-ground.ts'
import { INVITED, inRole, type SignedPerson, setRole } from './people-ground.ts'

// Others wait for locks in the shared one.
const { owner, ownerUrl } = await ownDatabase()
const { patientRights } = await rightsOver(owner, ownerUrl)
const { connect, token } = connecting(owner)
/** It is never asked here. */
const openId = {
  issuer: 'https://login.example',
  clientId: 'console',
  clientSecret: newPassword(),
  name: 'Clinic SSO',
  isRequired: false,
  groupsClaim: 'groups',
  scopes: 'openid email',
}
const opened = await openConsole(owner, { connect, openId, patientRights })
const { clinicOfTwo, demand, post, mint, listed, latest, decide } = approvalGround(owner, opened)

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
  const ada = await inRole(opened, owner, 'administrator', noa.clinic)
  const app = await storeApp(owner)
  const device = async () => storeDevice(owner, app)
  await storePatient(owner, noa.clinic, 'pat_1')
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
    [`/people/${ada.id}/role`, { role: 'owner' }],
    ['/group-roles', { group: 'clinic-admins', role: 'administrator' }],
    ['/approval-rule', { is_on: false }],
    ['/patients/pat_1/erase', { include_doubtful: false }],
  ]
  for (const [path, body] of wider) assert.deepEqual(codesOf(await post(noa, path, { body })), WAITS, path)
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
    [`/people/${dan.id}/role`, { role: 'administrator' }],
    ['/group-roles', { group: 'clinic-audit', role: 'auditor' }],
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
  assert.deepEqual(codesOf(await allow(app)), WAITS)
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
    assert.deepEqual(codesOf(await allow(client, more)), WAITS)
  assert.equal((await allow(app)).status, 201)
})

test('a member asks for an app, sees its own requests alone, and may withdraw them', async () => {
  const { noa, dan } = await clinicOfTwo()
  const mia = await inRole(opened, owner, 'member', noa.clinic)
  await mint(noa)
  await post(noa, '/member-scopes', { body: { scopes: ['patients:read'] } })
  const body = { request: requestOf(await storeApp(owner)), scopes: ['patients:read'], days: 30 }
  assert.deepEqual(codesOf(await post(mia, '/connect/allow', { body })), WAITS)
  const { data } = await listed(mia)
  assert.deepEqual(
    data.map(({ asked_by }: { asked_by: { id: string } }) => asked_by.id),
    [mia.id],
  )
  const ofNoa = (await listed(dan)).data.find((one: { asked_by: { id: string } }) => one.asked_by.id === noa.id)
  assert.deepEqual(await decide(mia, ofNoa, 'withdraw'), [404, 'not-found'])
  assert.deepEqual(await decide(mia, data[0], 'withdraw'), [200, 'withdrawn'])
})

test('what was approved for a member opens nothing that members may no longer give', async () => {
  const { noa, dan } = await clinicOfTwo()
  const mia = await inRole(opened, owner, 'member', noa.clinic)
  const letGive = (scopes: string[]) => post(noa, '/member-scopes', { body: { scopes } })
  await letGive(['patients:read'])
  await demand(noa, false)
  const { id } = await connectApp(opened, { owner, cookie: mia.cookie, token })
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  assert.equal((await post(mia, `/connections/${id}`, { body: { expires_at } })).status, 200)
  await demand(noa, true)
  const asked: [path: string, body: object][] = [
    [`/connections/${id}`, { expires_at: null }],
    ['/connect/allow', { request: requestOf(await storeApp(owner)), scopes: ['patients:read'], days: 30 }],
  ]
  for (const [path, body] of asked) {
    assert.deepEqual(codesOf(await post(mia, path, { body })), WAITS, path)
    await decide(dan, await latest(dan), 'approve')
  }
  await letGive(['catalog:read'])
  const refused = [422, 'unprocessable', 'not_yours']
  for (const [path, body] of asked) assert.deepEqual(codesOf(await post(mia, path, { body })), refused, path)
  await letGive(['patients:read'])
  for (const [path, body] of asked) assert.ok((await post(mia, path, { body })).status < 300, path)
})

test('a key that changed since is not the one that was approved', async () => {
  const { noa, dan } = await clinicOfTwo()
  await demand(noa, false)
  const { id } = (await mint(noa, { ...KEY, rate_limit: 100 })).json.data
  await demand(noa, true)
  const faster = () => post(noa, `/keys/${id}`, { body: { rate_limit: 300 } })
  assert.deepEqual(codesOf(await faster()), WAITS)
  const asked = await latest(dan)
  assert.deepEqual(JSON.parse(asked.request).shown.former, { expires_at: null, rate_limit: 100, networks: null })
  await decide(dan, asked, 'approve')
  await post(noa, `/keys/${id}`, { body: { rate_limit: 50 } })
  assert.deepEqual(codesOf(await faster()), WAITS)
})

test('an owner turns it on where another one could approve, and off only with an approval', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const set = (who: SignedPerson, is_on: boolean) => post(who, '/approval-rule', { body: { is_on } })
  assert.deepEqual(codesOf(await set(noa, true)), [409, 'conflict', undefined])
  const tal = await inRole(opened, owner, 'administrator', noa.clinic)
  assert.deepEqual(codesOf(await set(tal, true)), [403, 'forbidden', undefined])
  const { json } = await set(noa, true)
  assert.deepEqual(json.data, { is_on: true, approvers: 2 })
  assert.deepEqual((await listed(tal)).rule, { is_on: true, approvers: 2 })
  assert.deepEqual(codesOf(await mint(noa)), WAITS)
  assert.deepEqual(codesOf(await set(noa, false)), WAITS)
  await decide(tal, await latest(tal), 'approve')
  assert.equal((await set(noa, false)).json.data.is_on, false)
  assert.equal((await mint(noa)).status, 201, 'without an approval')
})

test('a key that is under way when it is turned on is made before the answer', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const tal = await inRole(opened, owner, 'administrator', noa.clinic)
  const headers = once()
  const isStored = async () =>
    (await owner.query(sql`select from api_key where clinic_id = ${noa.clinic.clinic_id} and name = ${KEY.name}`)).rows
      .length
  let storedAtAnswer: number | null = null
  const sent = await whileKeyWaits(owner, noa, headers['idempotency-key'], async (tx) => {
    const minted = post(tal, '/keys', { body: KEY, headers })
    await doneOrWaiting(owner, tx, minted, '%insert into api_key%')
    const turned = post(noa, '/approval-rule', { body: { is_on: true } }).then(async (answer) => {
      storedAtAnswer = await isStored()
      return answer
    })
    // On a cluster the clinic's row waits already.
    await doneOrWaiting(owner, tx, turned, '%pg_advisory_xact_lock(%', '%update clinic set needs_approval%')
    assert.equal(storedAtAnswer, null)
    return [minted, turned]
  })
  assert.deepEqual(
    (await Promise.all(sent)).map(({ status }) => status),
    [201, 200],
  )
  assert.equal(storedAtAnswer, 1)
})

test('the proof of who sits there is asked for first, and an old one approves nothing', async () => {
  const { noa, dan } = await clinicOfTwo()
  const forget = ({ clinic, id }: SignedPerson) =>
    owner.query(sql`update administrator_session set proven_at = null
      where clinic_id = ${clinic.clinic_id} and administrator_id = ${id}`)
  await mint(noa)
  const { id } = await latest(dan)
  await forget(dan)
  assert.deepEqual(codesOf(await post(dan, `/approvals/${id}/approve`)), [403, 'forbidden', 'confirmation_required'])
  await forget(noa)
  assert.deepEqual(codesOf(await mint(noa, { ...KEY, name: 'Other' })), [403, 'forbidden', 'confirmation_required'])
  assert.equal((await listed(dan)).data.length, 1)
})
