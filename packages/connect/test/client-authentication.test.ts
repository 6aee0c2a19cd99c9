// How an app proves that it is itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { OAuthError } from '../src/oauth-error.ts'
import { openedApps, storeApp } from './apps-ground.ts'

const { owner } = await testDatabase()
const { authentication, clock } = openedApps(owner)

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const prove = (form: Record<string, string>, authorization: string | null = null) =>
  authentication.authenticate(form, authorization)
const refusal = async (form: Record<string, string>, authorization: string | null = null) => {
  try {
    await prove(form, authorization)
  } catch (error) {
    assert.ok(error instanceof OAuthError)
    assert.match(error.message, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    return error
  }
  return assert.fail('it was taken')
}

test('a public app has its id alone, also where it sends an empty secret', async () => {
  const client_id = await storeApp(owner)
  assert.equal((await prove({ client_id })).id, client_id)
  assert.equal((await prove({ client_id, client_secret: '' })).id, client_id)
  assert.equal((await prove({}, basic(client_id, ''))).id, client_id)
  assert.equal((await refusal({ client_id, client_secret: makeKey('oas_live_') })).code, 'invalid_client')
})

test('a confidential app has its secret in the header or the form, and nothing opens it without', async () => {
  const secret = makeKey('oas_live_')
  const client_id = await storeApp(owner, { authentication: 'client_secret', secret })
  assert.equal((await prove({}, basic(client_id, secret))).id, client_id)
  assert.equal((await prove({ client_id }, basic(client_id, secret).replace('Basic', 'bAsIc'))).id, client_id)
  assert.equal((await prove({ client_id, client_secret: secret })).id, client_id)
  for (const wrong of ['', makeKey('oas_live_'), secret.slice(1), `${secret} `])
    assert.equal((await refusal({ client_id, client_secret: wrong })).code, 'invalid_client', wrong)
})

test('a former secret is good until its time, and no longer', async () => {
  const [secret, former] = [makeKey('oas_live_'), makeKey('oas_live_')]
  const client_id = await storeApp(owner, { authentication: 'client_secret', secret: former })
  const until = new Date(clock.now().getTime() + 1_000)
  await owner.query(sql`update app set former_secret_hash = secret_hash, former_secret_until = ${until},
    secret_hash = encode(sha256(convert_to(${secret}, 'UTF8')), 'hex') where id = ${client_id}`)
  for (const good of [secret, former]) assert.equal((await prove({ client_id, client_secret: good })).id, client_id)
  await clock.run(1_000)
  assert.equal((await prove({ client_id, client_secret: secret })).id, client_id)
  assert.equal((await refusal({ client_id, client_secret: former })).code, 'invalid_client')
})

test('an unknown app, a disabled one and a wrong secret have one answer', async () => {
  const secret = makeKey('oas_live_')
  const known = await storeApp(owner, { authentication: 'client_secret', secret })
  const disabled = await storeApp(owner, { authentication: 'client_secret', secret, disabled_at: new Date(0) })
  const [wrong, gone, none] = await Promise.all([
    refusal({ client_id: known, client_secret: makeKey('oas_live_') }),
    refusal({ client_id: disabled, client_secret: secret }),
    refusal({ client_id: 'app_unknown', client_secret: secret }),
  ])
  for (const { code, message, status } of [gone, none])
    assert.deepEqual({ code, message, status }, { code: wrong.code, message: wrong.message, status: wrong.status })
  assert.equal(wrong.status, 401)
})

test('several proofs, two ids, and half of a proof are refused with how to mend them', async () => {
  const secret = makeKey('oas_live_')
  const client_id = await storeApp(owner, { authentication: 'client_secret', secret })
  const header = basic(client_id, secret)
  const bad: readonly [Record<string, string>, string | null, RegExp][] = [
    [{}, null, /Send client_id/],
    [{ client_id, client_secret: secret }, header, /one proof/],
    [{ client_id, client_assertion: 'a.b.c', client_assertion_type: 'x' }, header, /one proof/],
    [{ client_id, client_assertion: 'a.b.c' }, null, /go together/],
    [{ client_id, client_assertion: 'a.b.c', client_assertion_type: 'x' }, null, /client_assertion_type is/],
    [{ client_id: 'app_other' }, header, /another app/],
  ]
  for (const [form, authorization, why] of bad) {
    const { code, message } = await refusal(form, authorization)
    assert.equal(code, 'invalid_request')
    assert.match(message, why)
  }
})

test('a header is read strictly', async () => {
  const secret = makeKey('oas_live_')
  const client_id = await storeApp(owner, { authentication: 'client_secret', secret })
  const encode = (text: string) => Buffer.from(text, 'latin1').toString('base64')
  const bad = [
    '',
    'Basic',
    `Bearer ${secret}`,
    `Basic ${encode(client_id)}`,
    `Basic ${encode(`:${secret}`)}`,
    `Basic ${encode(`${client_id}:${secret}%`)}`,
    `Basic ${encode(`${client_id}:%ff`)}`,
    `Basic ${encode(`${client_id}:\u00e9`)}`,
    `Basic ${encode(`${client_id}:${secret}`)}!`,
    `Basic ${encode(`${client_id}:${secret}`)} x`,
    `Basic ${'a'.repeat(10_000)}`,
  ]
  for (const header of bad) assert.equal((await refusal({}, header)).code, 'invalid_client', header)
  // Written as in a form, as RFC 6749 asks.
  const id = await storeApp(owner, {
    id: `app ${client_id}`.replace(' ', ':'),
    authentication: 'client_secret',
    secret,
  })
  assert.equal((await prove({}, `Basic ${encode(`${encodeURIComponent(id)}:${secret}`)}`)).id, id)
})
