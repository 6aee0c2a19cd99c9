// A key that is bound to networks is refused elsewhere at every door, with a row that says from where.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { halfSent } from '@clinic-data/testing/half-sent'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { BASE_URL, emptyClinic, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'

const RATE = 60
const service = await startParts({ rate: { requests: RATE, seconds: 60 } })
after(() => service.close())
const { owner } = await testDatabase()
const { app } = service.gateway

const INSIDE = '203.0.113.9'
const OUTSIDE = '198.51.100.7'
const networks = ['203.0.113.0/24', '2001:db8::/32', '127.0.0.1']

async function bound(clinic: Clinic, wanted: readonly string[] | null = networks) {
  const { clinic_id } = clinic
  const now = new Date()
  return mintKey(owner, {
    clinic_id,
    name: 'Till',
    scopes: allScopes,
    expires_at: null,
    rate_limit: null,
    networks: wanted,
    now,
  })
}

async function narrow({ clinic_id }: Clinic, id: string, to: readonly string[]): Promise<void> {
  await owner.query(sql`update api_key set networks = ${to} where clinic_id = ${clinic_id} and id = ${id}`)
}

interface Asked {
  readonly path?: string
  readonly from: string
  readonly body?: object
  readonly more?: Record<string, string>
}

const headersWith = (key: string) => ({
  host: new URL(BASE_URL).host,
  authorization: `Bearer ${key}`,
  accept: 'application/json, text/event-stream',
})

async function ask(key: string, { path = '/v1/patients', from, body, more = {} }: Asked) {
  const headers = { ...headersWith(key), ...more }
  const answer = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: path,
    remoteAddress: from,
    headers,
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}

const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).code]
const REFUSED = [403, 'address-not-allowed']

async function rowsOf({ clinic_id }: Clinic) {
  const { rows } = await owner.query<{
    operation: string
    surface: string
    status: number
    address: string
    resource_ids: string[]
  }>(
    sql`select operation, surface, status, address, resource_ids from audit where clinic_id = ${clinic_id} order by id`,
  )
  return rows.map(({ resource_ids, ...row }) => ({ ...row, problem: namedIn(resource_ids).problem }))
}

const refusedAt = (operation: string, surface: string, address = OUTSIDE) => ({
  operation,
  surface,
  status: 403,
  address,
  problem: 'address-not-allowed',
})

const mcp = (method: string, params: object = {}) => ({ path: '/mcp', body: { jsonrpc: '2.0', id: 1, method, params } })
const initialize = mcp('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
})

