// `clinicd doctor`: it finds what keeps a service from starting or answering, and changes nothing.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createProxy } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { readConfig } from '@clinic-data/installation/config'
import type { Role } from '@clinic-data/installation/role'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePort } from '@clinic-data/testing/free-port'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { redisServer } from '@clinic-data/testing/programs/redis-server'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'
import { baseUrlFinding } from '../src/doctor/addresses.ts'
import { clockFinding, databaseFinding } from '../src/doctor/database.ts'
import { examine } from '../src/doctor/examine.ts'
import type { Check, Finding } from '../src/doctor/finding.ts'

const { url, owner } = await ownGround(schema)
const DATA_DIR = await mkdtemp(join(tmpdir(), 'doctor-'))
after(() => rm(DATA_DIR, { recursive: true }))
const SECRET_KEYS = newSecretKeys()
const BACKEND_TOKEN = randomBytes(24).toString('hex')

async function examined(environment: Record<string, string>, role: Role = 'all'): Promise<readonly Finding[]> {
  return examine(readConfig({ DATA_DIR, PORT: '0', ADMIN_PORT: '0', ...environment }), role)
}

/** Returns what it finds of one part. */
async function found(check: Check, environment: Record<string, string>, role?: Role): Promise<[string, string]> {
  const findings = await examined(environment, role)
  const one = findings.find((finding) => finding.check === check) ?? assert.fail(JSON.stringify(findings))
  return [one.state, one.detail]
}

async function assertReported(
  check: Check,
  state: string,
  line: RegExp,
  environment: Record<string, string>,
  role?: Role,
) {
  const [is, detail] = await found(check, environment, role)
  assert.equal(is, state, detail)
  assert.match(detail, line)
}

test('where nothing was started yet it finds no fault, and makes nothing', async () => {
  const folder = join(DATA_DIR, 'not', 'there')
  const findings = await examined({ DATA_DIR: folder })
  assert.deepEqual(
    findings.map(({ check, state }) => [check, state]),
    [
      ...[['settings'], ['data_folder'], ['secret_keys'], ['database'], ['public_port'], ['private_port']].map(
        ([check]) => [check, 'ok'],
      ),
      ['base_url', 'warning'],
      ['console_url', 'warning'],
    ],
  )
  assert.equal(existsSync(folder), false)
})

test('beside a running service it finds its database, its tables and its ports', async () => {
  const [PORT, ADMIN_PORT] = [String(await freePort()), String(await freePort())]
  const own = { DATABASE_URL: url, SECRET_KEYS, PORT, ADMIN_PORT, CONSOLE_URL: `http://localhost:${ADMIN_PORT}` }
  await assertReported('public_port', 'ok', /is free$/, own)
  const service = await serveHere(own)
  await assertReported('public_port', 'ok', /taken by a service that answers$/, own)
  await assertReported('private_port', 'ok', /taken by a service that answers$/, own)
  await assertReported('console_url', 'ok', /leads to the console$/, own)
  await assertReported('database', 'ok', /^PostgreSQL \d+.*, on this machine$/, own)
  await assertReported('logins', 'ok', /come in$/, own)
  await assertReported('tables', 'ok', /^up to date$/, own)
  await service.stop()
})

test('a port that something else holds is a fault', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as { port: number }
  await assertReported('public_port', 'fault', /is in use; set PORT to another/, { PORT: String(port) })
})

test('a proxy that changes the header Host is a fault, one that leads elsewhere a warning, for the API and the console', async (t) => {
  let status = 0
  const proxy = createProxy((_request, answer) => answer.writeHead(status).end()).listen(0, '127.0.0.1')
  t.after(() => proxy.close())
  await new Promise((listening) => proxy.once('listening', listening))
  const { port } = proxy.address() as AddressInfo
  // An address that leads here, and that only a proxy's own would have: none of a loopback is asked.
  const config = { ...readConfig({ DATA_DIR }), baseUrl: `http://0.0.0.0:${port}` }
  const baseUrl = async () => Object.values(await baseUrlFinding(config)).join(' ')
  const answers: [status: number, api: RegExp, console: [state: string, line: RegExp]][] = [
    [401, /ok .* leads to the service/, ['warning', /answers 401: .* does not lead \/console to ADMIN_PORT/]],
    [403, /fault .* changes the header Host/, ['warning', /answers 403/]],
    [421, /warning .* answers 421/, ['fault', /changes the header Host/]],
    [502, /warning .* answers 502/, ['warning', /answers 502/]],
  ]
  const named = { CONSOLE_URL: `http://localhost:${port}` }
  for (const [answer, api, [state, line]] of answers) {
    status = answer
    assert.match(await baseUrl(), api)
    await assertReported('console_url', state, line, named)
  }
  proxy.close()
  proxy.closeAllConnections()
  assert.match(await baseUrl(), /warning .* cannot be reached from here/)
  await assertReported('console_url', 'warning', /cannot be reached from here: .*ECONNREFUSED/, named)
})

