// The key of `sc`: login and logout, the variables that override it, and the addresses that get it.
import assert from 'node:assert/strict'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { makeKey } from '@clinic-data/contract/key'
import { emptyClinic, keyOf } from '@clinic-data/testing/run/test-service'
import { newFolder, sc } from './sc.ts'
import { clinic, fake, json, service, variables } from './sc-service.ts'

test('login reads a key from a pipe, checks it, and stores it for the next command, and logout deletes it', async () => {
  const folder = await newFolder()
  const here = { SC_CONFIG_DIR: join(folder, 'sc') }
  const login = await sc(['login', '--key-stdin'], {
    variables: { ...here, SC_BASE_URL: variables.SC_BASE_URL },
    stdin: `${clinic.key}\n`,
  })
  assert.deepEqual([login.code, login.out], [0, ''])
  assert.ok(login.errors.includes(clinic.clinic.clinic_id))
  assert.ok(!login.errors.includes(clinic.key))
  assert.equal((await stat(join(here.SC_CONFIG_DIR, 'config.json'))).mode & 0o777, 0o600)
  const whoami = await sc(['whoami', '--format', 'json'], { variables: here })
  assert.equal(JSON.parse(whoami.out).data.clinic_id, clinic.clinic.clinic_id)
  assert.equal((await sc(['logout'], { variables: here })).code, 0)
  const after = await sc(['whoami'], { variables: here })
  assert.deepEqual([after.code, after.out], [4, ''])
  assert.match(after.errors, /^error: there is no key\nhint: store one with sc login/)
  await rm(folder, { recursive: true })
})

test('login refuses an impossible name of a profile before it asks or reads anything', async () => {
  const named = ['login', '--key-stdin', '--profile', 'a b']
  const folder = await newFolder()
  const { code, errors } = await sc(named, { variables: { SC_CONFIG_DIR: folder }, stdin: clinic.key })
  assert.deepEqual(
    [code, errors.split('\n')[0]],
    [2, 'error: a profile is named in a-z, 0-9, - and _, with at most 32 of them'],
  )
  await rm(folder, { recursive: true })
})

test('login stores nothing when the key is refused, and accepts no key where it would be visible', async () => {
  const folder = await newFolder()
  const here = { SC_CONFIG_DIR: folder, SC_BASE_URL: variables.SC_BASE_URL }
  const refused = await sc(['login', '--key-stdin'], { variables: here, stdin: makeKey() })
  assert.equal(refused.code, 4)
  const mistyped = await sc(['login', '--key-stdin'], { variables: here, stdin: `${makeKey()}x` })
  assert.deepEqual([mistyped.code, /is not a key/.test(mistyped.errors)], [4, true])
  assert.equal((await sc(['login'], { variables: here })).code, 2)
  assert.equal((await sc(['login', '--key', clinic.key], { variables: here })).code, 2)
  await assert.rejects(readFile(join(folder, 'config.json')), /ENOENT/)
  await rm(folder, { recursive: true })
})

test('SC_API_KEY overrides the stored key, SC_BASE_URL the stored address', async () => {
  const folder = await newFolder()
  const other = await emptyClinic(service.owner)
  const here = { SC_CONFIG_DIR: folder }
  await sc(['login', '--key-stdin'], {
    variables: { ...here, SC_BASE_URL: variables.SC_BASE_URL },
    stdin: await keyOf(service.owner, other, ['patients:read']),
  })
  const login = async (more: Record<string, string>) =>
    JSON.parse((await sc(['whoami', '--format', 'json'], { variables: { ...here, ...more } })).out).data.clinic_id
  assert.equal(await login({}), other.clinic_id)
  assert.equal(await login({ SC_API_KEY: clinic.key }), clinic.clinic.clinic_id)
  const elsewhere = await sc(['whoami', '--no-retry'], { variables: { ...here, SC_BASE_URL: 'http://127.0.0.1:1' } })
  assert.equal(elsewhere.code, 6)
  await rm(folder, { recursive: true })
})

test('a key is sent only to https or to this machine, and follows no redirect', async () => {
  let requests = 0
  const target = await fake((_, response) => {
    requests++
    json(response, 200, { data: {} })
  })
  const redirecting = await fake((_, response) => response.writeHead(302, { location: target.SC_BASE_URL }).end())
  const redirected = await sc(['whoami', '--no-retry'], { variables: redirecting })
  assert.deepEqual([redirected.code, requests], [6, 0])
  assert.match(redirected.errors, /redirect/)
  for (const SC_BASE_URL of ['http://api.clinic-data.example', 'ftp://127.0.0.1', 'http://127.0.0.1.example', 'x']) {
    const { code, errors } = await sc(['whoami'], { variables: { ...variables, SC_BASE_URL } })
    assert.deepEqual([code, /SC_BASE_URL/.test(errors)], [2, true], SC_BASE_URL)
  }
})
