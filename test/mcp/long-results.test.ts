// A result is never longer than a model should read at once. It is cut at a row, and the continued parts give each row once.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Handlers, TOOL_RESULT_CHARACTERS } from '@clinic-data/contract'
import { ask, smallClinic, startParts, type TestClinic, type TestService } from '@clinic-data/testing/run/test-service'
import { callTool } from './messages.ts'

let service: TestService
let clinic: TestClinic
/** The length of the texts in rows. */
let length = 0
/** Treatments that the clinic offers in addition to its own. */
let offered = 0
const SEGMENTS = 4000

before(async () => {
  service = await startParts({
    wrap: (backend) => ({ ...backend, handlers: { ...backend.handlers, ...longer(backend.handlers) } }),
  })
  clinic = await smallClinic(service, 40)
})
after(() => service.close())

/** From 0 to 6, always the same for a row. */
function sizeOf(id: string): number {
  return [...id].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 7
}

function longer(handlers: Handlers): Partial<Handlers> {
  return {
    'chat.messages.list': async (...args) => {
      const answer = await handlers['chat.messages.list'](...args)
      return {
        ...answer,
        data: answer.data.map((row) => ({ ...row, text: '"'.repeat((length * sizeOf(row.id)) / 3) })),
      }
    },
    'catalog.treatments.list': async () => ({
      data: Array.from({ length: offered }, (_, at) => ({
        id: `t${at}`,
        name: `Treatment ${'x'.repeat(at % 150)}`,
        code: null,
        price: at,
        color: null,
        category_id: null,
        category_name: null,
      })),
    }),
    'calls.get': async (...args) => {
      const answer = await handlers['calls.get'](...args)
      const segments = Array.from({ length: SEGMENTS }, (_, at) => ({
        speaker: 'patient' as const,
        start_seconds: at,
        end_seconds: at + 1,
        text: `words ${at}`,
      }))
      const transcript = { status: 'completed' as const, language: 'en', summary: 'A call.', segments }
      return { ...answer, data: { ...answer.data, transcript } }
    },
  }
}

/** Reads all parts of a result and returns them. */
async function whole(name: string, toolArguments: Record<string, unknown>) {
  const results = []
  let cursor: string | null | undefined
  do {
    const { text, structured, isError } = await callTool(service, clinic.key, name, {
      ...toolArguments,
      ...(cursor && { cursor }),
    })
    assert.equal(isError, false, text)
    assert.ok(text.length <= TOOL_RESULT_CHARACTERS, `${text.length} characters`)
    results.push(structured)
    cursor = structured.next_cursor
  } while (cursor)
  return results
}

for (const [why, limit, characters] of [
  ['a few rows fit', 100, 4000],
  ['almost all rows fit', 100, 350],
  ['a page of the default size does not fit', undefined, 4000],
] as const) {
  test(`a page is cut at a row and its continuation gives each row once, where ${why}`, async () => {
    length = characters
    const results = await whole('chat_messages_list', limit === undefined ? {} : { limit })
    const ids = results.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))
    assert.ok(results.some(({ data, next_cursor }) => next_cursor !== null && data.length < (limit ?? 25)))
    assert.deepEqual(ids, await allMessageIds())
  })
}

async function allMessageIds(): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await ask(service, clinic.key, `/v1/chat/messages?limit=100${cursor && `&cursor=${cursor}`}`)
    ids.push(...json.data.map(({ id }: { id: string }) => id))
    cursor = json.next_cursor
  }
  return ids
}

test('rows that are reduced to short fields are not cut', async () => {
  length = 4000
  const { structured } = await callTool(service, clinic.key, 'chat_messages_list', { limit: 100, fields: ['id'] })
  assert.equal(structured.data.length, Math.min(100, (await allMessageIds()).length))
})

test('a single row that is too long has its texts cut and says so', async () => {
  length = 60_000
  const results = await whole('chat_messages_list', { limit: 2 })
  const texts: string[] = results.flatMap(({ data }) => data.map(({ text }: { text: string }) => text))
  assert.equal(texts.length, (await allMessageIds()).length)
  assert.ok(texts.some((text) => /… \[cut: the first 2000 of \d+ characters]$/.test(text)))
})

test('a whole list is cut at a row and continues with its own cursor until it changes', async () => {
  offered = 1500
  const results = await whole('catalog_list', { kind: 'treatments' })
  assert.ok(results.length > 3)
  assert.deepEqual(
    results.flatMap(({ data }) => data.map(({ id }: { id: string }) => id)),
    Array.from({ length: offered }, (_, at) => `t${at}`),
  )
  assert.equal(results.at(-1).next_cursor, null)
  const cursor = results[0].next_cursor
  for (const [fields, size] of [
    [{ kind: 'treatments', cursor }, 10],
    [{ kind: 'branches', cursor }, 1500],
    [{ kind: 'treatments', cursor: `${cursor}x` }, 1500],
  ] as const) {
    offered = size
    const { isError, text } = await callTool(service, clinic.key, 'catalog_list', fields)
    assert.deepEqual([isError, JSON.parse(text).errors[0].parameter], [true, 'cursor'])
  }
})

test("a list that fits equals REST's answer, without a cursor", async () => {
  offered = 20
  const { structured } = await callTool(service, clinic.key, 'catalog_list', { kind: 'treatments' })
  assert.deepEqual(Object.keys(structured), ['data'])
})

test('a long transcript is cut at a segment, and each part carries its call', async () => {
  const { structured } = await callTool(service, clinic.key, 'calls_list', { limit: 1 })
  const call_id = structured.data[0].id
  const results = await whole('calls_get', { call_id })
  assert.ok(results.length > 3)
  const segments = results.flatMap(({ data }) => data.transcript.segments)
  assert.deepEqual(
    segments.map(({ start_seconds }: { start_seconds: number }) => start_seconds),
    Array.from({ length: SEGMENTS }, (_, at) => at),
  )
  for (const { data } of results) assert.deepEqual([data.id, data.transcript.summary], [call_id, 'A call.'])
})

test('a cursor of REST continues in a tool, and the other way round', async () => {
  length = 10
  const rest = await ask(service, clinic.key, '/v1/patients?limit=3')
  const tool = await callTool(service, clinic.key, 'patients_list', { limit: 3, cursor: rest.json.next_cursor })
  const again = await ask(service, clinic.key, `/v1/patients?limit=3&cursor=${rest.json.next_cursor}`)
  assert.deepEqual(tool.structured, again.json)
  assert.equal((await ask(service, clinic.key, `/v1/patients?cursor=${tool.structured.next_cursor}`)).status, 200)
})
