// The audit log: one row for each request that a key makes, stored before its answer, and nothing personal in any log line.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { allOperations } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import {
  ask,
  emptyClinic,
  keyOf,
  smallClinic,
  startParts,
  startService,
  type TestService,
} from '@clinic-data/testing/run/test-service'
import { callTool } from '../mcp/messages.ts'
import { askValid } from './valid-request.ts'

interface StoredRow {
  operation: string
  status: number
  count: number
  resource_ids: string[]
  request_id: string
}

async function rowsOf({ database }: TestService, clinic_id: string): Promise<StoredRow[]> {
  const session = { clinic_id, time_zone: 'UTC' }
  const statement = sql`select operation, status, count, resource_ids, request_id from audit where clinic_id = ${clinic_id} order by stored_at, id`
  const rows = await database.read<StoredRow>(session, statement)
  return rows.map((row) => ({ ...row, resource_ids: namedIn(row.resource_ids).resource_ids }))
}

test('each request of a key leaves one row with the requested ids before its answer, also when it is denied or fails', async () => {
  const service = await startService()
  try {
    const { clinic, key } = await smallClinic(service)
    const before = (await rowsOf(service, clinic.clinic_id)).length
    const list = await ask(service, key, '/v1/patients?limit=3')
    const ids = list.json.data.map(({ id }: { id: string }) => id)
    const poor = await keyOf(service.owner, clinic, [])
    const requests: [key: string, path: string, operation: string, status: number, ids: string[]][] = [
      [key, `/v1/patients/${ids[0]}`, 'patients.get', 200, [ids[0]]],
      [key, '/v1/patients/none', 'patients.get', 404, ['none']],
      [poor, `/v1/patients/${ids[0]}`, 'patients.get', 403, [ids[0]]],
      [key, '/v1/patients?limit=0', 'patients.list', 400, []],
    ]
    for (const [who, path, operation, status, resource_ids] of requests) {
      const { headers } = await ask(service, who, path)
      const row = (await rowsOf(service, clinic.clinic_id)).at(-1)
      assert.deepEqual(row, {
        operation,
        status,
        resource_ids,
        count: status === 200 ? 1 : 0,
        request_id: headers['x-request-id'],
      })
    }
    assert.equal((await rowsOf(service, clinic.clinic_id)).length - before, 1 + requests.length)
    const listed = (await rowsOf(service, clinic.clinic_id)).at(before)
    assert.deepEqual([listed?.resource_ids, listed?.count], [ids, 3])
  } finally {
    await service.close()
  }
})

test('the row of a request about one thing names it, also where the answer has no id', async () => {
  const service = await startService()
  try {
    const clinic = await smallClinic(service)
    const ofOne = allOperations.filter(({ shape, ids }) => shape !== 'page' && Object.keys(ids).length > 0)
    assert.ok(ofOne.some(({ id }) => id === 'webhooks.replay'))
    for (const operation of ofOne) {
      assert.equal((await askValid(service, clinic, operation)).status, operation.status, operation.id)
      const row = (await rowsOf(service, clinic.clinic.clinic_id)).at(-1)
      assert.equal(row?.operation, operation.id)
      assert.notDeepEqual(row.resource_ids, [], operation.id)
    }
  } finally {
    await service.close()
  }
})

test('a row tells how long its request took, except of a feed that may wait for new rows', async () => {
  const service = await startParts({
    wrap: (backend) => ({
      ...backend,
      handlers: {
        ...backend.handlers,
        'me.get': async (...args) => {
          await setTimeout(30)
          return backend.handlers['me.get'](...args)
        },
      },
    }),
  })
  try {
    const clinic = await emptyClinic(service.owner)
    const key = await keyOf(service.owner, clinic, ['webhooks:manage'])
    const startedAt = performance.now()
    await ask(service, key, '/v1/me')
    const most = performance.now() - startedAt
    await callTool(service, key, 'service_whoami', {})
    await ask(service, key, '/v1/patients?limit=0')
    await ask(service, key, '/v1/events')
    const { clinic_id } = clinic
    const rows = await service.owner.read<{ operation: string; surface: string; duration_ms: number | null }>(
      { clinic_id, time_zone: 'UTC' },
      sql`select operation, surface, duration_ms from audit where clinic_id = ${clinic_id} order by id`,
    )
    assert.deepEqual(
      rows.map(({ operation, surface, duration_ms }) => [operation, surface, duration_ms !== null]),
      [
        ['me.get', 'rest', true],
        ['me.get', 'mcp', true],
        ['patients.list', 'rest', true],
        ['events.list', 'rest', false],
      ],
    )
    const [first] = rows
    assert.ok(
      Number(first?.duration_ms) >= 29 && Number(first?.duration_ms) <= Math.ceil(most),
      `${first?.duration_ms}`,
    )
  } finally {
    await service.close()
  }
})

test("the application's role can neither change nor remove an audit row", async () => {
  const service = await startService()
  try {
    const clinic = await emptyClinic(service.owner)
    await ask(service, await keyOf(service.owner, clinic, []), '/v1/me')
    const session = { clinic_id: clinic.clinic_id, time_zone: 'UTC' }
    for (const statement of [
      sql`update audit set status = 200 where clinic_id = ${clinic.clinic_id}`,
      sql`delete from audit where clinic_id = ${clinic.clinic_id}`,
    ]) {
      await assert.rejects(
        service.database.write(session, (tx) => tx.query(statement)),
        /permission denied/,
      )
    }
  } finally {
    await service.close()
  }
})

test('no log line and no problem holds a query, a name, a phone or a key', async () => {
  const service = await startService()
  try {
    const { key } = await smallClinic(service)
    const { json } = await ask(service, key, '/v1/patients?limit=20&response_format=detailed')
    const marks = json.data.flatMap((patient: Record<string, string | null>) => [
      patient.last_name,
      patient.phone,
      patient.email,
      patient.id_number,
    ])
    const problems: Awaited<ReturnType<typeof ask>>[] = []
    for (const patient of json.data) {
      await ask(
        service,
        key,
        `/v1/patients?phone=${encodeURIComponent(patient.phone ?? '0')}&query=${encodeURIComponent(patient.last_name)}`,
      )
      const { last_name, email, id_number } = patient
      for (const value of [last_name, email, id_number].map((one) => encodeURIComponent(one ?? 'x'))) {
        problems.push(await ask(service, key, `/v1/patients?query=${value}&email=${value}&limit=${value}`))
        problems.push(await ask(service, key, `/v1/patients/${value}/payments?paid_from=${value}`))
      }
    }
    assert.deepEqual(new Set(problems.map(({ status }) => status)), new Set([400]))
    const log = [...service.logLines, ...problems.map(({ text }) => text)].join('\n')
    assert.ok(service.logLines.length > 40)
    for (const mark of [...marks.filter(Boolean), key, key.slice(8, 30)])
      assert.ok(!log.includes(mark), 'a log line or a problem holds personal data or a key')
  } finally {
    await service.close()
  }
})
