// The clinic's page: settings and working hours of the own clinic, and ingest tokens that are minted once, shown once and revoked.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ingestPrincipal, listIngestTokens, mintIngestToken } from '../src/credentials/ingest-tokens.ts'
import { audited, openConsole, person, send, signedIn } from './console-ground.ts'

const { owner } = await testDatabase()
const demo = { clinic_id: '', acted: [] as string[], act: async (action: string) => void demo.acted.push(action) }
const opened = await openConsole(owner, { demo })

const get = async (cookie: string, path: string) => (await send(opened, path, { method: 'GET', cookie })).json.data

function mint(cookie: string, name: unknown, idempotencyKey: string | undefined = randomUUID()) {
  return send(opened, '/ingest-tokens', { cookie, body: { name }, headers: { 'idempotency-key': idempotencyKey } })
}

async function ground() {
  const noa = await person(owner)
  return { noa, cookie: await signedIn(opened, owner, noa) }
}

test('the settings tell how many requests a key may usually send', async () => {
  const { noa, cookie } = await ground()
  const { min_visit_minutes } = noa.clinic
  assert.deepEqual(await get(cookie, '/clinic'), { usual_rate: 600, min_visit_minutes, is_demo: false })
})

test('working hours are told in the clinic’s time, by branch, provider and day, of the own clinic alone', async () => {
  const [{ noa, cookie }, other] = [await ground(), await ground()]
  await insert(owner, noa.clinic, 'branch', { id: 'haifa', name: 'Haifa' })
  await insert(owner, noa.clinic, 'provider', { id: 'dr-levi', name: 'Dr. Levi', type: 'dentist' })
  const windows = [
    { weekday: 1, starts_at: '14:00', ends_at: '24:00' },
    { weekday: 1, starts_at: '08:30', ends_at: '13:00' },
    { weekday: 0, starts_at: '09:00', ends_at: '17:00' },
  ]
  const at = { provider_id: 'dr-levi', branch_id: 'haifa' }
  for (const window of windows) await insert(owner, noa.clinic, 'working_hours', { ...at, ...window })
  assert.deepEqual(
    await get(cookie, '/clinic/working-hours'),
    windows.toReversed().map((window) => ({ ...at, ...window })),
  )
  assert.deepEqual(await get(other.cookie, '/clinic/working-hours'), [])
})

test('a token is minted once a request, shown once, opens the ingest API, and stands in the audit log', async () => {
  const { noa, cookie } = await ground()
  const once = randomUUID()
  const minted = await mint(cookie, ' CRM ', once)
  assert.equal(minted.status, 201, minted.payload)
  const { id, token, ...listed } = minted.json.data
  const { clinic_id } = noa.clinic
  assert.equal((await ingestPrincipal(owner, token))?.clinic.clinic_id, clinic_id)
  assert.equal((await mint(cookie, 'CRM', once)).status, 409)
  assert.equal((await listIngestTokens(owner, clinic_id)).length, 1)
  const shown = await get(cookie, '/ingest-tokens')
  assert.deepEqual(shown, [{ id, ...listed }])
  assert.ok(!JSON.stringify(shown).includes(token))
  assert.deepEqual(listed.made_by, { id: noa.id, name: 'Noa Levi' })
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation.includes('ingest_tokens'))
  assert.deepEqual(
    rows.map((row) => [row.operation, row.key_id, row.status, row.resource_ids]),
    [
      ['console.ingest_tokens.mint', noa.id, 201, [id]],
      ['console.ingest_tokens.mint', noa.id, 409, []],
    ],
  )
})

test('a revoked token is refused from the answer on, and revoking again changes nothing', async () => {
  const { cookie } = await ground()
  const { id, token } = (await mint(cookie, 'CRM')).json.data
  const revoked = await send(opened, `/ingest-tokens/${id}/revoke`, { cookie })
  assert.equal(revoked.status, 200)
  assert.equal(await ingestPrincipal(owner, token), null)
  const again = await send(opened, `/ingest-tokens/${id}/revoke`, { cookie })
  assert.equal(again.json.data.revoked_at, revoked.json.data.revoked_at)
})

test('the operator’s tokens are listed too, and another clinic’s are not found', async () => {
  const [{ noa, cookie }, other] = [await ground(), await ground()]
  const { id } = await mintIngestToken(owner, { clinic_id: noa.clinic.clinic_id, name: 'Exchange', now: new Date() })
  assert.deepEqual(
    (await get(cookie, '/ingest-tokens')).map(({ id, made_by }: Record<string, unknown>) => [id, made_by]),
    [[id, null]],
  )
  assert.deepEqual(await get(other.cookie, '/ingest-tokens'), [])
  assert.equal((await send(opened, `/ingest-tokens/${id}/revoke`, { cookie: other.cookie })).status, 404)
  assert.equal((await get(cookie, '/ingest-tokens'))[0].revoked_at, null)
})

test('a token without a name, or a request without its Idempotency-Key, mints nothing', async () => {
  const { noa, cookie } = await ground()
  assert.equal((await mint(cookie, '  ')).status, 400)
  assert.equal((await send(opened, '/ingest-tokens', { cookie, body: { name: 'CRM' } })).status, 400)
  assert.deepEqual(await listIngestTokens(owner, noa.clinic.clinic_id), [])
})

test('only in the demo clinic something happens on request, and the list of events holds no body', async () => {
  const [{ noa, cookie }, other] = [await ground(), await ground()]
  demo.clinic_id = noa.clinic.clinic_id
  const act = (cookie: string) => send(opened, '/demo/actions', { cookie, body: { action: 'call' } })
  assert.equal((await act(other.cookie)).status, 404)
  assert.equal((await send(opened, '/demo/events', { method: 'GET', cookie: other.cookie })).status, 404)
  assert.equal((await get(other.cookie, '/clinic')).is_demo, false)
  assert.deepEqual(demo.acted, [])
  assert.equal((await act(cookie)).status, 204)
  assert.deepEqual(demo.acted, ['call'])
  assert.equal((await get(cookie, '/clinic')).is_demo, true)
  const created_at = new Date().toISOString()
  const event = { id: 'evt_1', position: 1, type: 'call.completed', body: '{"from_phone":"050"}', created_at }
  await insert(owner, noa.clinic, 'event', event)
  const [{ created_at: createdAt, ...shown }, ...others] = await get(cookie, '/demo/events')
  assert.deepEqual([shown, others], [{ id: 'evt_1', type: 'call.completed' }, []])
  assert.equal(new Date(createdAt).toISOString(), created_at)
})
