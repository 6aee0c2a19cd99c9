// An attack by previews: an agent asks again and again what a write would do and never says yes. The limits of its key hold it, nothing
// of its calls stays, and nobody waits for a lock that one of them took.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Backend, RATE } from '@clinic-data/contract'
import { writeTools } from '@clinic-data/contract/projections/write-tools'
import { sql } from '@clinic-data/database'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { ask, keyOf, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool, send2026 } from './messages.ts'
import { type Arguments, newKey, newPhone, toolNamed, writeCalls } from './write-call.ts'

/** Rehearsals that have begun and wait for `go`. */
const held = { isOn: false, running: 0, most: 0, go: Promise.withResolvers<void>() }
const counting = (backend: Backend): Backend => ({
  ...backend,
  rehearse: async (...given) => {
    held.most = Math.max(held.most, ++held.running)
    try {
      if (held.isOn) await held.go.promise
      return (await backend.rehearse?.(...given)) ?? null
    } finally {
      held.running--
    }
  },
})

const service = await startParts({ mcp: { writes: true }, wrap: counting })
after(() => service.close())
const clinic = await smallClinic(service)
const { clinic_id } = clinic.clinic
const { argumentsOf } = writeCalls(service, clinic)
const { status } = await ask(service, clinic.key, '/v1/webhooks', {
  method: 'POST',
  body: { url: 'https://crm.example.com/hooks' },
})
assert.equal(status, 201)

const TABLES = `lead lead_activity payment payment_document document_counter chat_message chat_conversation chat_send
  idempotency event delivery`

async function rows(): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of TABLES.split(/\s+/)) {
    const { rows } = await service.owner.query(sql`select * from ${sql.identifier(table)}
      where clinic_id = ${clinic_id} order by 1, 2, 3`)
    found[table] = rows
  }
  return found
}

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await service.owner.query<{
    status: number
    calls: number
  }>(sql`select status, count(*)::int as calls
    from audit where clinic_id = ${clinic_id} and operation in ('leads.create', 'chat.messages.create', 'payments.create')
    group by status`)
  return Object.fromEntries(rows.map(({ status, calls }) => [status, calls]))
}

const ROUNDS = 5

test('previews again and again leave a row each that says so, and nothing else', async () => {
  const before = await rows()
  const shown = await statuses()
  for (let round = 0; round < ROUNDS; round++) {
    for (const tool of writeTools()) {
      const { isError, text } = await callTool(service, clinic.key, tool.name, await argumentsOf(tool))
      assert.equal(isError, false, text)
    }
  }
  assert.deepEqual(await rows(), before)
  assert.deepEqual(await statuses(), { ...shown, 202: (shown[202] ?? 0) + ROUNDS * writeTools().length })
})

test('no lock outlives its preview: the same writes of another way go on at once, and their numbers have no gap', async () => {
  const phone = newPhone()
  const lead = { first_name: 'Dana', phone, email: 'dana@example.com', source: 'phone', external_id: newKey() }
  const payment = { ...(await argumentsOf(toolNamed('payments_create'))), external_id: newKey() }
  const { patient_id, idempotency_key, ...body } = payment as Arguments & typeof payment
  const path = `/v1/patients/${patient_id}/payments`
  const pay = async (external_id: string) => {
    const { status, json } = await ask(service, clinic.key, path, { method: 'POST', body: { ...body, external_id } })
    assert.equal(status, 201)
    return json.data.documents[0].number
  }
  const number = await pay(newKey())
  const before = await rows()
  for (let n = 0; n < ROUNDS; n++) {
    await callTool(service, clinic.key, 'leads_create', { ...lead, idempotency_key })
    await callTool(service, clinic.key, 'payments_create', payment)
  }
  // Where another transaction held one of them, this would wait until the statement's timeout.
  await service.owner.write(clinic.clinic, async (tx) => {
    const names = [
      `${clinic_id} POST /v1/leads ${idempotency_key}`,
      `${clinic_id} POST ${path} ${idempotency_key}`,
      `${clinic_id} lead external_id ${lead.external_id}`,
      `${clinic_id} lead email ${lead.email}`,
    ]
    const { rows: locks } = await tx.query<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(name, 0)) as taken from unnest(${names}::text[]) as name`,
    )
    assert.ok(locks.every(({ taken }) => taken))
    await tx.query(sql`select from document_counter where clinic_id = ${clinic_id} for update nowait`)
  })
  assert.equal((await ask(service, clinic.key, '/v1/leads', { method: 'POST', body: lead })).status, 201)
  assert.equal(Number(await pay(newKey())), Number(number) + 1)
  // The comparison above sees what a write leaves.
  const left = await rows()
  for (const table of ['lead', 'payment', 'document_counter', 'event', 'delivery'])
    assert.notDeepEqual(left[table], before[table], table)
})

test('at most twenty previews of a key run at once, and another key of the clinic goes past them', async () => {
  const key = await keyOf(service.owner, clinic.clinic, ['leads:write'])
  const other = await keyOf(service.owner, clinic.clinic, ['leads:write'])
  held.isOn = true
  held.most = 0
  const asked = Array.from({ length: RATE.at_once + 10 }, () =>
    callTool(service, key, 'leads_create', {
      first_name: 'Dana',
      phone: newPhone(),
      source: 'phone',
      idempotency_key: newKey(),
    }),
  )
  while (held.running < RATE.at_once) await nextTurn()
  const beside = await ask(service, other, '/v1/leads', {
    method: 'POST',
    body: { first_name: 'Noa', phone: newPhone(), source: 'phone' },
  })
  held.isOn = false
  held.go.resolve()
  const answers = await Promise.all(asked)
  assert.equal(beside.status, 201)
  assert.equal(held.most, RATE.at_once)
  // Those that waited are served, or told to send fewer where the machine is slow.
  for (const { isError, text } of answers) assert.ok(!isError || JSON.parse(text).status === 503, text)
})

test('each preview counts in the limit of its key, refused or not', async () => {
  const limited = await startParts({
    mcp: { writes: true },
    rateLimit: new MemoryRateLimit(),
    rate: { requests: 4, seconds: 60 },
  })
  after(() => limited.close())
  const key = await keyOf(limited.owner, clinic.clinic, ['leads:write', 'payments:write'])
  const before = await rows()
  const preview = {
    name: 'leads_create',
    arguments: { first_name: 'Dana', phone: newPhone(), source: 'phone', idempotency_key: newKey() },
  }
  const refused = {
    name: 'payments_create',
    arguments: { patient_id: 'nobody', amount: 1, method_type: 'cash', idempotency_key: 'k' },
  }
  const told: number[] = []
  for (const call of [preview, refused, preview, refused, preview, refused])
    told.push((await send2026(limited, key, 'tools/call', call)).status)
  assert.deepEqual(told, [200, 200, 200, 200, 429, 429])
  assert.deepEqual(await rows(), before)
})
