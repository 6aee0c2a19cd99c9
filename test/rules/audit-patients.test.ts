// Who read this patient? For every operation, over every surface, the audit row names exactly the patients whose data left, and the
// search of the activity finds it by each of them. Who they are is read off the answer itself, not off the contract.
import assert from 'node:assert/strict'
import test, { before } from 'node:test'
import { listActivity } from '@clinic-data/administration/pages/activity'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { allOperations, type Operation } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, keyOf, pathOf, servedClinic } from '@clinic-data/testing/run/test-service'
import { emit } from '@clinic-data/webhooks'
import { callTool } from '../mcp/messages.ts'
import { requiredQuery, validIds, validOptions, validToolCalls } from './valid-request.ts'

const { service, clinic } = await servedClinic(40)

before(async () => {
  const { json } = await ask(service, clinic.key, '/v1/calls?limit=1')
  const [call] = json.data
  const changes = [
    { type: 'patient.updated', data: '{"id":"p7","first_name":"Noa","last_name":null}' },
    { type: 'call.updated', data: JSON.stringify(call) },
  ] as const
  await service.database.write(clinic.clinic, (tx) => emit(tx, clinic.clinic, changes, new Date()))
})

/** Only patients among people have an id beside both names. */
function patientsIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const found = new Set(Object.values(value).flatMap((inner) => [...patientsIn(inner)]))
  if ('id' in value && 'first_name' in value && 'last_name' in value) found.add(String(value.id))
  return found
}

interface Row {
  operation: string
  surface: string
  request_id: string
  resource_ids: string[]
}

async function lastRow(): Promise<Row> {
  const { clinic_id } = clinic.clinic
  const [row] = await service.database.read<Row>(
    { clinic_id, time_zone: 'UTC' },
    sql`select operation, surface, request_id, resource_ids from audit where clinic_id = ${clinic_id}
      order by id desc limit 1`,
  )
  return row ?? assert.fail()
}

/** The row names these patients, and a search by each of them finds it, and by another does not. */
async function assertNames(expected: ReadonlySet<string>): Promise<void> {
  const row = await lastRow()
  const { patient_ids } = namedIn(row.resource_ids)
  assert.deepEqual([...(patient_ids ?? [])].sort(), [...expected].sort(), row.operation)
  const stranger = (await allPatients()).find((id) => !expected.has(id)) ?? 'nobody'
  const [first] = expected
  if (first !== undefined) assert.equal(await isFoundBy(first, row), true, row.operation)
  assert.equal(await isFoundBy(stranger, row), false, row.operation)
}

async function isFoundBy(patient_id: string, { request_id, operation }: Row): Promise<boolean> {
  const { data } = await listActivity(service.owner, clinic.clinic, { patient_id, operation, limit: 200 }, new Date())
  return data.some((shown) => shown.request_id === request_id)
}

async function allPatients(): Promise<string[]> {
  const { rows } = await service.owner.query<{ id: string }>(
    sql`select id from patient where clinic_id = ${clinic.clinic.clinic_id} order by id`,
  )
  return rows.map(({ id }) => id)
}

/** A lead has a name and an id, and is no patient. */
const patientsOfAnswer = ({ tag }: Operation, json: unknown) => (tag === 'Leads' ? new Set<string>() : patientsIn(json))

function inPath({ ids }: Operation, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(ids).flatMap(([name, kind]) => (kind === 'patient' ? (values[name] ?? []) : []))
}

const isLink = ({ shape }: Operation) => shape === 'link'

for (const operation of allOperations.filter((one) => !isLink(one))) {
  test(`${operation.id} names the patients of its answer and of its path`, async () => {
    const ids = await validIds(service, clinic, operation)
    const path = pathOf(operation, ids, await requiredQuery(service, clinic, operation))
    const { status, json, headers } = await ask(service, clinic.key, path, validOptions(operation))
    assert.ok(status < 300, JSON.stringify(json))
    assert.equal((await lastRow()).request_id, headers['x-request-id'])
    await assertNames(patientsOfAnswer(operation, json).union(new Set(inPath(operation, ids))))
  })

  if ('patient_id' in operation.query.properties) {
    test(`${operation.id} names the patient of its filter, also when the list is empty`, async () => {
      const { json: made } = await ask(service, clinic.key, '/v1/patients?limit=100')
      assert.ok(made.data.length >= 3)
      for (const { id } of made.data.slice(0, 3)) {
        const { json } = await ask(
          service,
          clinic.key,
          pathOf(operation, {}, { patient_id: id, updated_since: FUTURE }),
        )
        assert.deepEqual(json.data, [])
        await assertNames(new Set([id]))
      }
    })
  }
}

test('query.run names the patients by whom its figures are grouped', async () => {
  const filters = [{ field: 'effective_date', op: 'between', value: ['2020-01-01', '2029-12-31'] }]
  const query = { dataset: 'production', measures: ['treatment_count'], dimensions: ['patient'], filters, limit: 5 }
  const { status, json } = await ask(service, clinic.key, '/v1/query', { method: 'POST', body: query })
  assert.equal(status, 200)
  const named = json.data.rows.map(({ patient }: { patient: string }) => patient)
  assert.equal(named.length, 5)
  await assertNames(new Set(named))
})

