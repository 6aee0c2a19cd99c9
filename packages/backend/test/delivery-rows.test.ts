// Webhooks hand over patients' data, and the audit log says so: a row for each request that was written, whatever came of it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { listActivity } from '@clinic-data/administration/pages/activity'
import { recordDeliveries } from '@clinic-data/audit/delivery-rows'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { deliveriesOf, newClinic } from '@clinic-data/testing/grounds/ground'
import { LOOPBACK } from '@clinic-data/testing/receivers/target-receiver'
import { keys, ownGround, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { emit } from '@clinic-data/webhooks'
import { TargetClient } from '@clinic-data/webhooks/receiver/target-client'
import { WebhookEngine } from '@clinic-data/webhooks/webhook-engine'
import { createBackend } from '../src/backend.ts'
import * as schema from '../src/migrations.ts'

const base = await ownGround(schema)
const log = { warn: () => undefined, error: (_: object, line: string) => assert.fail(line) }

/** Answers by the path; `/cut` reads the whole request and breaks off. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/cut') request.socket.destroy()
    else response.writeHead(request.url === '/taken' ? 204 : 500).end()
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo
after(() => receiver.close())

/** Emits an appointment of this patient, and sends it once to a receiver. @returns the clinic, when the attempt is stored. */
async function sentTo(url: string, patient_id: string, act?: (clinic: Clinic) => Promise<unknown>): Promise<Clinic> {
  const clinic = await newClinic(base)
  await subscribeSigned(base, clinic, 'crm', url)
  const data = JSON.stringify({ id: 'a17', patient: { id: patient_id, first_name: null, last_name: null } })
  if (act) await act(clinic)
  else await base.app.write(clinic, (tx) => emit(tx, clinic, [{ type: 'appointment.created', data }], new Date()))
  const client = new TargetClient({ allowCidrs: LOOPBACK })
  const engine = new WebhookEngine({ database: base.app, keys, client, record: recordDeliveries(base.app), log })
  await attempted(clinic, engine)
  return clinic
}

/** Resolves when the outcome of the clinic's one delivery is stored. */
async function attempted(clinic: Clinic, engine: WebhookEngine): Promise<void> {
  engine.wake(clinic.clinic_id)
  while ((await deliveriesOf(base, clinic))[0]?.attempt_count !== 1) await delay(5)
  await engine.stop()
}

async function found(clinic: Clinic, patient_id?: string) {
  const search = { surface: 'webhook' as const, ...(patient_id === undefined ? {} : { patient_id }), limit: 10 }
  const { data } = await listActivity(base.owner, clinic, search, new Date())
  return data.map(({ who, operation, status, patient_ids, resource_ids }) => ({
    who: who.id,
    operation,
    status,
    patient_ids,
    resource_ids,
  }))
}

for (const [path, status] of [
  ['taken', 204],
  ['refused', 500],
  ['cut', 504],
] as const) {
  test(`a delivery that is ${path} names the patient whose data was sent, and to whom`, async () => {
    const clinic = await sentTo(`http://127.0.0.1:${port}/${path}`, 'p1')
    const row = { who: 'crm', operation: 'webhooks.deliver', status, patient_ids: ['p1'], resource_ids: ['a17'] }
    assert.deepEqual(await found(clinic, 'p1'), [row])
    assert.deepEqual(await found(clinic, 'a17'), [])
  })
}

test('an attempt that found no receiver handed nothing over, and leaves no row', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port: free } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  assert.deepEqual(await found(await sentTo(`http://127.0.0.1:${free}/`, 'p1')), [])
})

test('a test event names nobody: its patient is the contract’s example', async () => {
  const backend = createBackend({ database: base.app, now: () => new Date(), log })
  const input = { params: { id: 'crm' }, body: { event_type: 'appointment.created' } } as const
  const clinic = await sentTo(`http://127.0.0.1:${port}/taken`, 'p1', (one) =>
    ask(backend, one, 'webhooks.test', input),
  )
  const [row, ...others] = await found(clinic)
  assert.deepEqual([row?.patient_ids, others], [[], []])
})

test('while the log cannot be written, no outcome is stored; then each request has one row', async () => {
  const clinic = await newClinic(base)
  await subscribeSigned(base, clinic, 'crm', `http://127.0.0.1:${port}/taken`)
  const data = JSON.stringify({ id: 'a17', patient: { id: 'p1', first_name: null, last_name: null } })
  await base.app.write(clinic, (tx) => emit(tx, clinic, [{ type: 'appointment.created', data }], new Date()))
  const store = recordDeliveries(base.app)
  let refusals = 2
  const engine = new WebhookEngine({
    database: base.app,
    keys,
    client: new TargetClient({ allowCidrs: LOOPBACK }),
    log,
    record: async (handed) => {
      const [delivery] = await deliveriesOf(base, clinic)
      assert.equal(delivery?.attempt_count, 0)
      if (refusals-- > 0) throw new Error('no room for audit rows')
      await store(handed)
    },
  })
  await attempted(clinic, engine)
  assert.equal((await found(clinic, 'p1')).length, 1)
  const { rows } = await base.owner.query(sql`select from attempt where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 1)
})

test('an event whose bytes are damaged is not sent, and holds nothing else back', async () => {
  const clinic = await newClinic(base)
  await subscribeSigned(base, clinic, 'crm', `http://127.0.0.1:${port}/taken`)
  const dataOf = (id: string) => JSON.stringify({ id, patient: { id: 'p1', first_name: null, last_name: null } })
  const drafts = ['a1', 'a2', 'a3'].map((id) => ({ type: 'appointment.created' as const, data: dataOf(id) }))
  await base.app.write(clinic, (tx) => emit(tx, clinic, drafts, new Date()))
  for (const [id, body] of [
    ['a1', '{"id":"a1","data":{"first_name":"Dan'],
    ['a2', '{}'],
  ] as const) {
    await base.owner.query(
      sql`update event set body = ${body} where clinic_id = ${clinic.clinic_id} and record_id = ${id}`,
    )
  }
  const faults: object[] = []
  const client = new TargetClient({ allowCidrs: LOOPBACK })
  const kept = { ...log, error: (detail: object) => faults.push(detail) }
  const engine = new WebhookEngine({ database: base.app, keys, client, record: recordDeliveries(base.app), log: kept })
  engine.wake(clinic.clinic_id)
  while ((await deliveriesOf(base, clinic)).some(({ attempt_count }) => attempt_count !== 1)) await delay(5)
  await engine.stop()
  const ends = (await deliveriesOf(base, clinic)).map(({ status, error }) => `${status} ${error}`).sort()
  assert.deepEqual(ends, ['delivered null', 'pending internal', 'pending internal'])
  assert.deepEqual(
    (await found(clinic)).map(({ resource_ids }) => resource_ids),
    [['a3']],
  )
  assert.equal(faults.length, 2)
  assert.doesNotMatch(inspect(faults), /Dan/)
})
