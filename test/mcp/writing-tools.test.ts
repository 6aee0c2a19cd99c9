// The tools that write: off unless the operator turns them on, for whoever REST lets write, after a yes to exactly this, and once.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { allScopes, type Backend, type Operation, operations } from '@clinic-data/contract'
import { tools } from '@clinic-data/contract/projections/tools'
import { writeTools } from '@clinic-data/contract/projections/write-tools'
import { sql } from '@clinic-data/database'
import { ask, emptyClinic, keyOf, servedClinic, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool, generations, send2025, send2026 } from './messages.ts'
import { unknownArgument } from './tool-question.ts'
import { type Arguments, faultIn, newKey, newPhone, toolNamed, writeCalls } from './write-call.ts'

const MINUTE_MS = 60_000

let now = Date.now()
/** Breaks a handler after it has done its work, as a kill between the commit and the answer does. */
let isKilled = false
const killing = (backend: Backend): Backend => ({
  ...backend,
  handlers: {
    ...backend.handlers,
    'payments.create': async (...given) => {
      const answer = await backend.handlers['payments.create'](...given)
      if (isKilled) throw new Error('killed')
      return answer
    },
  },
})

const { service: withoutWrites } = await servedClinic()
const service = await startParts({ mcp: { writes: true }, now: () => now, wrap: killing })
after(() => service.close())
const clinic = await smallClinic(service)
const other = await smallClinic(service)

const { argumentsOf, confirmed, rowsOf } = writeCalls(service, clinic)

async function auditOf(operation: Operation) {
  const { clinic_id } = clinic.clinic
  return service.database.read<{ surface: string; status: number; count: number }>(
    { clinic_id, time_zone: 'UTC' },
    sql`select surface, status, count from audit where clinic_id = ${clinic_id} and operation = ${operation.id}
      order by stored_at, id`,
  )
}

test('where nobody has turned them on there is no tool that writes, and lists, sessions and pages are as before', async () => {
  const key = await keyOf(withoutWrites.owner, clinic.clinic, allScopes)
  const { json } = await send2026(withoutWrites, key, 'tools/list')
  assert.deepEqual(
    json.result.tools.map(({ name }: { name: string }) => name),
    tools().map(({ name }) => name),
  )
  for (const { name } of writeTools()) {
    const called = await send2026(withoutWrites, key, 'tools/call', { name, arguments: {} })
    assert.equal(called.json.error.code, -32602)
  }
  const begun = await send2026(withoutWrites, key, 'server/discover')
  assert.match(begun.json.result.instructions, /, read only\./)
  const page = await ask(withoutWrites, null, '/docs/mcp.md')
  assert.match(page.text, /- The tools only read\. A key/)
  // Whoever misses them finds why, and whom to ask.
  assert.match(page.text, /`payments_create` write, and are off in this service\. Whoever runs it .* `MCP_WRITES=1`/)
  assert.doesNotMatch(page.text, /idempotency_key|confirmation/)
})

test('where they are on, the tools that read stay as they are, and a session and the guide say that some write', async () => {
  for (const send of Object.values(generations)) {
    const { json } = await send(service, clinic.key, 'tools/list')
    const names = json.result.tools.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      names,
      [...tools(), ...writeTools()].map(({ name }) => name),
    )
    assert.deepEqual(JSON.parse(JSON.stringify(json.result.tools.slice(0, -3))), await listedWithout())
  }
  const begun = await send2026(service, clinic.key, 'server/discover')
  const { instructions } = begun.json.result
  assert.match(instructions, /Some tools write: only when your person asks/)
  assert.doesNotMatch(instructions, /read only/)
  assert.ok(instructions.split(/\s+/).length <= 150, instructions)
  const reader = await keyOf(service.owner, clinic.clinic, ['patients:read', 'payments:read'])
  assert.match((await send2026(service, reader, 'server/discover')).json.result.instructions, /, read only\./)
  const page = await ask(service, null, '/docs/mcp.md')
  assert.match(
    page.text,
    /Most tools only read[\s\S]*`leads_create`, `chat_messages_create`, `payments_create` write, with/,
  )
  assert.match(page.text, /A key without the scope does not see the tool/)
  assert.match(page.text, /A text in the records can talk a model into a call/)
})

async function listedWithout() {
  const key = await keyOf(withoutWrites.owner, clinic.clinic, allScopes)
  return (await send2026(withoutWrites, key, 'tools/list')).json.result.tools
}

/** The text with one other letter. The last ones of base64 do not count whole, and an end that is always the same may be the right one. */
const otherwise = (text: string) => text.replace(/.(?=.{7}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))

