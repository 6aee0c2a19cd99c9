// An empty list says which of its filters name an id that the clinic does not have. An id of another clinic is as unknown as any.
import assert from 'node:assert/strict'
import test, { before } from 'node:test'
import { allOperations, type Operation } from '@clinic-data/contract'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ask, pathOf, servedClinic, smallClinic, type TestClinic } from '@clinic-data/testing/run/test-service'
import { send2026 } from '../mcp/messages.ts'
import { requiredQuery, validIds } from './valid-request.ts'

const { service, clinic } = await servedClinic()
let other: TestClinic

before(async () => {
  other = await smallClinic(service, 41)
  // An id that both clinics have is not another clinic's alone.
  for (const table of ['branch', 'provider', 'appointment_status'])
    await insert(service.owner, other.clinic, table, { id: 'theirs' })
})

const LISTS: Readonly<Record<string, string>> = {
  branch_id: '/v1/catalog/branches',
  provider_id: '/v1/catalog/providers',
  status_id: '/v1/catalog/appointments/statuses',
  patient_id: '/v1/patients?limit=100',
  conversation_id: '/v1/chat/conversations?limit=100',
  appointment_id: '/v1/appointments?limit=100',
}

async function idsOf({ key }: TestClinic, filter: string): Promise<string[]> {
  const { json } = await ask(service, key, LISTS[filter] ?? assert.fail(`no list has the ids of ${filter}`))
  return json.data.map(({ id }: { id: string }) => id)
}

/** A query that no row satisfies, for a known id. */
const nothing = ({ shape }: Operation) =>
  shape === 'page' ? { updated_since: '2099-01-01T00:00:00Z' } : { from: '2020-01-01', to: '2020-01-01' }

for (const operation of allOperations as readonly Operation[]) {
  const { unknownIds, shape } = operation
  const end = shape === 'page' ? { next_cursor: null } : {}
  for (const filter of Object.keys(unknownIds).filter((name) => unknownIds[name] === 'empty')) {
    test(`${operation.id} tells an unknown ${filter} when it is empty`, async () => {
      const ids = await validIds(service, clinic, operation)
      const required = await requiredQuery(service, clinic, operation)
      const answered = async (id: string, more = {}) => {
        const query = { ...required, [filter]: id, ...more }
        const { status, json } = await ask(service, clinic.key, pathOf(operation, ids, query))
        assert.equal(status, 200)
        return json
      }
      const unknown = await answered('no-such-id')
      const kind = filter.replace('_id', '')
      const way = ['branch', 'provider', 'status'].includes(kind) ? ': the catalog lists the ids' : ''
      assert.deepEqual(unknown, {
        data: [],
        ...end,
        meta: {
          warnings: [{ parameter: filter, code: 'unknown_id', detail: `is the id of no ${kind} of this clinic${way}` }],
        },
      })
      const own = await idsOf(clinic, filter)
      const theirs = (await idsOf(other, filter)).find((id) => !own.includes(id))
      assert.deepEqual(await answered(theirs ?? assert.fail('the other clinic has no id of its own')), unknown)
      assert.deepEqual(await answered(own[0] ?? '', nothing(operation)), { data: [], ...end })
    })
  }
}

test('a model reads in words why a list is empty', async () => {
  const filters = { branch_id: 'no-such-id', provider_id: 'nobody' }
  const { json } = await send2026(service, clinic.key, 'tools/call', { name: 'appointments_list', arguments: filters })
  const [, ...words] = json.result.content.map(({ text }: { text: string }) => text)
  assert.deepEqual(words, [
    'Nothing was found because branch_id is the id of no branch of this clinic: the catalog lists the ids.',
    'Nothing was found because provider_id is the id of no provider of this clinic: the catalog lists the ids.',
  ])
  assert.equal(json.result.structuredContent.meta.warnings.length, 2)
})

const DAYS = { field: 'start_date', op: 'between', value: ['2020-01-01', '2029-12-31'] }
const counting = (branch: object) => ({
  dataset: 'appointments',
  measures: ['appointment_count'],
  filters: [DAYS, { field: 'branch', ...branch }],
})

test('a query tells the values of its filters that are the id of nothing, those of another clinic like any', async () => {
  const answered = async (branch: object) => {
    const { status, json } = await ask(service, clinic.key, '/v1/query', { method: 'POST', body: counting(branch) })
    assert.equal(status, 200)
    return { count: json.data.totals.appointment_count, meta: json.meta }
  }
  const own = await idsOf(clinic, 'branch_id')
  const [known = ''] = own
  const whole = await answered({ op: 'in', value: own })
  assert.equal(whole.meta, undefined)
  const warning = {
    parameter: 'branch',
    code: 'unknown_id',
    detail: 'has a value that is the id of no branch of this clinic: the catalog lists the ids',
  }
  for (const value of ['no-such-id', 'The name of a branch', 'theirs']) {
    const meta = { warnings: [{ ...warning, values: [value] }] }
    assert.deepEqual(await answered({ op: 'eq', value }), { count: 0, meta })
    assert.deepEqual(await answered({ op: 'in', value: [value, ...own] }), { count: whole.count, meta })
  }
  const { meta } = await answered({ op: 'not_in', value: [known, 'x', 'y'] })
  assert.deepEqual(meta.warnings, [
    {
      ...warning,
      detail: 'has values that are the ids of no branch of this clinic: the catalog lists the ids',
      values: ['x', 'y'],
    },
  ])
})

test('a model reads in words which values of a query are no ids, and that no record matches', async () => {
  const texts = async (value: string, field = 'branch') => {
    const query = { ...counting({ op: 'in', value: [value] }) }
    if (field === 'agent')
      Object.assign(query, {
        dataset: 'calls',
        measures: ['call_count'],
        filters: [
          { ...DAYS, field: 'started_date' },
          { field, op: 'eq', value },
        ],
      })
    const { json } = await send2026(service, clinic.key, 'tools/call', { name: 'query_run', arguments: query })
    const [figures, ...words] = json.result.content.map(({ text }: { text: string }) => text)
    return { groups: JSON.parse(figures).data.group_count, words }
  }
  assert.deepEqual(await texts('Haifa'), {
    groups: 0,
    words: [
      'The filter by branch has a value that is the id of no branch of this clinic: the catalog lists the ids (Haifa).',
    ],
  })
  const agent = await texts('nobody', 'agent')
  assert.equal(agent.groups, 0)
  assert.match(agent.words.join(), /^No record matches\. .* catalog_list has the ids\.$/)
  assert.deepEqual((await texts((await idsOf(clinic, 'branch_id'))[0] ?? '')).words, [])
})
