// What is shown before a write that is there already: that no new record comes of it. A yes to that is none to a new record.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { type WriteTool, writeTools } from '@clinic-data/contract/projections/write-tools'
import { sql } from '@clinic-data/database'
import { smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool } from './messages.ts'
import { type Arguments, faultIn, newKey, newPhone, toolNamed, writeCalls } from './write-call.ts'

const service = await startParts({ mcp: { writes: true } })
after(() => service.close())
const clinic = await smallClinic(service)
const { argumentsOf, confirmed, rowsOf } = writeCalls(service, clinic)
const { clinic_id } = clinic.clinic

const show = (tool: WriteTool, toolArguments: Arguments) => callTool(service, clinic.key, tool.name, toolArguments)
const write = async (tool: WriteTool, toolArguments: Arguments) =>
  callTool(service, clinic.key, tool.name, await confirmed(tool, toolArguments))

const NEW = /^This call wrote nothing\. With a yes it would write:\n/
const KNOWN = /^This call wrote nothing\. With a yes no new record comes of this:\n/

for (const tool of writeTools()) {
  test(`${tool.name} says of a repeated idempotency_key that its write is done, and answers it again`, async () => {
    const toolArguments = await argumentsOf(tool)
    if (tool.name === 'leads_create') Object.assign(toolArguments, { external_id: newKey(), phone: newPhone() })
    const shown = await show(tool, toolArguments)
    assert.match(shown.text, NEW)
    assert.doesNotMatch(shown.text, /already/)
    const agreed = { ...toolArguments, confirmation: shown.structured.confirmation }
    const done = await callTool(service, clinic.key, tool.name, agreed)
    const before = await rowsOf(tool)
    const again = await show(tool, toolArguments)
    assert.match(again.text, KNOWN)
    assert.match(
      again.text,
      /\ndone already: a call with this idempotency_key has written it, and its answer comes again\n/,
    )
    // The proof of before the write, and that of after it.
    for (const confirmation of [agreed.confirmation, again.structured.confirmation]) {
      const repeated = await callTool(service, clinic.key, tool.name, { ...toolArguments, confirmation })
      assert.deepEqual([repeated.isError, repeated.structured], [false, done.structured], repeated.text)
    }
    assert.equal(await rowsOf(tool), before)
  })

  test(`${tool.name} names its idempotency_key, and not the header, where it was used with other content`, async () => {
    const toolArguments = await argumentsOf(tool)
    await write(tool, toolArguments)
    const other = tool.name === 'payments_create' ? { amount: 99 } : { first_name: 'Other', text: 'Other' }
    const { first_name, text, ...kept } = { ...toolArguments, ...other } as Arguments
    const changed = { ...kept, ...(tool.name === 'leads_create' ? { first_name } : {}) }
    if (tool.name === 'chat_messages_create') Object.assign(changed, { text, template: undefined })
    const refused = await show(tool, changed)
    assert.equal(refused.isError, true, refused.text)
    assert.doesNotMatch(refused.text, /Idempotency-Key/)
    const { status, detail } = JSON.parse(refused.text)
    const { parameter, code } = faultIn(refused.text)
    assert.deepEqual([status, parameter, code], [422, 'idempotency_key', 'reused'])
    assert.match(detail, /^`idempotency_key` must be new/)
  })
}

test('a call whose idempotency_key is under way is told so by the name of the argument', async () => {
  const tool = toolNamed('leads_create')
  const toolArguments = await argumentsOf(tool)
  await service.owner.write(clinic.clinic, async (tx) => {
    // As the transaction of a write with this key holds it.
    const held = `${clinic_id} POST /v1/leads ${toolArguments.idempotency_key}`
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${held}, 0))`)
    const { isError, text } = await show(tool, toolArguments)
    const { status, detail } = JSON.parse(text)
    const told = 'A request with this idempotency_key is under way. Ask again in a moment.'
    assert.deepEqual([isError, status, detail], [true, 409, told])
  })
})

test('a payment whose external_id is known, and a lead that joins another one, are shown as that', async () => {
  const [pay, lead] = [toolNamed('payments_create'), toolNamed('leads_create')]
  const paid = { ...(await argumentsOf(pay)), external_id: newKey() }
  const { structured: first } = await write(pay, paid)
  const payAgain = { ...paid, idempotency_key: newKey() }
  const shown = await show(pay, payAgain)
  assert.match(shown.text, KNOWN)
  assert.match(shown.text, /\nthere already: the payment with this external_id\n/)
  const repeated = await callTool(service, clinic.key, pay.name, {
    ...payAgain,
    confirmation: shown.structured.confirmation,
  })
  assert.equal(repeated.structured.data.id, first.data.id)

  const phone = newPhone()
  const called = { first_name: 'Dana', phone, source: 'phone', idempotency_key: newKey() }
  const { structured: made } = await write(lead, called)
  const before = await rowsOf(lead)
  const joining = { ...called, note: 'Called again', idempotency_key: newKey() }
  const joined = await show(lead, joining)
  assert.match(joined.text, KNOWN)
  assert.match(
    joined.text,
    /\nthere already: a lead with this external_id, phone or email\. This is added to its timeline\n/,
  )
  const told = await callTool(service, clinic.key, lead.name, {
    ...joining,
    confirmation: joined.structured.confirmation,
  })
  assert.equal(told.structured.data.id, made.data.id)
  assert.equal(await rowsOf(lead), before)
})

test('a yes to nothing new is none to a new record', async () => {
  const tool = toolNamed('leads_create')
  const phone = newPhone()
  const called = { first_name: 'Dana', phone, source: 'phone', idempotency_key: newKey() }
  const { structured } = await write(tool, called)
  const agreed = await confirmed(tool, { ...called, idempotency_key: newKey() })
  const before = await rowsOf(tool)
  // Staff close the lead meanwhile.
  await service.owner.query(sql`update lead set status = 'lost'
    where clinic_id = ${clinic_id} and id = ${structured.data.id}`)
  const late = await callTool(service, clinic.key, tool.name, agreed)
  assert.deepEqual([late.isError, faultIn(late.text).code], [true, 'confirmation'])
  assert.equal(await rowsOf(tool), before)
})
