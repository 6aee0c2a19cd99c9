// A second person's approval: what waits for it goes on once it is approved, and only once, as long as whoever approved it may.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { allScopes } from '@clinic-data/contract'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { approvalGround, codesOf, KEY, WAITS, whileKeyWaits } from './approval-ground.ts'
import { once } from './connecting.ts'
import { audited, openConsole, send, signedIn } from './console-ground.ts'
import { type SignedPerson, setRole } from './people-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)
const { clinicOfTwo, post, mint, listed, latest, decide } = approvalGround(owner, opened)

test('a key waits for another person, is made by the same request once it is approved, and only once', async () => {
  const { noa, tal } = await clinicOfTwo()
  assert.deepEqual(codesOf(await mint(noa)), WAITS)
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
  assert.deepEqual(codesOf(await mint(noa)), WAITS)
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
    assert.deepEqual(codesOf(await mint(noa, body)), WAITS)
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
    assert.deepEqual(codesOf(await mint(who, body)), WAITS, 'nobody else, and nothing else')
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
  for (const name of ['A', 'B']) assert.deepEqual(codesOf(await mint(noa, { ...KEY, name })), WAITS, name)
  await setRole(owner, tal, 'owner')
  assert.equal((await mint(noa, { ...KEY, name: 'B' })).status, 201)
})

test('whoever asked may no longer do it: the approval opens nothing', async () => {
  const { noa, tal } = await clinicOfTwo()
  await mint(tal)
  await decide(noa, await latest(noa), 'approve')
  await setRole(owner, tal, 'developer')
  assert.deepEqual(codesOf(await mint(tal)), [403, 'forbidden', undefined])
})

test('one approval lets one of two requests at once through', async () => {
  const { noa, dan } = await clinicOfTwo()
  await mint(noa)
  await decide(dan, await latest(dan), 'approve')
  const first = once()
  const sent = await whileKeyWaits(owner, noa, first['idempotency-key'], async (tx) => {
    const one = post(noa, '/keys', { body: KEY, headers: first })
    await doneOrWaiting(owner, tx, one, '%insert into api_key%')
    const other = mint(noa)
    await doneOrWaiting(owner, tx, other, '%update approval%')
    return [one, other]
  })
  assert.deepEqual(
    (await Promise.all(sent)).map(({ status }) => status),
    [201, 403],
  )
})

test('the same request again is no second use, and a lost answer is told as ever', async () => {
  const { noa, dan } = await clinicOfTwo()
  const headers = { 'idempotency-key': randomUUID() }
  await post(noa, '/keys', { body: KEY, headers })
  await decide(dan, await latest(dan), 'approve')
  assert.equal((await post(noa, '/keys', { body: KEY, headers })).status, 201)
  assert.deepEqual(codesOf(await post(noa, '/keys', { body: KEY, headers })), [409, 'conflict', undefined])
})

test('a refused, a withdrawn and an expired request are over, and so is an approval that is taken back or too old', async () => {
  const console = await openConsole(owner)
  const { clinicOfTwo, mint, latest, decide } = approvalGround(owner, console)
  const { noa, dan } = await clinicOfTwo()
  const again = async (who: SignedPerson) => ({ ...who, cookie: await signedIn(console, owner, who) })
  const ask = async (who = noa) => {
    assert.deepEqual(codesOf(await mint(who)), WAITS)
    return latest(who)
  }
  const CLOSED = [409, 'conflict']
  const refused = await ask()
  assert.deepEqual(await decide(dan, refused, 'refuse'), [200, 'refused'])
  assert.deepEqual(await decide(dan, refused, 'approve'), CLOSED)
  const withdrawn = await ask()
  assert.notEqual(withdrawn.id, refused.id)
  assert.deepEqual(await decide(noa, withdrawn, 'withdraw'), [200, 'withdrawn'])
  assert.deepEqual(await decide(dan, withdrawn, 'approve'), CLOSED)
  const takenBack = await ask()
  assert.deepEqual(await decide(dan, takenBack, 'approve'), [200, 'approved'])
  assert.deepEqual(await decide(dan, takenBack, 'refuse'), [200, 'refused'])
  const tooOld = await ask()
  console.clock.advance(APPROVALS.hours_to_decide * 60 - 1)
  const [late, later] = [await again(noa), await again(dan)]
  assert.deepEqual(await decide(later, tooOld, 'approve'), [200, 'approved'])
  console.clock.advance(APPROVALS.hours_to_use * 60)
  const [noaAgain, danAgain] = [await again(late), await again(later)]
  assert.equal((await latest(noaAgain)).state, 'expired')
  const expired = await ask(noaAgain)
  assert.notEqual(expired.id, tooOld.id)
  console.clock.advance(APPROVALS.hours_to_decide * 60)
  assert.deepEqual(await decide(await again(danAgain), expired, 'approve'), CLOSED)
})

test('one person waits for at most so many, and is told', async () => {
  const { noa, dan } = await clinicOfTwo()
  for (let i = 0; i < APPROVALS.most_waiting; i++)
    assert.deepEqual(codesOf(await mint(noa, { ...KEY, name: `K${i}` })), WAITS)
  const { status, json } = await mint(noa, { ...KEY, name: 'One more' })
  assert.deepEqual([status, json.code], [429, 'rate-limited'])
  assert.deepEqual(codesOf(await mint(noa, { ...KEY, name: 'K0' })), WAITS, 'the same again is no other one')
  assert.deepEqual(await decide(noa, await latest(noa), 'withdraw'), [200, 'withdrawn'])
  assert.deepEqual(codesOf(await mint(noa, { ...KEY, name: 'One more' })), WAITS)
  assert.deepEqual(codesOf(await mint(dan)), WAITS)
})
