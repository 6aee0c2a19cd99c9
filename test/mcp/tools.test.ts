// The rules for every tool: who sees it, who may call it, whose rows it shows, and that it answers like REST.
import assert from 'node:assert/strict'
import test from 'node:test'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { allScopes, type Scope } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { tools } from '@clinic-data/contract/projections/tools'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { emptyClinic, keyOf, servedClinic, startParts } from '@clinic-data/testing/run/test-service'
import { betweenEqual } from '../rules/comparable-answer.ts'
import { callTool, generations, send2026 } from './messages.ts'
import { questionsFor, steady, unknownArgument } from './tool-question.ts'

const { service, clinic } = await servedClinic()

for (const tool of tools()) {
  test(`${tool.name} answers what REST answers, as structure and as text`, async () => {
    for (const question of await questionsFor(service, clinic, tool)) {
      const rest = async () => steady((await question.rest()).json)
      for (const send of Object.values(generations)) {
        const call = () => callTool(service, clinic.key, tool.name, question.arguments, send)
        const { done, answered } = await betweenEqual(rest, call)
        const { isError, text, structured } = done
        assert.equal(isError, false, text)
        assert.equal(text, JSON.stringify(structured))
        assert.deepEqual(steady(structured), answered)
      }
    }
  })

  test(`${tool.name} shows another clinic's key nothing of this one`, async () => {
    const clinicOfNone = await emptyClinic(service.owner)
    const other = { key: await keyOf(service.owner, clinicOfNone, allScopes) }
    for (const question of await questionsFor(service, clinic, tool)) {
      const { isError, text, structured } = await callTool(service, other.key, tool.name, question.arguments)
      if ('id' in question.operation.ids) {
        assert.equal(isError, true)
        assert.equal(JSON.parse(text).status, 404)
      } else {
        const { json } = await question.rest(other.key)
        if (json.status === undefined) assert.deepEqual(steady(structured), steady(json))
        else assert.equal(JSON.parse(text).status, json.status)
      }
    }
  })

  const { scope } = tool
  if (scope === null) continue
  test(`${tool.name} is refused without ${scope}, names it and who grants it, and is served with it alone`, async () => {
    const poor = await keyOf(
      service.owner,
      clinic.clinic,
      allScopes.filter((other) => other !== scope),
    )
    const alone = await keyOf(service.owner, clinic.clinic, [scope])
    for (const question of await questionsFor(service, clinic, tool)) {
      const refused = await callTool(service, poor, tool.name, question.arguments)
      const problem = JSON.parse(refused.text)
      assert.equal(refused.isError, true)
      assert.deepEqual([problem.status, problem.code, problem.required_scope], [403, 'forbidden', scope])
      assert.match(problem.detail, new RegExp(`${scope}.*administrator`))
      assert.equal((await callTool(service, alone, tool.name, question.arguments)).isError, false)
    }
  })

  test(`${tool.name} refuses unknown arguments, and reports every fault at once`, async () => {
    const [question] = await questionsFor(service, clinic, tool)
    const toolArguments = { ...question?.arguments, ' ': 1, constructor: 'x', ...(tool.list && { cursor: 5 }) }
    const { isError, text } = await callTool(service, clinic.key, tool.name, toolArguments)
    const { status, errors } = JSON.parse(text)
    assert.deepEqual([isError, status], [true, 400])
    assert.equal(errors.length, tool.list ? 3 : 2, text)
    const told = errors.filter(({ code }: { code: string }) => code === 'unknown')
    assert.deepEqual(
      told,
      [' ', 'constructor'].map((parameter) => unknownArgument(tool, parameter)),
    )
  })
}

test("each set of scopes sees the tools of its scopes, in the contract's order", async () => {
  const needed = [...new Set(tools().flatMap(({ scope }) => scope ?? []))]
  const sets = sized({
    everyday: [[], needed, ...needed.flatMap((one) => [[one], needed.filter((other) => other !== one)])],
    long: Array.from({ length: 2 ** needed.length }, (_, bits) => needed.filter((_scope, at) => bits & (1 << at))),
  })
  let scopes: readonly Scope[] = []
  const holder = { key_id: 'k1', clinic: clinic.clinic, rate_limit: null, expires_at: null }
  const varied = await startParts({
    wrap: (backend) => ({ ...backend, authenticate: async () => ({ ...holder, scopes }) }),
  })
  try {
    for (const set of sets) {
      scopes = set.toReversed()
      const { json } = await send2026(varied, makeKey(), 'tools/list')
      assert.deepEqual(
        json.result.tools.map(({ name }: { name: string }) => name),
        tools().flatMap(({ name, scope }) => (scope === null || set.includes(scope) ? [name] : [])),
      )
    }
  } finally {
    await varied.close()
  }
})

test("a tool's listing matches the contract, read-only and closed-world", async () => {
  for (const send of Object.values(generations)) {
    const { json } = await send(service, clinic.key, 'tools/list')
    assert.deepEqual(
      json.result.tools,
      tools().map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
      })),
    )
  }
})

test("fields reduces the rows to the requested ones, in REST's order", async () => {
  const toolArguments = { limit: 2, fields: ['phone', 'id'] }
  const { structured } = await callTool(service, clinic.key, 'patients_list', toolArguments)
  for (const row of structured.data) assert.deepEqual(Object.keys(row), ['id', 'phone'])
  const concise = await callTool(service, clinic.key, 'patients_list', { fields: ['id', 'balance'] })
  const [fault] = JSON.parse(concise.text).errors
  assert.deepEqual([fault.parameter, fault.detail], ['fields', 'needs response_format detailed for balance'])
  const detailed = await callTool(service, clinic.key, 'patients_list', {
    fields: ['id', 'balance'],
    response_format: 'detailed',
  })
  assert.deepEqual(Object.keys(detailed.structured.data[0]), ['id', 'balance'])
})

test('each tool call leaves an audit row that names MCP, and no log line names the request', async (t) => {
  const own = await startParts()
  t.after(() => own.close())
  const { clinic_id } = clinic.clinic
  const patient = (await callTool(own, clinic.key, 'patients_list', { limit: 1 })).structured.data[0]
  const lines = own.logLines.length
  const calls: [
    name: string,
    toolArguments: Record<string, unknown>,
    operation: string,
    status: number,
    ids: string[],
  ][] = [
    ['patients_get', { patient_id: patient.id }, 'patients.get', 200, [patient.id]],
    ['patients_get', { patient_id: 'secret-id' }, 'patients.get', 404, ['secret-id']],
    ['patients_list', { query: 'secret-name', limit: 0 }, 'patients.list', 400, []],
    ['patients_list', { query: 'secret-name' }, 'patients.list', 200, []],
    ['catalog_list', { kind: 'secret-kind' }, 'catalog.branches.list', 400, []],
  ]
  for (const [name, toolArguments, operation, status, resource_ids] of calls) {
    await callTool(own, clinic.key, name, toolArguments)
    const rows = await own.database.read<{ resource_ids: string[] }>(
      { clinic_id, time_zone: 'UTC' },
      sql`select operation, surface, status, resource_ids from audit where clinic_id = ${clinic_id} order by stored_at, id`,
    )
    const row = rows.at(-1) ?? assert.fail()
    const named = namedIn(row.resource_ids).resource_ids
    assert.deepEqual({ ...row, resource_ids: named }, { operation, surface: 'mcp', status, resource_ids })
    const line = JSON.parse(own.logLines.at(-1) ?? '')
    assert.deepEqual([line.route, line.operation], ['/mcp', operation])
  }
  assert.doesNotMatch(own.logLines.slice(lines).join('\n'), /secret|arguments/)
})
