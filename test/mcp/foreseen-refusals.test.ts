// What is shown before a write: the refusals that the write would meet, and how it would go out. Each is found by a rehearsal of the write.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { type Backend, operations } from '@clinic-data/contract'
import { writeTools } from '@clinic-data/contract/projections/write-tools'
import { sql } from '@clinic-data/database'
import { ask, pathOf, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool } from './messages.ts'
import { type Arguments, faultIn, newKey, newPhone, toolNamed, writeCalls } from './write-call.ts'

const service = await startParts({ mcp: { writes: true } })
const withoutRehearsals = await startParts({
  mcp: { writes: true },
  wrap: ({ rehearse: _, ...backend }): Backend => backend,
})
after(() => Promise.all([service.close(), withoutRehearsals.close()]))
const clinic = await smallClinic(service)
const { argumentsOf, rowsOf } = writeCalls(service, clinic)
const { clinic_id } = clinic.clinic

/** What each tool refuses by a rule of the clinic's data or of the clock: other arguments, and what is refused. */
const REFUSALS: Readonly<Record<string, readonly (readonly [other: Arguments, place: string])[]>> = {
  leads_create: [],
  payments_create: [
    [{ patient_id: 'p-of-nobody' }, 'not-found'],
    [{ billing_account_id: 'nowhere' }, '#/billing_account_id'],
    [{ amount: 10.005 }, '#/amount'],
    [{ paid_at: '2099-01-01T10:00:00Z' }, '#/paid_at'],
    [{ currency: 'USD' }, '#/currency'],
  ],
  chat_messages_create: [
    [{ to_phone: undefined, conversation_id: 'nowhere' }, '#/conversation_id'],
    [{ to_phone: undefined, patient_id: 'nobody' }, '#/patient_id'],
    [{ text: '   ', template: undefined }, '#/text'],
    [{ to_phone: newPhone(), text: 'Hello', template: undefined, allow_template: false }, '#/allow_template'],
    [{ text: undefined, template: { name: 'nothing', language: 'en' } }, '#/template/name'],
    [{ text: undefined, template: { name: 'appointment_reminder', language: 'en' } }, '#/template/variables/name'],
  ],
}

const NOT_TRIED = /\nnot tried: the system that holds the data cannot tell before\./

/** Puts the clinic's own template around free text. */
async function wrapFreeText(): Promise<void> {
  await service.owner.query(sql`update clinic set wrapping_template_name = 'clinic_message',
    wrapping_template_language = 'he' where clinic_id = ${clinic_id}`)
}

test('every tool that writes has its rehearsal', async () => {
  for (const tool of writeTools()) {
    const toolArguments = await argumentsOf(tool)
    const { isError, text } = await callTool(service, clinic.key, tool.name, toolArguments)
    assert.equal(isError, false, text)
    assert.doesNotMatch(text, NOT_TRIED)
    assert.match((await callTool(withoutRehearsals, clinic.key, tool.name, toolArguments)).text, NOT_TRIED)
  }
  assert.deepEqual(
    writeTools()
      .map(({ name }) => name)
      .sort(),
    Object.keys(REFUSALS).sort(),
  )
})

for (const tool of writeTools()) {
  for (const [other, place] of REFUSALS[tool.name] ?? []) {
    test(`${tool.name} refuses ${place} of ${JSON.stringify(other)} before anybody is asked, as REST does`, async () => {
      const toolArguments = { ...(await argumentsOf(tool)), ...other }
      const before = await rowsOf(tool)
      const shown = await callTool(service, clinic.key, tool.name, toolArguments)
      assert.equal(shown.isError, true, shown.text)
      const { idempotency_key, patient_id, ...body } = toolArguments as Arguments & { patient_id?: string }
      const isInPath = 'patient_id' in tool.path_arguments || Object.values(tool.path_arguments).includes('patient_id')
      const rest = await ask(service, clinic.key, pathOf(operations[tool.runs.operation], { id: patient_id ?? '' }), {
        method: 'POST',
        body: isInPath ? body : { ...body, patient_id },
      })
      const [told, refused] = [JSON.parse(shown.text), rest.json]
      const compared = ({ status, code, errors }: typeof told) => ({ status, code, errors })
      assert.deepEqual(compared(told), compared(refused))
      assert.equal(told.errors?.[0].pointer ?? 'not-found', place)
      assert.equal(await rowsOf(tool), before)
    })
  }
}