test('query.run names the patients whose plans its figures are grouped by', async () => {
  const { clinic_id } = clinic.clinic
  const { owner } = service
  await owner.query(sql`insert into treatment_plan (clinic_id, id, name)
    select ${clinic_id}, id, 'Of a single patient' from unnest(${['0_a', '0_b']}::text[]) as id`)
  const { rows: treated } = await owner.query<{ id: string; patient_id: string }>(sql`
    select min(id) as id, patient_id from treatment
    where clinic_id = ${clinic_id} and patient_id is not null and effective_date is not null and removed_at is null
    group by patient_id order by patient_id limit 4`)
  for (const [place, plan] of ['0_a', '0_a', '0_b', null].entries())
    await owner.query(
      sql`update treatment set plan_id = ${plan} where clinic_id = ${clinic_id} and id = ${treated[place]?.id ?? ''}`,
    )
  const [first, second, third] = treated.map(({ patient_id }) => patient_id)
  const filters = [{ field: 'effective_date', op: 'between', value: ['2020-01-01', '2029-12-31'] }]
  const query = { dataset: 'production', measures: ['treatment_count'], filters }
  const order = [{ by: 'plan', dir: 'asc' }]
  for (const [dimensions, limit, named] of [
    [['plan'], 2, [first, second, third]],
    [['plan', { field: 'effective_date', grain: 'day' }], 1, [first, second]],
    [['treatment'], 5, []],
  ] as const) {
    const body = { ...query, dimensions, limit, ...(dimensions[0] === 'plan' && { order }) }
    const { status } = await ask(service, clinic.key, '/v1/query', { method: 'POST', body })
    assert.equal(status, 200)
    await assertNames(new Set(named.map(String)))
  }
})

const FUTURE = '2199-01-01T00:00:00Z'

for (const operation of allOperations.filter(isLink)) {
  test(`${operation.id} and the use of its link name the patients whose file it is`, async () => {
    const ids = await validIds(service, clinic, operation)
    await leaveOneUser(operation, ids.id ?? '')
    const parent = operation.path.replace('{id}', ids.id ?? '').replace(/\/\w+$/, '')
    const { json: whose } = await ask(service, clinic.key, parent)
    const expected = patientsIn(whose)
    assert.ok(expected.size > 0, 'a file of a patient')
    const { json } = await ask(service, clinic.key, pathOf(operation, ids))
    await assertNames(expected)
    const url = new URL(json.data.url)
    for (const [status, options] of [
      [200, {}],
      [200, { method: 'HEAD' }],
      [206, { headers: { range: 'bytes=0-1' } }],
      [416, { headers: { range: 'bytes=999999999-' } }],
    ] as const) {
      const file = await ask(service, clinic.key, url.pathname + url.search, options)
      assert.equal(file.status, status)
      assert.equal((await lastRow()).operation, 'files.get')
      await assertNames(expected)
    }
  })
}

/** A demo clinic's calls share one recording, and its messages one picture. */
async function leaveOneUser({ id }: Operation, used_by: string): Promise<void> {
  const { clinic_id } = clinic.clinic
  await service.owner.query(
    id.startsWith('calls.')
      ? sql`update call set recording_file_id = null where clinic_id = ${clinic_id} and id <> ${used_by}`
      : sql`update chat_message set media_file_id = null where clinic_id = ${clinic_id} and id <> ${used_by}`,
  )
}

test('each tool names the patients of its result', async () => {
  const calls = (await validToolCalls(service, clinic)).filter(({ operation }) => !isLink(operation))
  assert.ok(calls.length > 10)
  for (const { name, operation, ids, toolArguments } of calls) {
    const { isError, structured, text } = await callTool(service, clinic.key, name, toolArguments)
    assert.ok(!isError, text)
    assert.equal((await lastRow()).surface, 'mcp')
    await assertNames(patientsOfAnswer(operation, structured).union(new Set(inPath(operation, ids))))
  }
})

test('a tool whose result leaves the patients out names them all the same', async () => {
  const { structured } = await callTool(service, clinic.key, 'appointments_list', { fields: ['start'], limit: 5 })
  assert.equal(patientsIn(structured).size, 0)
  const { json } = await ask(service, clinic.key, '/v1/appointments?limit=5')
  const expected = patientsIn(json)
  assert.ok(expected.size > 0)
  await assertNames(expected)
})

test('a path without a readable id names nobody', async () => {
  assert.equal((await ask(service, clinic.key, '/v1/patients/%00/payments')).status, 404)
  assert.deepEqual(namedIn((await lastRow()).resource_ids), {
    resource_ids: [],
    patient_ids: [],
    problem: 'not-found',
    required_scope: null,
  })
})

test('a refused message names the patient to whom it was written', async () => {
  const body = { patient_id: 'p_nobody', text: 'See you on Tuesday!' }
  const { status } = await ask(service, clinic.key, '/v1/chat/messages', { method: 'POST', body })
  assert.equal(status, 422)
  await assertNames(new Set(['p_nobody']))
})

test('a refusal names who was asked for and why, and the scope that was missing', async () => {
  const poor = await keyOf(service.owner, clinic.clinic, ['catalog:read'])
  const [patient_id = ''] = await allPatients()
  const { status } = await ask(service, poor, `/v1/patients/${patient_id}/payments`)
  assert.equal(status, 403)
  await assertNames(new Set([patient_id]))
  const { patient_ids: _, ...refusal } = namedIn((await lastRow()).resource_ids)
  assert.deepEqual(refusal, { resource_ids: [patient_id], problem: 'forbidden', required_scope: 'payments:read' })
})
