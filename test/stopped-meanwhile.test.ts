// Stop through the whole service: from its answer on no request of the partner is accepted, and nothing is stored that one had begun.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resumeIntegration, stopIntegration } from '@clinic-data/administration/integrations/stop-integration'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { halfSent } from '@clinic-data/testing/half-sent'
import { sized } from '@clinic-data/testing/run/size'
import { ask, emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'

const ROUNDS = sized({ everyday: 1, long: 10 })
const KEYS = 3

// Its own: an address that sends so many refused keys would have to wait in the tests of others too.
const service = await startParts()
after(() => service.close())
const { owner } = service

/** Two keys join the integration of the first one. */
async function partner(scopes: Parameters<typeof keyOf>[2]) {
  const clinic = await emptyClinic(owner)
  const { clinic_id } = clinic
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++) keys.push(await keyOf(owner, clinic, scopes))
  const { rows } = await owner.query<{ id: string }>(sql`update api_key set integration_id = (
      select min(integration_id) from api_key where clinic_id = ${clinic_id})
    where clinic_id = ${clinic_id} returning integration_id as id`)
  const stopping = () => ({ id: rows[0]?.id ?? '', by: null, now: new Date(), record: () => undefined })
  const stop = (wait?: () => Promise<unknown>) => stopIntegration(owner, clinic, { ...stopping(), wait })
  return { clinic, keys, stop, resume: () => resumeIntegration(owner, clinic, stopping()) }
}

async function leads({ clinic_id }: Clinic): Promise<number> {
  const { rows } = await owner.query(sql`select id from lead where clinic_id = ${clinic_id}`)
  return rows.length
}

const lead = (n: number) => ({ first_name: 'Noa', phone: `+97250${String(1_000_000 + n)}`, source: 'website' })

test('from the answer to Stop on no request by any of its keys is accepted, and all are when it is undone', async () => {
  const { clinic, keys, stop, resume } = await partner(['leads:write', 'catalog:read'])
  let n = 0
  /** Sends reads and writes without end. Each answer says when its request was begun. */
  async function asking(key: string, isOver: () => boolean, answers: { begun: number; status: number }[]) {
    while (!isOver()) {
      const begun = performance.now()
      const write = n++ % 2 === 0
      const { status } = write
        ? await ask(service, key, '/v1/leads', { method: 'POST', body: lead(n) })
        : await ask(service, key, '/v1/catalog/branches')
      answers.push({ begun, status })
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false
    const answers: { begun: number; status: number }[] = []
    const clients = keys.map((key) => asking(key, () => isOver, answers))
    await until(
      async () => answers.length > 10,
      () => 'nothing was answered',
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201])
    await stop()
    const answered = performance.now()
    const stored = await leads(clinic)
    await until(
      async () => answers.filter(({ begun }) => begun > answered).length > 20,
      () => 'nothing was sent',
    )
    isOver = true
    await Promise.all(clients)
    const later = answers.filter(({ begun }) => begun > answered)
    // An address that sends many refused keys waits in the end.
    const refusals = new Set(later.map(({ status }) => status))
    assert.ok(answers.some(({ status }) => status === 401))
    assert.deepEqual(
      [...refusals].filter((status) => status !== 401 && status !== 429),
      [],
    )
    assert.equal(await leads(clinic), stored)
    await resume()
    for (const key of keys) assert.equal((await ask(service, key, '/v1/catalog/branches')).status, 200)
  }
})

test('a write of a stopped partner whose body arrives after Stop was answered is refused, and changes nothing', async () => {
  const { clinic, keys, stop, resume } = await partner(['leads:write', 'webhooks:manage'])
  const [key = ''] = keys
  const late = (path: string, body: object) =>
    halfSent(service.gateway.app, { path, headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) })
  const writes = [
    await late('/v1/leads', lead(1)),
    await late('/v1/webhooks', { url: 'https://crm.example.com/hook', event_types: ['patient.created'] }),
  ]
  await stop(async () => undefined)
  for (const write of writes) {
    const { status, text } = await write.rest()
    assert.deepEqual([status, JSON.parse(text).code], [401, 'unauthorized'])
  }
  assert.equal(await leads(clinic), 0)
  const { rows } = await owner.query(sql`select id from subscription where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [])
  await resume()
  const again = await ask(service, key, '/v1/leads', { method: 'POST', body: lead(1) })
  assert.equal(again.status, 201)
})

test('a partner whose key has sent another partner’s webhook to its own address receives nothing after Stop', async () => {
  const clinic = await emptyClinic(owner)
  const scopes = ['webhooks:manage', 'chat:read'] as const
  const [crm, agency] = [
    await keyOf(owner, clinic, scopes, null, 'CRM'),
    await keyOf(owner, clinic, scopes, null, 'Agency'),
  ]
  const made = await ask(service, crm, '/v1/webhooks', {
    method: 'POST',
    body: { url: 'https://crm.example.com/hook' },
  })
  const path = `/v1/webhooks/${made.json.data.id}`
  const moved = await ask(service, agency, path, { method: 'PATCH', body: { url: 'https://agency.example.com/hook' } })
  assert.equal(moved.status, 200)
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from integration where clinic_id = ${clinic.clinic_id} and name = 'Agency'`,
  )
  const stopping = { id: rows[0]?.id ?? '', by: null, now: new Date(), record: () => undefined }
  const { webhooks } = await stopIntegration(owner, clinic, { ...stopping, wait: async () => undefined })
  assert.equal(webhooks, 1)
  assert.equal((await ask(service, crm, path)).json.data.enabled, false)
  const back = await ask(service, crm, path, { method: 'PATCH', body: { url: 'https://crm.example.com/hook' } })
  assert.equal(back.status, 409)
})