test('a bound key works from its networks, and elsewhere each door refuses it and says from where in a row', async () => {
  const clinic = await emptyClinic(owner)
  const { key } = await bound(clinic)
  for (const from of [INSIDE, `::ffff:${INSIDE}`, '2001:db8::9'])
    assert.equal((await ask(key, { from })).status, 200, from)
  assert.equal((await ask(key, { from: INSIDE, ...initialize })).status, 200)
  const lead = { first_name: 'Noa', last_name: 'Levi', phone: '+972501234567', source: 'website' }
  const doors: [Omit<Asked, 'from'>, string, string][] = [
    [{}, 'patients.list', 'rest'],
    [{ path: '/v1/leads', body: lead }, 'leads.create', 'rest'],
    [{ path: '/v1/me' }, 'me.get', 'rest'],
    [initialize, 'mcp', 'mcp'],
    [mcp('tools/list'), 'mcp', 'mcp'],
    [mcp('tools/call', { name: 'list_patients', arguments: {} }), 'mcp', 'mcp'],
  ]
  for (const [door] of doors) {
    const answer = await ask(key, { ...door, from: OUTSIDE })
    assert.deepEqual(codeOf(answer), REFUSED, answer.text)
    assert.match(answer.text, new RegExp(OUTSIDE))
    assert.doesNotMatch(answer.text, /203\.0\.113|2001:db8/)
  }
  const refused = (await rowsOf(clinic)).filter(({ status }) => status === 403)
  assert.deepEqual(
    refused,
    doors.map(([, operation, surface]) => refusedAt(operation, surface)),
  )
  const { rows } = await owner.query(sql`select id from lead where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [])
})

test('a header that names another address opens nothing, and an unknown key is told nothing of networks', async () => {
  const clinic = await emptyClinic(owner)
  const { key } = await bound(clinic)
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-client-address']) {
    const value = name === 'forwarded' ? `for=${INSIDE}` : INSIDE
    assert.deepEqual(codeOf(await ask(key, { from: OUTSIDE, more: { [name]: value } })), REFUSED, name)
  }
  const other = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  const [inside, outside] = [await ask(other, { from: INSIDE }), await ask(other, { from: OUTSIDE })]
  assert.deepEqual(codeOf(inside), [401, 'unauthorized'])
  assert.deepEqual(codeOf(outside), codeOf(inside))
})

test('whoever uses it elsewhere uses up a limit of its own, and nothing of the key’s', async () => {
  const clinic = await emptyClinic(owner)
  const { key } = await bound(clinic)
  const statuses: number[] = []
  for (let n = 0; n <= RATE; n++) statuses.push((await ask(key, { from: OUTSIDE })).status)
  assert.deepEqual(statuses, [...Array<number>(RATE).fill(403), 429])
  const { status, headers } = await ask(key, { from: INSIDE })
  assert.deepEqual([status, headers.ratelimit], [200, `"default";r=${RATE - 1};t=60`])
  assert.equal((await rowsOf(clinic)).filter((row) => row.status === 403).length, RATE)
})

test('a link to a file that a bound key asked for opens from its networks alone', async () => {
  const clinic = await smallClinic(service)
  const { key } = await bound(clinic.clinic)
  const calls = JSON.parse((await ask(key, { path: '/v1/calls?has_recording=true&limit=1', from: INSIDE })).text)
  const { text } = await ask(key, { path: `/v1/calls/${calls.data[0].id}/recording`, from: INSIDE })
  const { pathname, search } = new URL(JSON.parse(text).data.url)
  const path = pathname + search
  assert.equal((await ask(key, { path, from: INSIDE })).status, 200)
  assert.deepEqual(codeOf(await ask(key, { path, from: OUTSIDE })), REFUSED)
  assert.deepEqual((await rowsOf(clinic.clinic)).at(-1), refusedAt('files.get', 'file'))
})

/** A request that waits for the rest of its body while its key is bound to other networks. @returns the refusal. */
async function boundMeanwhile(clinic: Clinic, path: string, body: object) {
  const { key, id } = await bound(clinic, null)
  const headers = headersWith(key)
  const late = await halfSent(app, { path, headers, body: JSON.stringify(body) })
  await narrow(clinic, id, [OUTSIDE])
  // Whoever binds a key is answered once no gateway knows it as it was.
  await until(
    async () => (await ask(key, { from: '127.0.0.1' })).status === 403,
    () => 'the key still opens from here',
  )
  return late.rest()
}

test('a request whose body arrives after the key was bound to other networks stores nothing', async () => {
  const clinic = await emptyClinic(owner)
  const lead = { first_name: 'Noa', last_name: 'Levi', phone: '+972501234567', source: 'website' }
  assert.deepEqual(codeOf(await boundMeanwhile(clinic, '/v1/leads', lead)), REFUSED)
  const { rows } = await owner.query(sql`select id from lead where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [])
  assert.deepEqual((await rowsOf(clinic)).at(-1), refusedAt('leads.create', 'rest', '127.0.0.1'))
})

test('a message to MCP whose body arrives after the key was bound to other networks is refused, with its row', async () => {
  const clinic = await emptyClinic(owner)
  const { path, body } = mcp('tools/call', { name: 'list_patients', arguments: {} })
  assert.deepEqual(codeOf(await boundMeanwhile(clinic, path, body)), REFUSED)
  assert.deepEqual((await rowsOf(clinic)).at(-1), refusedAt('mcp', 'mcp', '127.0.0.1'))
})
