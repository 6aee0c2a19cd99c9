// The devices that wait for a person: a bounded number, of which none whose person is at the page gives way to a newer one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { allowDevice, lookAtDevice } from '../src/consent/device-consent.ts'
import { consoleConnect } from '../src/console-connect.ts'
import { startDevice } from '../src/tokens/device-request.ts'
import { consenting, newPerson, openConnect, storeApp } from './connect-ground.ts'

// Its rows are counted.
const database = await ownDatabase()
const { owner } = database
const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'on a cluster all test files share the rows of devices'

async function opened() {
  await owner.query(sql`delete from device_request`)
  const service = openConnect(database)
  const app_id = await storeApp(owner)
  const start = (address: string, most = { all: 1_000, ofBlock: 100 }) => {
    service.advance(1)
    return startDevice(service.connect, { app_id, scopes: ['patients:read'], audience: null, address }, most)
  }
  const errorOf = async (device_code: string) => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    return (await service.post('token', { grant_type, client_id: app_id, device_code })).body.error
  }
  const page = consoleConnect({ apps: service.apps, baseUrl: '', database: owner })
  const person = consenting(service, owner, await newPerson(owner))
  return { ...service, start, errorOf, page, person }
}

test('a flood of device codes ends the oldest that nobody has answered, and none whose person is at the page', {
  skip,
}, async () => {
  const { start, errorOf, page, person } = await opened()
  const few = { all: 5, ofBlock: 100 }
  const asked = await start('192.0.2.7', few)
  await lookAtDevice(page, person, asked.user_code)
  const oldest = await start('192.0.2.8', few)
  const flood = []
  for (let i = 0; i < 4; i++) flood.push(await start(`203.0.113.${i}`, few))
  assert.equal(await errorOf(oldest.device_code), 'invalid_grant')
  for (const { device_code } of flood) assert.equal(await errorOf(device_code), 'authorization_pending')
  for (let i = 0; i < 20; i++) await start(`203.0.113.${i}`, few)
  await allowDevice(page, person, asked.user_code, { scopes: ['patients:read'], days: null, mint_request: 'flood' })
  assert.equal(await errorOf(asked.device_code), undefined)
})

test('devices that start at once each end another one, and all get in', { skip }, async () => {
  const { start } = await opened()
  const few = { all: 4, ofBlock: 100 }
  const waiting: string[] = []
  for (let i = 0; i < 4; i++) waiting.push((await start(`192.0.2.${i}`, few)).user_code.replace('-', ''))
  const rest = async () =>
    (await owner.query<{ user_code: string }>(sql`select user_code from device_request order by created_at`)).rows
  // Another process ends the oldest at this moment.
  await owner.write(utcSession('another'), async (tx) => {
    await tx.query(sql`delete from device_request where user_code = ${waiting[0] ?? ''}`)
    await start('203.0.113.1', few)
  })
  assert.deepEqual(
    (await rest()).slice(0, -1).map(({ user_code }) => user_code),
    waiting.slice(2),
  )
  await Promise.all(Array.from({ length: 3 }, (_, i) => start(`203.0.113.${i}`, few)))
  assert.ok((await rest()).length <= 4)
})

test('a person who comes to the page while a newer device makes room keeps the device', { skip }, async () => {
  const { start } = await opened()
  const few = { all: 2, ofBlock: 100 }
  const asked = (await start('192.0.2.1', few)).user_code.replace('-', '')
  await start('192.0.2.2', few)
  await owner.write(utcSession('another'), async (tx) => {
    await tx.query(sql`update device_request set looked_at = now() where user_code = ${asked}`)
    await start('203.0.113.1', few)
  })
  const { rows } = await owner.query(sql`select from device_request where user_code = ${asked}`)
  assert.equal(rows.length, 1)
})

test('a device is refused where all that wait have their persons at the page', { skip }, async () => {
  const { start, page, person } = await opened()
  for (let i = 0; i < 2; i++) await lookAtDevice(page, person, (await start('192.0.2.7')).user_code)
  await assert.rejects(start('192.0.2.8', { all: 2, ofBlock: 100 }), { code: 'temporarily_unavailable' })
})

test('a block of addresses has a share of the device codes that nobody has answered, and its own oldest go first', {
  skip,
}, async () => {
  const { start } = await opened()
  const few = { all: 1_000, ofBlock: 2 }
  const codeOf = async (address: string) => (await start(address, few)).user_code.replace('-', '')
  const others = [await codeOf('192.0.2.1'), await codeOf('2001:db8:1::1')]
  const own = [await codeOf('192.0.2.2'), await codeOf('192.0.2.2'), await codeOf('192.0.2.2')]
  const wide: string[] = []
  for (let i = 0; i < 9; i++) wide.push(await codeOf(`2001:db8:0:${i}::1`))
  const { rows } = await owner.query<{ user_code: string }>(
    sql`select user_code from device_request order by created_at`,
  )
  assert.deepEqual(
    rows.map(({ user_code }) => user_code),
    [...others, ...own.slice(1), ...wide.slice(1)],
  )
})
