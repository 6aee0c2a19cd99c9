// Deliveries that are about a patient or a record: found page by page, and each search on record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '@clinic-data/contract'
import { eventExample } from '@clinic-data/contract/event-examples'
import { ask } from '@clinic-data/testing/grounds/ask'
import { emit } from '@clinic-data/webhooks'
import { findDeliveries } from '../src/pages/find-deliveries.ts'
import type { ActiveSession } from '../src/sessions/sessions.ts'
import { audited } from './console-ground.ts'
import { type Subscribed, webhookConsole } from './webhook-console.ts'

const { ground, owner, backend, get, subscribed, setTime, deliveriesOf, listOf } = await webhookConsole()

async function search(noa: Subscribed, filters: Record<string, string>) {
  return (await get(noa, `/webhooks/${noa.webhook}/found-deliveries?${new URLSearchParams(filters)}`)).json
}

/** Events about p1 alone, about p2 and p1, about p1 with another record's id in a note, and about p3 with p1's. */
async function eventsOfPatients(noa: Subscribed) {
  const happened = async (type: EventType, data: object) => {
    const change = { type, data: JSON.stringify(data) }
    setTime(ground.now().getTime() + 1_000)
    await owner.write(noa.clinic, (tx) => emit(tx, noa.clinic, [change], ground.now()))
    return (await deliveriesOf(noa))[0]?.event_id
  }
  return {
    booked: await happened('appointment.created', { id: 'a"1', patient: { id: 'p1' } }),
    called: await happened('call.completed', { id: 'c1', patients: [{ id: 'p2' }, { id: 'p1' }] }),
    changed: await happened('patient.updated', { id: 'p1', note: 'a"1' }),
    others: await happened('appointment.updated', { id: 'a2', patient: { id: 'p3' }, notes: 'p1' }),
  }
}

test('deliveries are found by a patient or a record of their events, and a search goes on where it stopped', async () => {
  const noa = await subscribed()
  const { booked, called, changed, others } = await eventsOfPatients(noa)
  const found = async (filters: Record<string, string>) =>
    (await search(noa, filters)).data.map(({ event_id }: { event_id: string }) => event_id)
  assert.deepEqual(await found({ patient_id: 'p1' }), [changed, called, booked])
  assert.deepEqual(await found({ patient_id: 'p1', event_type: 'call.completed' }), [called])
  assert.deepEqual(await found({ record_id: 'a"1' }), [booked])
  assert.deepEqual(await found({ record_id: others ?? '' }), [others])
  await ask(backend, noa.clinic, 'webhooks.test', { params: { id: noa.webhook }, body: { event_type: 'call.updated' } })
  assert.deepEqual(await found({ record_id: String(eventExample('call.updated').id) }), [])
  // One look at a time.
  const session = { clinic: { ...noa.clinic, name: 'Test' } } as ActiveSession
  const criteria = { patient_id: 'p1', limit: 10, mostSearched: 2, now: ground.now(), beside: () => undefined }
  const first = await findDeliveries(owner, session, noa.webhook, criteria)
  assert.deepEqual([first.data.length, first.meta.is_searching], [0, true])
  const second = await findDeliveries(owner, session, noa.webhook, {
    ...criteria,
    cursor: first.meta.next_cursor ?? '',
  })
  assert.deepEqual(
    second.data.map(({ event_id }) => event_id),
    [changed, called],
  )
})

test('a search of deliveries names whom it was for and whose it found, and a list names nobody', async () => {
  const noa = await subscribed()
  const { booked, called, changed } = await eventsOfPatients(noa)
  await search(noa, { patient_id: 'p1' })
  await search(noa, { patient_id: 'nobody' })
  await search(noa, { record_id: 'c1' })
  await listOf(noa)
  assert.equal((await get(noa, '/webhooks/another/found-deliveries?patient_id=p9')).status, 404)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation.startsWith('console.webhooks.'))
  assert.deepEqual(
    rows.map(({ operation, status, resource_ids, patient_ids }) => [operation, status, resource_ids, patient_ids]),
    [
      [200, [changed, called, booked], ['p1', 'p2']],
      [200, [], ['nobody']],
      [200, [called], ['p2', 'p1']],
      [404, [], []],
    ].map((ids) => ['console.webhooks.find_deliveries', ...ids]),
  )
})
