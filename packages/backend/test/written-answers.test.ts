// Rows that the backend writes for a gateway of the same contract: the contract's form, for lists alone, and only where it is whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyAnswer, allOperations, type Operation, operations } from '@clinic-data/contract'
import { mayBeWritten, WrittenRows } from '@clinic-data/contract/data-writer'
import { portHeaders, portPaths } from '@clinic-data/contract/port'
import { type PortReply, readAnswer } from '@clinic-data/contract/port-answer'
import { PortLines } from '@clinic-data/contract/port-lines'
import { exampleAnswer } from '@clinic-data/contract/projections/example-answer'
import { contractMark } from '@clinic-data/contract/written-reply'
import { type Handle, input, principal, setUp } from './port-call.ts'

const OURS = { [portHeaders.contract]: contractMark() }
const scopes = allOperations.flatMap(({ scope }) => scope ?? [])
const list = operations['patients.list']
const HOSTILE = 'Noa\n0 200\t{"data":null}\t{"id":"of another call"}\t\u0000\u2028\ud83e\uddb7'

/** The replies to one message with a call of each operation. */
async function repliesTo(
  { post }: ReturnType<typeof setUp>,
  asked: readonly Operation[],
  { headers = OURS, query = {} }: { headers?: Record<string, string>; query?: object } = {},
): Promise<PortReply[]> {
  const body = { principal: { ...principal, scopes }, input: { ...input, query: { ...input.query, ...query } } }
  const calls = asked.map(({ id }) => ({ path: portPaths.operation(id), deadline_ms: 5000, body }))
  const { text } = await post(portPaths.calls, { calls }, headers)
  const replies: PortReply[] = []
  new PortLines((place, reply) => {
    replies[place] = reply
  }).read(Buffer.from(text))
  assert.equal(replies.length, asked.length)
  return replies
}

const dataOf = (reply: PortReply | undefined): unknown =>
  reply?.rows === undefined ? undefined : JSON.parse(Buffer.from(reply.rows).toString())

test('the rows of every list are written, and of no other answer', async (t) => {
  for (const operation of allOperations) {
    const answer = operation.shape === 'none' ? null : (exampleAnswer(operation) as AnyAnswer)
    const [reply] = await repliesTo(
      setUp(t, async () => answer),
      [operation],
    )
    assert.equal(reply?.status, 200, operation.id)
    assert.equal(reply.rows !== undefined, mayBeWritten(operation), operation.id)
    if (answer !== null && mayBeWritten(operation)) assert.deepEqual(dataOf(reply), answer.data, operation.id)
  }
})

test('an empty list is sent as ever', async (t) => {
  const [reply] = await repliesTo(
    setUp(t, async () => ({ data: [], next: null })),
    [list],
  )
  assert.deepEqual(reply, { status: 200, text: '{"data":[],"next":null}' })
})

test('fields that the contract does not name are not written, and those of the detailed form only where it is asked for', async (t) => {
  const rows = (exampleAnswer({ ...list, output: list.detailed ?? assert.fail() }) as { data: object[] }).data
  const at = setUp(t, async () => ({ data: rows.map((row) => ({ ...row, secret: 'inside' })), next: null }))
  const [concise] = await repliesTo(at, [list])
  const [detailed] = await repliesTo(at, [list], { query: { response_format: 'detailed' } })
  assert.deepEqual(dataOf(detailed), rows)
  assert.deepEqual(dataOf(concise), (exampleAnswer(list) as AnyAnswer).data)
})

test('no text of a record reaches another call of its message', async (t) => {
  const [row] = (exampleAnswer(list) as { data: object[] }).data
  const at = setUp(t, async () => ({ data: [{ ...row, first_name: HOSTILE }], next: null }))
  for (const reply of await repliesTo(at, [list, list, list]))
    assert.equal((dataOf(reply) as [{ first_name: string }])[0].first_name, HOSTILE)
})

test('a gateway of another contract, or a call that comes alone, gets the answer as ever', async (t) => {
  const answer = exampleAnswer(list)
  const at = setUp(t, async () => answer)
  for (const headers of [{}, { [portHeaders.contract]: '' }, { [portHeaders.contract]: `${contractMark()}x` }])
    assert.deepEqual(await repliesTo(at, [list], { headers: headers as Record<string, string> }), [
      { status: 200, text: JSON.stringify(answer) },
    ])
  const alone = await at.post(portPaths.operation(list.id), { principal, input }, OURS)
  assert.equal(alone.text, JSON.stringify(answer))
})

test('an answer that lacks a promised field, and a refusal, are sent as ever', async (t) => {
  const handle: Handle = async () => ({ data: [{ first_name: 'Noa' }], next: null })
  const [reply] = await repliesTo(setUp(t, handle), [list])
  assert.deepEqual(reply, { status: 200, text: '{"data":[{"first_name":"Noa"}],"next":null}' })
  const refused = setUp(t, async () => {
    throw new Error('inside')
  })
  assert.equal((await repliesTo(refused, [list]))[0]?.status, 500)
})

test('beside the data stands what the audit log names of it, unless the row is stored', async (t) => {
  const appointments = operations['appointments.list']
  const answer = { ...(exampleAnswer(appointments) as AnyAnswer), next: ['2026-01-01 00:00:00+00', 'a1'] }
  const read = (reply: PortReply | undefined) => readAnswer(appointments)(reply ?? assert.fail()) as AnyAnswer
  const [plain] = await repliesTo(
    setUp(t, async () => answer),
    [appointments],
  )
  const { data, next, audited } = read(plain)
  assert.ok(data instanceof WrittenRows)
  assert.deepEqual(next, answer.next)
  const [row] = answer.data as [{ id: string; patient: { id: string } }]
  assert.deepEqual(audited, { resource_ids: [row.id], patient_ids: [row.patient.id], count: 1 })
  const [stored] = await repliesTo(
    setUp(t, async () => ({ ...answer, recorded: true })),
    [appointments],
  )
  assert.deepEqual([read(stored).recorded, read(stored).audited], [true, undefined])
})

test('rows beside an answer that is no list are no answer', () => {
  const reply = { status: 200, text: '{"data":null}', rows: Buffer.from('{"id":"p1"}') }
  assert.throws(() => readAnswer(operations['patients.get'])(reply), /rows beside an answer that is no list/)
})
