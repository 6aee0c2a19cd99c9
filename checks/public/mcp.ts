// Tests the MCP server with public tools: the conformance suite for the newest revision and for 2025's, the inspector in both
// generations, the client of the library's first generation, and the cost of the list of tools in tokens.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { globalSetup, globalTeardown } from '@clinic-data/testing/run/run-database'
import { smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { fixtureTools } from '../../test/mcp/fixture-tools.ts'
import { startKeyProxy } from '../../test/mcp/key-proxy.ts'

const here = import.meta.dirname
const REVISIONS = ['2026-07-28', '2025-11-25']
/** The maximum cost of listing all tools. Every conversation that reads the list pays it. */
const MOST_TOKENS = 6000
/** What the tools that write may add to it, where an operator has turned them on. */
const MOST_WRITING_TOKENS = 1500

await globalSetup()
const proxy = await startKeyProxy()
const url = `${proxy.url}/mcp`
const service = await startParts({ baseUrl: proxy.url, mcp: { extraTools: fixtureTools } })
const plain = await startParts({ baseUrl: proxy.url })
const writing = await startParts({ baseUrl: proxy.url, mcp: { writes: true } })
try {
  const { key } = await smallClinic(service)
  await serve(service, key)
  for (const revision of REVISIONS) await conforms(revision)
  // The next checks run without the suite's extra tools.
  await serve(plain, key)
  for (const era of ['modern', 'legacy']) await inspected(era)
  const list = await asFirstClient()
  const tokens = encode(JSON.stringify(list)).length
  assert.ok(tokens <= MOST_TOKENS, `the list of tools takes ${tokens} tokens`)
  await serve(writing, key)
  for (const era of ['modern', 'legacy']) await inspected(era)
  await writesAsFirstClient()
  const added = encode(JSON.stringify(await asFirstClient())).length - tokens
  assert.ok(added <= MOST_WRITING_TOKENS, `the tools that write add ${added} tokens`)
  process.stdout.write(
    `MCP: the suite, the inspector and the first client agree; ${list.length} tools, ${tokens} tokens; ${added} more with those that write\n`,
  )
} finally {
  proxy.close()
  await service.close()
  await plain.close()
  await writing.close()
  await globalTeardown()
}

async function serve({ gateway }: typeof service, key: string): Promise<void> {
  await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  proxy.forward((gateway.app.server.address() as AddressInfo).port, key)
}

/** A baseline lists the checks that a server with read-only tools cannot pass. The suite fails when one of them passes. */
async function conforms(revision: string): Promise<void> {
  const baseline = join(here, `mcp-baseline-${revision}.yaml`)
  await run('conformance', 'server', '--url', url, '--requirements', revision, '--expected-failures', baseline)
}

/** Lists the tools, checks every schema for keywords that some clients do not understand, calls one, and triggers an error. */
async function inspected(era: string): Promise<void> {
  const inspector = (...argv: string[]) =>
    run(
      'mcp-inspector',
      '--cli',
      '--server-url',
      url,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--format',
      'json',
      '-q',
      ...argv,
    )
  const listed = await inspector('--method', 'tools/list', '--strict')
  assert.match(listed, /"service_whoami"/)
  const called = await inspector(
    '--method',
    'tools/call',
    '--tool-name',
    'patients_list',
    '--tool-args-json',
    '{"limit":2}',
  )
  assert.match(called, /next_cursor/)
}

/** Runs the client that most programs still use: it lists, calls, turns a page and receives its faults. */
async function asFirstClient() {
  const client = new Client({ name: 'check', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  const page = async (cursor?: string) =>
    (await client.callTool({ name: 'patients_list', arguments: { limit: 3, ...(cursor && { cursor }) } }))
      .structuredContent as {
      data: { id: string }[]
      next_cursor: string
    }
  const first = await page()
  const second = await page(first.next_cursor)
  assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 6)
  assert.equal((await client.callTool({ name: 'patients_list', arguments: { limit: 0 } })).isError, true)
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /-32602/)
  await client.close()
  return tools
}

/** The client checks each result against the schema of its tool, also one that only shows what would be written. */
async function writesAsFirstClient(): Promise<void> {
  const client = new Client({ name: 'check', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  await client.listTools()
  const lead = { first_name: 'Dana', phone: '052-765-4321', source: 'phone', idempotency_key: 'check-1' }
  const call = async (given: object) =>
    (await client.callTool({ name: 'leads_create', arguments: { ...lead, ...given } })).structuredContent as {
      confirmation?: string
      data?: { id: string }
    }
  const { confirmation } = await call({})
  assert.ok((await call({ confirmation })).data?.id)
  await client.close()
}

/** Runs a tool and returns its output. The inspector warns of each field without a type (docs/decisions/0133), so only a failure is printed. */
async function run(tool: string, ...argv: string[]): Promise<string> {
  const child = spawn(join(here, 'node_modules', '.bin', tool), argv, {
    cwd: here,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, warned, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (status !== 0) {
    process.stdout.write(printed + warned)
    throw new Error(`${tool} ${argv[0]} failed`)
  }
  return printed
}
