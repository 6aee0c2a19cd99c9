// What walks, whole lists and queries do with the warnings of the service: a filter names an id that the clinic does not have.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ClinicDataClient, type Warning } from '../src/client.ts'
import { type Scripted, scriptedServer } from './scripted-server.ts'

const server = await scriptedServer()
const branch: Warning = { parameter: 'branch_id', code: 'unknown_id', detail: 'is the id of no branch of this clinic' }
const provider: Warning = { ...branch, parameter: 'provider_id' }
const told: Warning[] = []
const options = { apiKey: `sk_live_${'k'.repeat(40)}`, baseUrl: server.url }
const client = new ClinicDataClient({ ...options, onWarning: (warning) => told.push(warning) })

const page = (warnings: Warning[], next_cursor: string | null): Scripted => ({
  body: JSON.stringify({ data: [], next_cursor, meta: { warnings } }),
})

beforeEach(() => {
  told.length = 0
})

test('a walk tells each warning once, and the next walk tells it again', async () => {
  const walked = client.appointments.list({ branch_id: 'nowhere', provider_id: 'nobody' })
  for (const walk of [1, 2]) {
    server.script = [page([branch], 'c1'), page([branch, provider], null)]
    for await (const row of walked) assert.fail(row.id)
    assert.deepEqual(told, Array(walk).fill([branch, provider]).flat())
  }
})

test('whoever asks for pages reads the warnings there, and is told none', async () => {
  server.script = [page([branch], null)]
  assert.deepEqual((await client.appointments.list({ branch_id: 'nowhere' })).meta?.warnings, [branch])
  for await (const { meta } of client.appointments.list({ branch_id: 'nowhere' }).pages())
    assert.deepEqual(meta?.warnings, [branch])
  assert.deepEqual(told, [])
})

test('without the option, the warnings of a walk go to the console', async (t) => {
  const warned = t.mock.method(console, 'warn', () => undefined)
  server.script = [page([branch], null)]
  for await (const row of new ClinicDataClient(options).appointments.list({ branch_id: 'nowhere' })) assert.fail(row.id)
  assert.deepEqual(
    warned.mock.calls.map((call) => call.arguments),
    [['branch_id is the id of no branch of this clinic']],
  )
})

test('the warnings of a query and of a whole list are told, and stand in the answer', async () => {
  const warning: Warning = { ...branch, parameter: 'branch', values: ['Haifa'] }
  const answered = (data: unknown): Scripted => ({ body: JSON.stringify({ data, meta: { warnings: [warning] } }) })
  server.script = [answered({ totals: { appointment_count: 0 } }), answered([])]
  assert.deepEqual(
    (await client.query.run({ dataset: 'appointments', measures: ['appointment_count'] })).meta?.warnings,
    [warning],
  )
  await client.availability.list({ from: '2026-07-14', to: '2026-07-14', branch_id: 'x' })
  assert.deepEqual(told, [warning, warning])
})
