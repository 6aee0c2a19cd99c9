// A second consent of one person for one app: whose connection stays, and what becomes of the webhooks of the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScopes } from '@clinic-data/contract'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import {
  allowed,
  type Connect,
  type Consent,
  connected,
  newPerson,
  openConnect,
  type Person,
  storeApp,
} from './connect-ground.ts'

const { owner, app, openForConsole } = await testDatabase()
const console = await openForConsole()
const opened = openConnect({ owner: console, app })
const { post, principal } = opened
const LOOPBACK = 'http://127.0.0.1/callback'
const onComputer = { more: { redirect_uri: 'http://127.0.0.1:4321/callback' } }

async function reasonsOf({ clinic: { clinic_id } }: Person) {
  const rows = await owner.read<{ end_reason: string | null }>(
    utcSession(clinic_id),
    sql`select end_reason from connection where clinic_id = ${clinic_id} order by id`,
  )
  return rows.map((row) => row.end_reason)
}

/** The app makes a webhook with its connection. */
async function hook({ clinic: { clinic_id } }: Person, made_by: string, id: string, event_types: string[] = []) {
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by)
    values (${clinic_id}, ${id}, 'https://app.example/hook', ${event_types}, '', '', now(), ${made_by})`)
}

async function hooksOf({ clinic: { clinic_id } }: Person) {
  return owner.read<{ id: string; enabled: boolean; made_by: string }>(
    utcSession(clinic_id),
    sql`select id, enabled, made_by from subscription where clinic_id = ${clinic_id} order by id`,
  )
}

const allow = (
  person: Person,
  client_id: string,
  consent: Consent = {},
  from: Connect = opened,
  by: Database = console,
) => allowed(from, by, person, client_id, consent)

test('a site’s newer consent takes the place of the older one once its code is exchanged, and not before', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const older = await connected(opened, console, noa, client_id)
  const form = await allow(noa, client_id)
  assert.ok(await principal(older.access_token))
  const newer = (await post('token', form)).body
  assert.equal(await principal(older.access_token), null)
  assert.ok(await principal(newer.access_token))
  assert.deepEqual(await reasonsOf(noa), ['replaced', null])
})

test('an older code that comes after a newer one opens nothing', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const [first, second] = [await allow(noa, client_id), await allow(noa, client_id)]
  assert.equal((await post('token', second)).status, 200)
  assert.equal((await post('token', first)).body.error, 'invalid_grant')
  assert.deepEqual(await reasonsOf(noa), ['replaced', null])
})

test('two codes of a site at the same moment leave one connection', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
    const forms = [await allow(noa, client_id), await allow(noa, client_id)]
    await Promise.all(forms.map((form) => post('token', form)))
    assert.deepEqual(await reasonsOf(noa), ['replaced', null])
  }
})

test('programs on computers, other people, other apps and other audiences stand beside each other', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner, LOOPBACK)]
  const [dan, site] = [await newPerson(owner, noa.clinic), await storeApp(owner)]
  const mcp = { more: { resource: 'https://api.clinic.example/mcp' } }
  const all = [
    await connected(opened, console, noa, client_id, onComputer),
    await connected(opened, console, noa, client_id, onComputer),
    await connected(opened, console, noa, site),
    await connected(opened, console, dan, site),
    await connected(opened, console, noa, site, mcp),
    await connected(opened, console, noa, await storeApp(owner)),
  ]
  for (const { access_token } of all) assert.ok(await principal(access_token))
  assert.deepEqual(await reasonsOf(noa), Array(all.length).fill(null))
})

test('the newer connection has the webhooks that its scopes allow, and the others end', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const wide = { scopes: [...readScopes, 'webhooks:manage' as const], more: { scope: 'reads webhooks:manage' } }
  const { access_token } = await connected(opened, console, noa, client_id, wide)
  const older = (await principal(access_token))?.key_id ?? ''
  await hook(noa, older, 'wh_chat', ['chat.message.received'])
  await hook(noa, older, 'wh_patient', ['patient.created'])
  const narrower = { ...wide, scopes: wide.scopes.filter((scope) => scope !== 'chat:read') }
  const newer = await connected(opened, console, noa, client_id, narrower)
  const made_by = (await principal(newer.access_token))?.key_id ?? ''
  assert.deepEqual(await hooksOf(noa), [
    { id: 'wh_chat', enabled: false, made_by: older },
    { id: 'wh_patient', enabled: true, made_by },
  ])
  const reading = await connected(opened, console, noa, client_id)
  assert.ok(await principal(reading.access_token))
  assert.equal((await hooksOf(noa)).filter(({ enabled }) => enabled).length, 0)
})

test('a connection says where its app runs, and from where it took its first tokens', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner, LOOPBACK)]
  await connected(opened, console, noa, client_id, onComputer)
  await connected(opened, console, noa, await storeApp(owner))
  const { clinic_id } = noa.clinic
  const rows = await owner.read(
    utcSession(clinic_id),
    sql`select place, connected_from from connection where clinic_id = ${clinic_id} order by id`,
  )
  assert.deepEqual(rows, [
    { place: 'computer', connected_from: '192.0.2.7' },
    { place: 'web', connected_from: '192.0.2.7' },
  ])
})