test('where nothing says the console’s address, a warning tells that no app can be connected, and what to set', async () => {
  await assertReported('console_url', 'warning', /no app can be connected.*set CONSOLE_URL, or an ADMIN_PORT/, {})
  const behind = { BACKEND_URL: 'http://127.0.0.1:1', BACKEND_TOKEN, SECRET_KEYS }
  await assertReported('console_url', 'warning', /no app can be connected.*set CONSOLE_URL$/, behind, 'gateway')
  for (const [role, known] of [
    ['all', { ADMIN_PORT: String(await freePort()) }],
    ['gateway', { ...behind, CONSOLE_URL: 'https://console.clinic.example' }],
  ] as const)
    assert.ok(!(await examined(known, role)).some(({ check }) => check === 'console_url'), role)
})

test('tables of a newer version are a warning, changed ones a fault, and those that are due no harm', async (t) => {
  const own = { DATABASE_URL: url, SECRET_KEYS }
  const { rows } = await owner.query<{ id: string; checksum: string }>(
    sql`select id, checksum from schema_migration order by id desc limit 1`,
  )
  const [last = assert.fail()] = rows
  const restore = async () => {
    await owner.query(sql`delete from schema_migration where id in (${last.id}, '9999_later')`)
    await owner.query(sql`insert into schema_migration (id, checksum) values (${last.id}, ${last.checksum})`)
  }
  t.after(restore)
  await owner.query(sql`insert into schema_migration (id, checksum) values ('9999_later', 'x')`)
  await assertReported('tables', 'warning', /newer version .* 9999_later$/, own)
  await restore()
  await owner.query(sql`update schema_migration set checksum = 'x' where id = ${last.id}`)
  await assertReported('tables', 'fault', new RegExp(`^${last.id} differs`), own)
  await owner.query(sql`delete from schema_migration where id = ${last.id}`)
  await assertReported(
    'tables',
    'ok',
    /^1 of \d+ migrations are not applied yet: .* goes on beside this one, and can come back$/,
    own,
  )
})

test('tables whose version does not run on those of today are a warning, before anything is changed', async (t) => {
  const { rows } = await owner.query<{ id: string; checksum: string }>(
    sql`delete from schema_migration where id >= ${schema.RUNS_ON_ITS_TABLES} returning id, checksum`,
  )
  t.after(async () => {
    for (const { id, checksum } of rows)
      await owner.query(sql`insert into schema_migration (id, checksum) values (${id}, ${checksum})`)
  })
  await assertReported('tables', 'warning', /stop all its processes and back up first; going back is a restore$/, {
    DATABASE_URL: url,
    SECRET_KEYS,
  })
})

test('an embedded folder of a first version is a warning, also while no server runs in it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doctor-first-'))
  t.after(() => rm(folder, { recursive: true }))
  copyKept(folder)
  const own = { DATA_DIR: folder, SECRET_KEYS }
  assert.ok(!(await examined(own)).some(({ check }) => check === 'tables'))
  // As those versions wrote it.
  await writeFile(join(folder, 'pg', 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  await assertReported('tables', 'warning', /of a first version\. .* going back is a restore$/, own)
  await rm(join(folder, 'pg', 'pg_hba.conf'))
  await assertReported('database', 'fault', /^its folder cannot be read: /, own)
})

test('a database that cannot be reached, or refuses the login, is a fault that tells no password', async () => {
  const password = randomBytes(12).toString('hex')
  const nobody = Object.assign(new URL(url), { username: 'nobody_of_us', password })
  const away = new URL(nobody)
  away.port = String(await freePort())
  for (const DATABASE_URL of [nobody.href, away.href]) {
    const findings = await examined({ DATABASE_URL, SECRET_KEYS })
    const database = findings.find(({ check }) => check === 'database')
    assert.equal(database?.state, 'fault', database?.detail)
    assert.ok(!JSON.stringify(findings).includes(password))
  }
})

