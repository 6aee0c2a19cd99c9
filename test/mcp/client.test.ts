// The public client over real sockets, in both generations: it lists, calls, turns pages and gets errors. Here the gateway calls its
// backend over HTTP. In the other tests the backend is in the same process. The tools cannot tell the difference.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { portRoutes } from '@clinic-data/backend/port-listener'
import { type HttpBackend, httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import {
  keyOf,
  smallClinic,
  startParts,
  type TestClinic,
  type TestParts,
  type TestService,
} from '@clinic-data/testing/run/test-service'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Fastify from 'fastify'
import pino from 'pino'

const token = randomBytes(24).toString('hex')
const log = pino({ level: 'silent' })
const port = Fastify()
let behind: TestParts
let remote: HttpBackend
let service: TestService
let clinic: TestClinic
let url: URL

before(async () => {
  behind = await startParts()
  clinic = await smallClinic(behind)
  await port.register(portRoutes(behind.backend, { token, log }))
  remote = httpBackend({ urls: [await port.listen({ host: '127.0.0.1', port: 0 })], token, log })
  service = await startParts({ baseUrl: 'http://127.0.0.1', wrap: () => remote })
  url = new URL(`${await service.address()}/mcp`)
})
after(async () => {
  await service.close()
  await remote.close()
  await port.close()
  await behind.close()
})

async function connected(key: string, mode: 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

for (const [generation, mode] of [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
] as const) {
  test(`the public client of ${generation} lists, calls, turns pages, and gets its faults`, async () => {
    const client = await connected(clinic.key, mode)
    try {
      const { tools } = await client.listTools()
      assert.equal(tools[0]?.name, 'service_whoami')
      assert.match(client.getInstructions() ?? '', /service_whoami/)
      const whoami = await client.callTool({ name: 'service_whoami', arguments: {} })
      const { clinic_id } = (whoami.structuredContent as { data: { clinic_id: string } }).data
      assert.equal(clinic_id, clinic.clinic.clinic_id)
      const ids = new Set<string>()
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const toolArguments = { limit: 5, fields: ['id'], ...(cursor && { cursor }) }
        const { structuredContent } = await client.callTool({ name: 'patients_list', arguments: toolArguments })
        const page = structuredContent as { data: { id: string }[]; next_cursor: string | null }
        for (const { id } of page.data) ids.add(id)
        cursor = page.next_cursor
      }
      assert.equal(ids.size, 12)
      const wrong = await client.callTool({ name: 'patients_list', arguments: { limit: 0, filter: 'x' } })
      assert.equal(wrong.isError, true)
      const [content] = wrong.content
      assert.equal(JSON.parse(content?.type === 'text' ? content.text : '').errors.length, 2)
      await assert.rejects(client.callTool({ name: 'patients_drop', arguments: {} }), /-32602|no such tool/)
    } finally {
      await client.close()
    }
  })
}

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`the public client takes a prompt, completes its branch and reads resources (${JSON.stringify(mode)})`, async () => {
    const client = await connected(clinic.key, mode)
    try {
      const { prompts } = await client.listPrompts()
      assert.ok(prompts.some(({ title }) => title === 'Morning briefing'))
      const ref = { type: 'ref/prompt', name: 'morning_briefing' } as const
      const { completion } = await client.complete({ ref, argument: { name: 'branch', value: '' } })
      const [branch = ''] = completion.values
      const { messages } = await client.getPrompt({ name: ref.name, arguments: { branch } })
      const [message] = messages
      assert.ok(message?.content.type === 'text' && message.content.text.includes(`branch “${branch}”`))
      const { resources } = await client.listResources()
      for (const { uri } of resources.slice(0, 3)) {
        const [content] = (await client.readResource({ uri })).contents
        assert.ok(content && 'text' in content && JSON.parse(content.text).data.length > 0, uri)
      }
      await assert.rejects(client.readResource({ uri: 'clinic://patients/p1' }), /no such resource/)
      assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, [])
    } finally {
      await client.close()
    }
  })

test('an expired key is refused before anything else', async () => {
  const expired = await keyOf(behind.owner, clinic.clinic, ['patients:read'], new Date(Date.now() - 1000))
  await assert.rejects(connected(expired, { pin: '2026-07-28' }), /401|nauthorized/)
})