test('a message is shown with the way in which it goes out, and a yes to that is none to another', async () => {
  const tool = toolNamed('chat_messages_create')
  await wrapFreeText()
  const phone = newPhone()
  const toolArguments = { to_phone: phone, text: 'We are open', idempotency_key: newKey() }
  const closed = await callTool(service, clinic.key, tool.name, toolArguments)
  assert.match(closed.text, /\nsent as: the marketing template "clinic_message" with the text in it, because the/)
  const { idempotency_key } = toolArguments
  const template = { name: 'appointment_reminder', language: 'en', variables: { name: 'Noa', day: 'Tuesday' } }
  const filled = await callTool(service, clinic.key, tool.name, { to_phone: phone, template, idempotency_key })
  assert.match(filled.text, /\nsent as: the template "appointment_reminder", which reads ".*Noa.*Tuesday/)

  const { rows } = await service.owner.query<{ id: string }>(sql`select id from chat_conversation
    where clinic_id = ${clinic_id} order by id limit 1`)
  const conversation_id = rows[0]?.id ?? assert.fail()
  const openUntil = (at: string) =>
    service.owner.query(sql`update chat_conversation set free_text_window_expires_at = ${at}
      where clinic_id = ${clinic_id} and id = ${conversation_id}`)
  await openUntil('2200-01-01T00:00:00Z')
  const inTime = { conversation_id, text: 'We are open', idempotency_key: newKey() }
  const open = await callTool(service, clinic.key, tool.name, inTime)
  assert.match(open.text, /\nsent as: free text, while the 24-hour window is open\n/)
  const agreed = { ...inTime, confirmation: open.structured.confirmation }
  await openUntil('2020-01-01T00:00:00Z')
  const before = await rowsOf(tool)
  const late = await callTool(service, clinic.key, tool.name, agreed)
  assert.deepEqual([late.isError, faultIn(late.text).code], [true, 'confirmation'])
  assert.equal(await rowsOf(tool), before)
  await openUntil('2200-01-01T00:00:00Z')
  assert.equal((await callTool(service, clinic.key, tool.name, agreed)).isError, false)
  // What was sent is told again although it would go out in another way by now.
  await openUntil('2020-01-01T00:00:00Z')
  assert.equal((await callTool(service, clinic.key, tool.name, agreed)).isError, false)
  assert.equal(await rowsOf(tool), before + 1)
})

test('a payment is shown with its currency and the document that it gets', async () => {
  const tool = toolNamed('payments_create')
  const { text } = await callTool(service, clinic.key, tool.name, { ...(await argumentsOf(tool)), amount: 12.5 })
  assert.match(text, /\nrecorded as: 12\.5 "[A-Z]{3}", with the document "(receipt|tax_invoice_receipt)"\n/)
})

test('where the backend cannot tell before, that is said, and the write goes on as ever', async () => {
  const tool = toolNamed('payments_create')
  const wrong = { ...(await argumentsOf(tool)), currency: 'USD' }
  const shown = await callTool(withoutRehearsals, clinic.key, tool.name, wrong)
  assert.match(shown.text, NOT_TRIED)
  const { confirmation } = shown.structured
  const refused = await callTool(withoutRehearsals, clinic.key, tool.name, { ...wrong, confirmation })
  assert.deepEqual([refused.isError, JSON.parse(refused.text).status], [true, 422])
  const right = await argumentsOf(tool)
  const good = await callTool(withoutRehearsals, clinic.key, tool.name, right)
  const again = { ...right, confirmation: good.structured.confirmation }
  assert.equal((await callTool(withoutRehearsals, clinic.key, tool.name, again)).isError, false)
})

test('a rehearsal leaves a row that names the patients, refused or not', async () => {
  const tool = toolNamed('chat_messages_create')
  const patient_id = String((await argumentsOf(toolNamed('payments_create'))).patient_id)
  await callTool(service, clinic.key, tool.name, { patient_id, text: ' ', idempotency_key: newKey() })
  const [row] = await service.database.read<{ status: number; resource_ids: string[] }>(
    { clinic_id, time_zone: 'UTC' },
    sql`select status, resource_ids from audit where clinic_id = ${clinic_id} and operation = 'chat.messages.create'
      order by stored_at desc, id desc limit 1`,
  )
  const { patient_ids } = namedIn(row?.resource_ids ?? [])
  assert.deepEqual([row?.status, patient_ids], [422, [patient_id]])
})
