// `clinicd apps`: what an operator registers, rotates and disables.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openApps } from '@clinic-data/connect/open-apps'
import { hashKey, isWellFormedKey, makeKey } from '@clinic-data/contract/key'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { operator } from '@clinic-data/testing/shared/operator'

const { owner, ownerUrl } = await testDatabase()
const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
const run = (...argv: string[]) => operator.run(['apps', ...argv], environment)
const REDIRECT = ['--redirect', 'https://crm.example.com/back']
const CLINIC = 'a-clinic'
const CALLER = { address: '192.0.2.7', clinicOf: async () => null, signal: new AbortController().signal }
const settings = { database: owner, baseUrl: 'https://a.example', log: failingLog }
const at = (now: Date) => openApps({ ...settings, policy: 'registered', now: () => now })
const { apps, authentication } = at(new Date())

async function made(...argv: string[]) {
  const { code, out, errors } = await run('create', '--name', 'CRM', ...REDIRECT, '--json', ...argv)
  assert.equal(code, 0, errors)
  return JSON.parse(out) as { client_id: string; client_secret: string | null }
}

test('a public app has an id alone, a confidential one a secret that is printed once', async () => {
  const open = await made()
  assert.equal(open.client_secret, null)
  assert.equal((await apps.find(open.client_id, CLINIC))?.isVerified, true)
  const { client_id, client_secret } = await made('--confidential')
  assert.ok(client_secret !== null && isWellFormedKey(client_secret, 'oas_live_'))
  assert.equal((await authentication.authenticate({ client_id, client_secret }, null, CALLER)).id, client_id)
  for (const argv of [['list'], ['show', client_id]]) {
    const { out } = await run(...argv, '--json')
    assert.ok(out.includes(client_id) && !out.includes(client_secret) && !out.includes(hashKey(client_secret)))
  }
})

test('an app that signs gives its public keys in a file', async (t) => {
  const file = join(tmpdir(), `jwks-${randomBytes(6).toString('hex')}.json`)
  t.after(() => rm(file))
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  await writeFile(file, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] }))
  const { client_id } = await made('--jwks', file)
  assert.equal((await apps.find(client_id, CLINIC))?.authentication, 'private_key_jwt')
  await writeFile(file, JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }))
  const { code, errors } = await run('create', '--name', 'CRM', ...REDIRECT, '--jwks', file)
  assert.notEqual(code, 0)
  assert.match(errors, /public keys alone/)
})

test('what is wrong with a new app is said in one line', async () => {
  const bad: readonly [string[], RegExp][] = [
    [[], /--redirect <uri\.\.\.>' not specified/],
    [
      ['--redirect', 'http://crm.example.com/x', '--redirect', 'data:x'],
      /crm.example.com\/x must be https.*data:x must be https/,
    ],
    [[...REDIRECT, '--confidential', '--jwks', '/nowhere'], /two ways/],
    [[...REDIRECT, '--jwks', '/nowhere'], /not a file of JSON/],
  ]
  for (const [argv, why] of bad) {
    const { code, errors } = await run('create', '--name', 'CRM', ...argv)
    assert.notEqual(code, 0)
    assert.match(errors, why)
  }
  assert.match((await run('create', '--name', 'A\u202eB', ...REDIRECT)).errors, /invisible/)
})

test('a rotated secret and the one before are good for a day, then the new one alone', async () => {
  const { client_id, client_secret } = await made('--confidential')
  const former = String(client_secret)
  const fresh = (await run('rotate', client_id)).out.trim()
  const prove = (secret: string, inMs: number) =>
    at(new Date(Date.now() + inMs)).authentication.authenticate({ client_id, client_secret: secret }, null, CALLER)
  for (const secret of [former, fresh]) await prove(secret, 23 * 60 * 60_000)
  await prove(fresh, 25 * 60 * 60_000)
  await assert.rejects(prove(former, 25 * 60 * 60_000))
  assert.match((await run('rotate', (await made()).client_id)).errors, /has no secret/)
  assert.match((await run('rotate', 'app_none')).errors, /there is no app/)
})

async function connect(database: Database, clinic_id: string, app_id: string): Promise<string> {
  const id = `con_${randomBytes(8).toString('hex')}`
  await database.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
      values (${clinic_id}, ${id}, ${hashKey(makeKey())}, '', '', 'CRM', '{patients:read}', now())`)
    await tx.query(sql`insert into connection (clinic_id, id, app_id, app_name, is_verified, administrator_id)
      values (${clinic_id}, ${id}, ${app_id}, 'CRM', true, 'adm_1')`)
  })
  return id
}

test('disabling an app ends its connections in all clinics, with a row of audit where one ended, and leaves others', async () => {
  const [first, second, bystander] = [await testClinic(owner), await testClinic(owner), await testClinic(owner)]
  const { client_id } = await made()
  const other = await made()
  const [one, two, stays] = [
    await connect(owner, first.clinic_id, client_id),
    await connect(owner, second.clinic_id, client_id),
    await connect(owner, bystander.clinic_id, other.client_id),
  ]
  const { out } = await run('disable', client_id, '--json')
  assert.equal(JSON.parse(out).ended_connections, 2)
  assert.equal(await apps.find(client_id, CLINIC), null)
  const { rows } = await owner.query<{ id: string; is_ended: boolean; end_reason: string | null }>(sql`
    select c.id, k.revoked_at is not null as is_ended, c.end_reason from connection c join api_key k using (clinic_id, id)
    where c.id = any(${[one, two, stays]}::text[])`)
  const ends = Object.fromEntries(rows.map((row) => [row.id, [row.is_ended, row.end_reason]]))
  assert.deepEqual(ends, { [one]: [true, 'app_disabled'], [two]: [true, 'app_disabled'], [stays]: [false, null] })
  const { rows: audited } = await owner.query<{ clinic_id: string; resource_ids: string[] }>(sql`
    select clinic_id, resource_ids from audit where operation = 'operator.apps.disable'
      and clinic_id = any(${[first, second, bystander].map((clinic) => clinic.clinic_id)}::text[])`)
  assert.deepEqual(audited.map((row) => row.clinic_id).sort(), [first.clinic_id, second.clinic_id].sort())
  // Again: nothing is left to end.
  assert.equal(JSON.parse((await run('disable', client_id, '--json')).out).ended_connections, 0)
})

test('an app that is known by its document is disabled by its address, and sc is not', async () => {
  const id = `https://agent${randomBytes(4).toString('hex')}.example.com/app.json`
  assert.equal((await run('disable', id)).code, 0)
  const any = openApps({ ...settings, policy: 'any', now: () => new Date() })
  assert.equal(await any.apps.find(id, CLINIC), null)
  assert.match((await run('disable', 'sc')).errors, /part of this product/)
  assert.match((await run('disable', 'app_none')).errors, /there is no app/)
})
