// A client that can ask its person before a write: it is told to, and nothing but the person's yes writes.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { ask, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool, REVISION } from './messages.ts'
import { type Arguments, faultIn, toolNamed, writeCalls } from './write-call.ts'

const service = await startParts({ mcp: { writes: true } })
after(() => service.close())
const clinic = await smallClinic(service)
const { argumentsOf, confirmed, rowsOf } = writeCalls(service, clinic)

/** A message of a client that can show its person a form. */
function sendAsking(params: Arguments, elicitation: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation },
  }
  return ask(service, clinic.key, '/mcp', {
    method: 'POST',
    headers: { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': String(params.name) },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } },
  })
}

const answering = (action: string) => ({ confirmation: { action, content: {} } })

test('a client that can ask its person is told to, and only the yes of the person writes', async () => {
  const tool = toolNamed('chat_messages_create')
  const call = { name: tool.name, arguments: await argumentsOf(tool) }
  const before = await rowsOf(tool)
  const asked = await sendAsking(call)
  const { resultType, inputRequests, requestState } = asked.json.result
  assert.equal(resultType, 'input_required')
  const { method, params } = inputRequests.confirmation
  assert.equal(method, 'elicitation/create')
  assert.match(params.message, /Agree only if you have asked for exactly this\.[\s\S]*to_phone: "050-123-4567"/)
  assert.match(params.message, /\nsent as: the template "appointment_reminder", which reads "/)
  for (const action of ['decline', 'cancel']) {
    const { json } = await sendAsking({ ...call, requestState, inputResponses: answering(action) })
    assert.deepEqual([json.result.isError, JSON.parse(json.result.content[0].text).status], [true, 403])
  }
  // The proof alone, without the answer of the person, asks again.
  const unanswered = await sendAsking({ ...call, requestState })
  assert.equal(unanswered.json.result.resultType, 'input_required')
  const unproven = await sendAsking({ ...call, inputResponses: answering('accept') })
  assert.equal(unproven.json.result.resultType, 'input_required')
  assert.equal(await rowsOf(tool), before)
  const done = await sendAsking({ ...call, requestState, inputResponses: answering('accept') })
  assert.equal(done.json.result.isError, undefined, done.text)
  assert.equal(await rowsOf(tool), before + 1)
})

test('a proof for the person is none for the argument, nor the other way, and a client that can ask is not served by the argument', async () => {
  const tool = toolNamed('leads_create')
  const toolArguments = await argumentsOf(tool)
  const byArgument = await confirmed(tool, toolArguments)
  const call = { name: tool.name, arguments: toolArguments }
  const { requestState } = (await sendAsking(call)).json.result
  const before = await rowsOf(tool)
  const asArgument = await callTool(service, clinic.key, tool.name, { ...toolArguments, confirmation: requestState })
  assert.equal(faultIn(asArgument.text).code, 'confirmation')
  const asState = await sendAsking({
    ...call,
    requestState: byArgument.confirmation,
    inputResponses: answering('accept'),
  })
  assert.equal(faultIn(asState.json.result.content[0].text).code, 'confirmation')
  const served = await sendAsking({ ...call, arguments: byArgument })
  assert.equal(served.json.result.resultType, 'input_required')
  // One that shows addresses alone cannot show a form.
  const urlOnly = await sendAsking(call, { url: {} })
  assert.equal(urlOnly.json.result.structuredContent.written, false)
  assert.equal(await rowsOf(tool), before)
})
