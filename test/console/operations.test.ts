// The contract's operations behind the console's session: only those of the written list, only with a session, only of its own clinic,
// and each on record with its administrator.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import { type BackendOptions, createBackend } from '@clinic-data/backend'
import { openOperations } from '@clinic-data/console-contract/open-operations'
import { type Role, roles } from '@clinic-data/console-contract/role-names'
import { rolesOfOpen } from '@clinic-data/console-contract/roles'
import { allOperations, type Clinic, type Operation } from '@clinic-data/contract'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { sql, utcSession } from '@clinic-data/database'
import { adminListener } from '@clinic-data/server/private/admin-listener'
import { openConsole } from '@clinic-data/server/private/console'
import { BASE_URL, emptyClinic, startParts } from '@clinic-data/testing/run/test-service'
import pino from 'pino'

const service = await startParts()
const { owner, database } = service
const log = pino({ level: 'silent' })
const app = adminListener({ maxConnections: 10, trustedProxies: [], baseUrl: BASE_URL, log })
const config = {
  baseUrl: BASE_URL,
  trustedProxies: [],
  webhookAllowCidrs: [],
  openId: null,
  mail: null,
  rate: { requests: 600, seconds: 60 },
  consoleUrl: 'https://console.clinic.example',
  adminHost: '127.0.0.1',
  adminNames: [],
}
const secretKeys = parseSecretKeys(`t:${randomBytes(32).toString('base64')}`)
const backendWith = (further: Pick<BackendOptions, 'validOf'>) =>
  createBackend({ database, now: () => new Date(), log, secretKeys, ...further })
const routes = await openConsole(app, { config, log, database: owner, backendWith, secretKeys })
after(async () => {
  await app.close()
  await routes.close()
  await service.close()
})

const HOST = 'console.clinic.example'
const OWN_PAGE = { host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin', 'x-console': '1' }

async function send(method: Operation['method'], path: string, headers: Record<string, string>, body?: unknown) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const typed = body === undefined ? {} : { 'content-type': 'application/json' }
  const url = `/console/api${path}`
  const answer = await app.inject({ method, url, headers: { host: HOST, ...typed, ...headers }, ...payload })
  return { status: answer.statusCode, body: answer.payload, cookie: String(answer.headers['set-cookie']) }
}

async function administrator(clinic: Clinic, role: Role = 'owner') {
  const { clinic_id } = clinic
  const administrator = { clinic_id, email: `${role}@clinic.example`, name: 'Noa Levi', role, now: new Date() }
  const { id } = await createAdministrator(owner, administrator)
  const { token } = await makeSignInLink(owner, { clinic_id, id, now: new Date() })
  const { cookie } = await send('POST', '/sign-in/link', OWN_PAGE, { token })
  return { id, cookie: cookie.split(';', 1).join('') }
}

const clinic = await emptyClinic(owner)
const noa = await administrator(clinic)
const other = await administrator(await emptyClinic(owner))

/** With ids that no clinic has. */
const pathOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, 'unknown')

test('no operation answers without a session, and a cookie that is no session is none', async () => {
  for (const operation of openOperations) {
    for (const cookie of ['', `console_session=${clinic.clinic_id}.${'x'.repeat(43)}`]) {
      const { status, body } = await send(operation.method, pathOf(operation), { ...OWN_PAGE, cookie })
      assert.equal(status, 401, `${operation.id}: ${body}`)
    }
  }
})

test('an operation is 403 to every role that may not, with a sentence that says who may, and open to the others', async () => {
  const ofRoles = await emptyClinic(owner)
  for (const role of roles) {
    const { cookie } = await administrator(ofRoles, role)
    for (const operation of openOperations) {
      const { status, body } = await send(operation.method, pathOf(operation), { ...OWN_PAGE, cookie }, {})
      const mayAsk = rolesOfOpen[operation.id].includes(role)
      assert.equal(status !== 403, mayAsk, `${operation.id} ${role}: ${body}`)
      if (!mayAsk) assert.match(JSON.parse(body).detail, /^Only an owner or .* may do this\. You are an? /)
    }
  }
})

test('a key of the clinic opens nothing here', async () => {
  const authorization = `Bearer sk_live_${'a'.repeat(40)}`
  assert.equal((await send('GET', '/v1/me', { authorization })).status, 401)
})

test('every operation beyond the list is not found, with a session too', async () => {
  const open = new Set(openOperations.map(({ method, path }) => `${method} ${path}`))
  const closed = allOperations.filter(({ method, path }) => !open.has(`${method} ${path}`))
  assert.ok(closed.length > 20)
  for (const operation of closed) {
    const { status } = await send(operation.method, pathOf(operation), { ...OWN_PAGE, cookie: noa.cookie }, {})
    assert.equal(status, 404, operation.id)
  }
})

test('a change that the console’s own page did not send is refused, and nothing is changed', async () => {
  const webhook = { url: 'https://hooks.example.com/a', event_types: ['appointment.created'] }
  for (const headers of [
    { cookie: noa.cookie },
    { ...OWN_PAGE, cookie: noa.cookie, 'x-console': '' },
    { ...OWN_PAGE, cookie: noa.cookie, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  ]) {
    assert.equal((await send('POST', '/v1/webhooks', headers, webhook)).status, 403)
  }
  const { body } = await send('GET', '/v1/webhooks', { cookie: noa.cookie })
  assert.deepEqual(JSON.parse(body).data, [])
})

test('an administrator reads and changes only the own clinic, and what is changed is on record', async () => {
  const webhook = { url: 'https://hooks.example.com/a', event_types: ['appointment.created'] }
  const made = await send('POST', '/v1/webhooks', { ...OWN_PAGE, cookie: noa.cookie }, webhook)
  assert.equal(made.status, 201, made.body)
  const { id } = JSON.parse(made.body).data
  assert.equal((await send('GET', `/v1/webhooks/${id}`, { cookie: noa.cookie })).status, 200)
  assert.equal((await send('GET', `/v1/webhooks/${id}`, { cookie: other.cookie })).status, 404)
  const removing = await send('DELETE', `/v1/webhooks/${id}`, { ...OWN_PAGE, cookie: other.cookie })
  assert.equal(removing.status, 404)
  assert.equal((await send('GET', `/v1/webhooks/${id}`, { cookie: noa.cookie })).status, 200)
  const rows = await owner.read<{ key_id: string; operation: string; status: number }>(
    utcSession(clinic.clinic_id),
    sql`select key_id, operation, status from audit where clinic_id = ${clinic.clinic_id} and surface = 'console'
      and operation like 'webhooks.%' and resource_ids[1] = ${id} order by id`,
  )
  assert.deepEqual(
    rows.map(({ key_id, operation, status }) => [key_id, operation, status]),
    [[noa.id, 'webhooks.create', 201]],
  )
})

test('a question is answered with the clinic’s numbers', async () => {
  const requests = {
    dataset: 'appointments',
    measures: ['appointment_count'],
    filters: [{ field: 'start_date', op: 'between', value: ['2026-07-01', '2026-07-31'] }],
  }
  const { status, body } = await send('POST', '/v1/query', { ...OWN_PAGE, cookie: noa.cookie }, requests)
  assert.equal(status, 200, body)
})