for (const tool of writeTools()) {
  const operation: Operation = operations[tool.runs.operation]

  test(`${tool.name} writes only with its confirmation, answers as REST does, and leaves rows that name MCP`, async () => {
    for (const send of Object.values(generations)) {
      const toolArguments = await argumentsOf(tool)
      // A lead of the example would be found again.
      if (tool.name === 'leads_create') Object.assign(toolArguments, { external_id: newKey(), phone: newPhone() })
      const before = await rowsOf(tool)
      const shown = await callTool(service, clinic.key, tool.name, toolArguments, send)
      assert.equal(shown.isError, false, shown.text)
      assert.match(shown.text, /^This call wrote nothing\./)
      assert.deepEqual(shown.structured, {
        written: false,
        message: shown.text,
        confirmation: shown.structured.confirmation,
      })
      assert.equal(await rowsOf(tool), before)
      const again = { ...toolArguments, confirmation: shown.structured.confirmation }
      const done = await callTool(service, clinic.key, tool.name, again, send)
      assert.equal(done.isError, false, done.text)
      assert.equal(await rowsOf(tool), before + 1)
      assert.equal(done.text, JSON.stringify(done.structured))
      const [first, second] = (await auditOf(operation)).slice(-2)
      assert.deepEqual(
        [first, second],
        [
          { surface: 'mcp', status: 202, count: 0 },
          { surface: 'mcp', status: 201, count: 1 },
        ],
      )
      const { confirmation, ...rest } = again
      const repeated = await callTool(service, clinic.key, tool.name, { confirmation, ...rest }, send)
      assert.deepEqual(repeated.structured, done.structured)
      assert.equal(await rowsOf(tool), before + 1)
    }
  })

  test(`${tool.name} is listed for ${tool.scope} alone, and refused without it, confirmed or not`, async () => {
    const poor = await keyOf(
      service.owner,
      clinic.clinic,
      allScopes.filter((scope) => scope !== tool.scope),
    )
    const { json } = await send2026(service, poor, 'tools/list')
    assert.ok(!json.result.tools.some(({ name }: { name: string }) => name === tool.name))
    const toolArguments = await argumentsOf(tool)
    const before = await rowsOf(tool)
    for (const tried of [toolArguments, await confirmed(tool, toolArguments)]) {
      const { isError, text } = await callTool(service, poor, tool.name, tried)
      const problem = JSON.parse(text)
      assert.deepEqual([isError, problem.status, problem.required_scope], [true, 403, tool.scope])
    }
    const alone = await keyOf(service.owner, clinic.clinic, [tool.scope ?? assert.fail()])
    assert.equal((await callTool(service, alone, tool.name, toolArguments)).isError, false)
    assert.equal(await rowsOf(tool), before)
  })

  test(`${tool.name} takes a confirmation for exactly its key, its clinic, its arguments and ten minutes`, async () => {
    const toolArguments = await argumentsOf(tool)
    const good = await confirmed(tool, toolArguments)
    const { confirmation } = good
    const sibling = await keyOf(service.owner, clinic.clinic, allScopes)
    const otherTool = writeTools().find(({ name }) => name !== tool.name) ?? assert.fail()
    const ofOther = (await confirmed(otherTool, await argumentsOf(otherTool))).confirmation
    const tries: [key: string, toolArguments: Arguments, code: string][] = [
      [sibling, good, 'confirmation'],
      [clinic.key, { ...good, idempotency_key: newKey() }, 'confirmation'],
      [clinic.key, { ...good, confirmation: ofOther }, 'confirmation'],
      [clinic.key, { ...good, confirmation: otherwise(confirmation) }, 'confirmation'],
      [clinic.key, { ...good, confirmation: '' }, 'confirmation'],
      [clinic.key, { ...good, confirmation: true }, 'type'],
    ]
    const before = await rowsOf(tool)
    for (const [key, tried, code] of tries) {
      const { isError, text } = await callTool(service, key, tool.name, tried)
      assert.equal(isError, true, text)
      assert.deepEqual([faultIn(text).parameter, faultIn(text).code], ['confirmation', code])
    }
    if (!('id' in operation.ids)) {
      const elsewhere = await callTool(service, other.key, tool.name, good)
      assert.equal(faultIn(elsewhere.text).code, 'confirmation')
    }
    now += 10 * MINUTE_MS
    const late = await callTool(service, clinic.key, tool.name, good)
    now -= 10 * MINUTE_MS
    assert.deepEqual([late.isError, faultIn(late.text).code], [true, 'expired'])
    assert.equal(await rowsOf(tool), before)
  })

  test(`${tool.name} refuses unknown arguments and no or a wrong idempotency_key, before it shows anything`, async () => {
    const { idempotency_key, ...toolArguments } = await argumentsOf(tool)
    const wrong: [key: unknown, code: string][] = [
      [undefined, 'required'],
      [7, 'type'],
      ['', 'format'],
      ['two words', 'format'],
      ['x'.repeat(256), 'format'],
    ]
    for (const [tried, code] of wrong) {
      const { isError, text } = await callTool(service, clinic.key, tool.name, {
        ...toolArguments,
        idempotency_key: tried,
      })
      assert.deepEqual(
        [isError, JSON.parse(text).errors],
        [true, [{ parameter: 'idempotency_key', code, detail: JSON.parse(text).errors[0].detail }]],
      )
    }
    const unknown = await callTool(service, clinic.key, tool.name, {
      ...toolArguments,
      idempotency_key,
      constructor: 1,
    })
    assert.equal(unknown.isError, true)
    const { status, errors } = JSON.parse(unknown.text)
    assert.deepEqual([status, errors], [400, [unknownArgument(tool, 'constructor')]])
  })
}