test('a login for requests that is not bound by row level security is a fault', async () => {
  const missing = Object.assign(new URL(url), { username: 'nobody_of_us' }).href
  const named = { DATABASE_URL: missing, DATABASE_OWNER_URL: url, SECRET_KEYS }
  await assertReported('logins', 'fault', /there is no login as DATABASE_URL names it/, named)
  const other = `clinic_data_unbound_${randomBytes(4).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  await owner.maintain((tx) => tx.script(`create role ${other} login bypassrls password '${password}'`))
  try {
    const unbound = Object.assign(new URL(url), { username: other, password }).href
    await assertReported('logins', 'fault', /not bound by row level security/, { ...named, DATABASE_URL: unbound })
  } finally {
    await owner.maintain((tx) => tx.script(`drop role ${other}`))
  }
})

test('a clock that is more than two seconds away from the database’s is a warning', () => {
  assert.deepEqual(
    [-2_001, -2_000, 0, 2_000, 2_001].map((aheadMs) => clockFinding({ aheadMs }).state),
    ['warning', 'ok', 'ok', 'ok', 'warning'],
  )
})

test('a database on another machine that is reached without encryption is a warning', () => {
  const stateOf = (host: string, is_encrypted: boolean) =>
    databaseFinding(`postgres://a@${host}/b`, { version: 'PostgreSQL 18.4', is_encrypted }).state
  assert.equal(stateOf('db.clinic.example', false), 'warning')
  assert.equal(stateOf('db.clinic.example', true), 'ok')
  assert.equal(stateOf('127.0.0.1', false), 'ok')
})

test('a data folder that cannot be made is a fault', async () => {
  const file = join(DATA_DIR, 'file')
  await writeFile(file, '')
  await assertReported('data_folder', 'fault', /cannot be used \(access: ENOTDIR\); name a folder/, {
    DATA_DIR: join(file, 'data'),
  })
})

test('a Redis that answers is named with its version, one that does not is a warning', async (t) => {
  const redis = await redisServer()
  if (redis === null) return t.skip('there is no Redis')
  t.after(() => redis.kill())
  const at = (credentials = '') => ({ REDIS_URL: `redis://${credentials}127.0.0.1:${redis.port}` })
  await assertReported('redis', 'ok', /^(redis|valkey) [\d.]+ answers in \d+ ms$/, at())
  await redis.kill()
  await assertReported('redis', 'warning', /ECONNREFUSED/, at())
})

test('a Redis whose certificate comes from an authority of its own is trusted by the file that its address names', async (t) => {
  const { key, cert } = makeCertificate()
  const files = { cert: join(DATA_DIR, 'redis.pem'), key: join(DATA_DIR, 'redis.key') }
  await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)])
  const port = await freePort()
  const tls = ['--tls-port', `${port}`, '--tls-cert-file', files.cert, '--tls-key-file', files.key]
  const redis = await redisServer(...tls, '--tls-auth-clients', 'no')
  if (redis === null) return t.skip('there is no Redis')
  t.after(() => redis.kill())
  const at = (query: string) => ({ REDIS_URL: `rediss://127.0.0.1:${port}${query}` })
  await assertReported('redis', 'ok', /answers/, at(`?sslrootcert=${files.cert}`))
  await assertReported('redis', 'warning', /self-signed certificate/, at(''))
  await assertReported(
    'settings',
    'fault',
    /^REDIS_URL names the file .* does not exist/,
    at(`?sslrootcert=${files.cert}x`),
  )
})

test('the command tells each part in a line or as JSON, and exits with 1 for a fault and 2 for a wrong setting', async () => {
  const own = { DATA_DIR, PORT: '0', ADMIN_PORT: '0' }
  const well = await operator.run(['doctor'], own)
  assert.deepEqual([well.code, well.errors], [0, ''])
  assert.match(well.out, /^ok {7}settings {6}fit the role all\n/)
  const json = await operator.run(['doctor', '--json', '--role', 'dispatcher'], own)
  assert.equal(json.code, 2)
  assert.deepEqual(JSON.parse(json.out), [
    {
      check: 'settings',
      state: 'fault',
      detail: 'DATABASE_URL is required in the role dispatcher: it works on the database of the backends',
    },
  ])
  const away = { ...own, SECRET_KEYS, DATABASE_URL: `postgres://a@127.0.0.1:${await freePort()}/b` }
  assert.equal((await operator.run(['serve', '--check'], away)).code, 1)
  const wrong = await operator.run(['serve', '--check'], { ...own, PORT: 'x', RATE_LIMIT: 'y' })
  assert.equal(wrong.code, 2)
  assert.match(wrong.out, /^fault +settings +PORT must be .*; RATE_LIMIT must be /)
})
