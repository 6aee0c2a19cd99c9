// Rehearsals of writes: they answer and refuse as the writes do, and keep nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allScopes, Grant, type HandlerInput, type Operation, operations } from '@clinic-data/contract'
import { rehearsedOperations } from '@clinic-data/contract/names'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { chatClinic } from '@clinic-data/testing/grounds/chat-ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { KEY_ID } from '@clinic-data/testing/grounds/test-clinic'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const now = () => new Date('2150-07-12T06:30:00.700Z')
let woken = 0
const backend = createBackend({ database: app, now, log: failingLog, onMessageQueued: () => woken++ })
const clinic = await chatClinic(owner)
await insert(owner, clinic, 'billing_account', { id: 'main' })

const WRITES: Readonly<Record<string, { params?: Record<string, string>; body: object }>> = {
  'leads.create': {
    body: { first_name: 'Dana', phone: '0521234567', source: 'phone', note: 'Called', external_id: 'form-1' },
  },
  'chat.messages.create': { body: { to_phone: '0529876543', text: 'Hello' } },
  'payments.create': { params: { id: 'p1' }, body: { amount: 12.5, method_type: 'cash', external_id: 'till-1' } },
}

function rehearse(operation: Operation, input: object, scopes = allScopes) {
  const grant = Grant.authorize({ key_id: KEY_ID, clinic, scopes, rate_limit: null, expires_at: null }, operation)
  const context = { request_id: 'req_test', deadline: performance.now() + 60_000 }
  return backend.rehearse?.(grant, input as HandlerInput<Operation>, context) ?? assert.fail()
}

/** The tables that the writes fill. */
const TABLES = 'lead lead_activity payment payment_document document_counter chat_message chat_conversation chat_send'
const KEPT = `${TABLES} idempotency event delivery`.split(' ')

async function rows(): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const table of KEPT) {
    const found = await owner.query(sql`select from ${sql.identifier(table)} where clinic_id = ${clinic.clinic_id}`)
    counted[table] = found.rowCount
  }
  return counted
}

for (const id of rehearsedOperations) {
  test(`a rehearsal of ${id} answers as the write does, and keeps nothing of it`, async () => {
    const { params = {}, body } = WRITES[id] ?? assert.fail(id)
    const input = { params, query: { limit: 25, after: null }, body, idempotency_key: `key of ${id}` }
    const [before, wokenBefore] = [await rows(), woken]
    const shown = await rehearse(operations[id], input)
    const again = await rehearse(operations[id], input)
    assert.deepEqual(await rows(), before)
    assert.equal(woken, wokenBefore)
    const written = await ask(backend, clinic, id, { params, body, idempotency_key: `key of ${id}` })
    for (const rehearsed of [shown, again]) assert.deepEqual(steady(rehearsed), steady(written))
    assert.notDeepEqual(await rows(), before)
    // By now it is a repetition.
    assert.deepEqual(await rehearse(operations[id], input), { ...written, replayed: true })
    const other = { ...input, body: { ...body, external_id: 'other', text: 'Other' } }
    await assert.rejects(rehearse(operations[id], other), problem('idempotency-key-reused'))
  })
}

/** Without what is new each time. A document has the same number: a rehearsal takes none. */
function steady(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => (['id', 'conversation_id'].includes(name) ? typeof value : value)),
  )
}

test('nothing but these writes is rehearsed', async () => {
  const input = { params: { id: 'p1' }, query: { limit: 25, after: null }, body: undefined, idempotency_key: null }
  assert.equal(await rehearse(operations['patients.get'], input), null)
})