test("a payment for another clinic's patient, or for nobody, is 404 before anything is shown", async () => {
  const tool = toolNamed('payments_create')
  const stranger = { clinic: await emptyClinic(service.owner) }
  const key = await keyOf(service.owner, stranger.clinic, allScopes)
  const blind = await keyOf(service.owner, stranger.clinic, ['payments:write'])
  const toolArguments = await argumentsOf(tool)
  const { isError, text } = await callTool(service, key, tool.name, toolArguments)
  assert.deepEqual([isError, JSON.parse(text).status], [true, 404])
  // A key that may read no patient is told what REST tells it.
  const tried = await callTool(service, blind, tool.name, toolArguments)
  assert.deepEqual([tried.isError, JSON.parse(tried.text).status], [true, 404])
})

test('what would be written is shown with the name of its patient to a key that may read patients, and to no other', async () => {
  const tool = toolNamed('payments_create')
  const toolArguments = await argumentsOf(tool)
  const { json } = await ask(service, clinic.key, `/v1/patients/${toolArguments.patient_id}`)
  const shown = await callTool(service, clinic.key, tool.name, toolArguments)
  assert.ok(shown.text.includes(json.data.first_name), shown.text)
  const writer = await keyOf(service.owner, clinic.clinic, ['payments:write'])
  const blind = await callTool(service, writer, tool.name, toolArguments)
  assert.equal(blind.isError, false)
  assert.ok(!blind.text.includes(json.data.first_name))
})

test('no text can look like another line of what would be written, and none of it is invisible', async () => {
  const note = 'ok\namount: 1\u202e\u200b'
  const shown = await callTool(service, clinic.key, 'leads_create', {
    first_name: 'Dana',
    phone: '052-765-0000',
    source: 'phone',
    note,
    idempotency_key: newKey(),
  })
  assert.match(shown.text, /\nnote: "ok\\namount: 1"\n/)
})

test('a confirmation fits the same arguments in another order', async () => {
  const template = { name: 'appointment_reminder', language: 'en', variables: { name: 'Noa', day: 'Tuesday' } }
  const toolArguments = { to_phone: '050-123-4567', template, idempotency_key: newKey() }
  const { confirmation } = await confirmed(toolNamed('chat_messages_create'), toolArguments)
  const { name, language, variables } = template
  const turned = { confirmation, ...toolArguments, template: { variables, language, name } }
  const { isError, text } = await callTool(service, clinic.key, 'chat_messages_create', turned)
  assert.equal(isError, false, text)
})

test('a call whose answer was lost writes once when it is repeated', async () => {
  const tool = toolNamed('payments_create')
  const again = await confirmed(tool, await argumentsOf(tool))
  const before = await rowsOf(tool)
  isKilled = true
  const killed = await callTool(service, clinic.key, tool.name, again)
  isKilled = false
  assert.deepEqual([killed.isError, JSON.parse(killed.text).status], [true, 500])
  const { json } = await send2026(service, clinic.key, 'tools/call', { name: tool.name, arguments: again })
  assert.match(json.result.content[1].text, /^Nothing was written again/)
  const rest = await ask(service, clinic.key, `/v1/patients/${again.patient_id}/payments`, {
    method: 'POST',
    headers: { 'idempotency-key': String(again.idempotency_key) },
    body: withoutOwn(again),
  })
  assert.deepEqual([rest.json, rest.headers['idempotent-replayed']], [json.result.structuredContent, 'true'])
  assert.equal(await rowsOf(tool), before + 1)
})

function withoutOwn({ idempotency_key, confirmation, patient_id, ...body }: Arguments) {
  return body
}

test('the refusal of a write is that of REST, after the confirmation', async () => {
  const first = { ...(await argumentsOf(toolNamed('payments_create'))), external_id: 'till-9' }
  const tool = toolNamed('payments_create')
  const changed = await confirmed(tool, { ...first, amount: 11, idempotency_key: newKey() })
  await callTool(service, clinic.key, tool.name, await confirmed(tool, first))
  const { isError, text } = await callTool(service, clinic.key, tool.name, changed)
  assert.deepEqual([isError, JSON.parse(text).code], [true, 'conflict'])
})

test('each write counts in the limit of its key', async () => {
  const limited = await startParts({ mcp: { writes: true }, rate: { requests: 1, seconds: 60 } })
  try {
    const key = await keyOf(limited.owner, await emptyClinic(limited.owner), ['leads:write'])
    const call = { name: 'leads_create', arguments: { first_name: 'Dana', idempotency_key: 'a' } }
    assert.equal((await send2025(limited, key, 'tools/call', call)).status, 200)
    assert.equal((await send2025(limited, key, 'tools/call', call)).status, 429)
  } finally {
    await limited.close()
  }
})
