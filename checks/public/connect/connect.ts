// OAuth and MCP clients of other languages are connected to a running service: each asks for an address, a person allows it there, and the
// client takes its tokens, renews them, reads, and is refused once its connection has ended. A client whose programs are missing is skipped.
// The protocol's conformance suite tests the authorization server, its inspector is connected, and Schemathesis sends valid and broken
// requests to the endpoints of apps.
//
//   node checks/public/connect/connect.ts    what the clients download is kept in ~/.cache
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { freePorts } from '@clinic-data/testing/free-port'
import { globalSetup, globalTeardown } from '@clinic-data/testing/run/run-database'
import { until } from '@clinic-data/testing/until'
import { ConnectSite } from '../../../test/connect/connect-site.ts'
import { withSchemathesis } from '../run-schemathesis.ts'

/** A loopback address stands for any port of it. Nobody listens there: the test is the browser. */
const REDIRECT = 'http://127.0.0.1:9/callback'
/** With its downloads. */
const LIMIT_MS = 300_000
/** For what Schemathesis does without an end of its own. */
const BUDGET_SECONDS = 45
const CACHE = process.env.CLIENTS_CACHE ?? join(homedir(), '.cache', 'clinic-data-clients')

const clients = [
  { name: 'mcp-first', words: 'the first official MCP client for TypeScript registers itself', program: 'node' },
  { name: 'mcp-python', words: 'the official MCP client for Python registers itself', program: 'python3' },
  { name: 'authlib', words: 'Authlib, for Python, with a secret', program: 'python3', argv: ['--confidential'] },
  { name: 'x-oauth2', words: 'x/oauth2, for Go, with a secret', program: 'go', argv: ['--confidential'] },
  { name: 'nimbus', words: "Nimbus' library, for Java, with a secret", program: 'mvn', argv: ['--confidential'] },
]

mkdirSync(CACHE, { recursive: true })
await globalSetup()
// Schemathesis sends each request from an address of its own.
const site = await ConnectSite.start({ TRUSTED_PROXIES: '127.0.0.1' })
const person = await site.signIn()
after(globalTeardown)

for (const { name, words, program, argv } of clients) {
  const skip = spawnSync('which', [program]).status === 0 ? false : `there is no ${program}`
  test(`${words} is connected, renews, reads, and is refused after its connection has ended`, {
    skip,
    timeout: LIMIT_MS,
  }, async () => {
    const made = argv && (await site.apps('create', '--name', name, '--redirect', REDIRECT, '--json', ...argv))
    const app = made === undefined ? null : JSON.parse(made)
    const child = spawn('bash', [join(import.meta.dirname, name, 'run.sh')], {
      env: {
        PATH: process.env.PATH,
        HOME: homedir(),
        HERE: join(import.meta.dirname, name),
        CACHE,
        BASE_URL: site.baseUrl,
        REDIRECT,
        ...(app && { CLIENT_ID: app.client_id, CLIENT_SECRET: app.client_secret }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const said: string[] = []
    const errors = text(child.stderr)
    const closed = once(child, 'close')
    for await (const line of createInterface({ input: child.stdout })) {
      const [word, value = ''] = line.split(' ')
      said.push(word ?? '')
      if (word === 'OPEN') child.stdin.write(`${await person.allow(new URL(value))}\n`)
      if (word !== 'READ') continue
      const [open, ...others] = (await person.connections()).filter((one) => one.ended_at === null)
      assert.ok(open && others.length === 0, 'one connection is open')
      await person.end(open.id)
      child.stdin.write('ended\n')
    }
    const [code] = await closed
    assert.deepEqual([code, said], [0, ['OPEN', 'READ', 'REFUSED']], await errors)
  })
}

/** Runs a program that says where a person should go, and waits at a port of its own. @returns what it says, once it has ended well. */
async function withPerson(program: string, argv: readonly string[], variables: Record<string, string> = {}) {
  const child = spawn(join(import.meta.dirname, '../node_modules/.bin', program), argv, {
    env: { PATH: process.env.PATH, HOME: homedir(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const lines: string[] = []
  const listen = async (output: Readable) => {
    for await (const line of createInterface({ input: output })) {
      lines.push(line)
      const [address] = /http\S+\/console\/authorize\?\S+/.exec(line) ?? []
      if (address !== undefined) await arrive(await person.allow(new URL(address)))
    }
  }
  await Promise.all([listen(child.stdout), listen(child.stderr)])
  const said = lines.join('\n')
  assert.equal((await closed)[0], 0, said)
  return said
}

/** The program may not listen yet. */
async function arrive(back: URL): Promise<void> {
  await until(
    async () => (await fetch(back).catch(() => null))?.ok ?? false,
    () => `nobody listens at ${back.origin}`,
  )
}

test('the conformance suite finds nothing wrong with the authorization server', { timeout: LIMIT_MS }, async () => {
  const [port = 0] = await freePorts(1)
  const redirect = `http://127.0.0.1:${port}/callback`
  const { client_id } = JSON.parse(await site.apps('create', '--name', 'Suite', '--redirect', redirect, '--json'))
  const where = ['--url', site.baseUrl, '--resource', `${site.baseUrl}/mcp`, '--client-id', client_id]
  const said = await withPerson('conformance', ['authorization', ...where, '--port', String(port)])
  assert.match(said, /Total: 3 passed, 0 failed/)
})

test('the MCP inspector comes from the bare address to patients', { timeout: LIMIT_MS }, async () => {
  const [port] = await freePorts(1)
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'))
  const where = ['--server-url', `${site.baseUrl}/mcp`, '--transport', 'http']
  const back = ['--callback-url', `http://127.0.0.1:${port}/oauth/callback`]
  const call = ['--method', 'tools/call', '--tool-name', 'patients_list', '--tool-args-json', '{"limit":2}']
  // It opens a browser that does nothing, and keeps no token.
  const variables = {
    HOME: folder,
    MCP_AUTO_OPEN_ENABLED: 'true',
    BROWSER: 'true',
    MCP_INSPECTOR_SECRET_STORE: 'memory',
  }
  const said = await withPerson('mcp-inspector', ['--cli', ...where, ...back, ...call, '--format', 'json'], variables)
  await rm(folder, { recursive: true })
  assert.match(said, /next_cursor/)
})

test('each endpoint of apps and each document keeps to its standard, whatever it is sent', {
  timeout: LIMIT_MS,
}, async (t) => {
  await withSchemathesis(async (schemathesis) => {
    if (schemathesis === null) return t.skip('python3 with venv and pip is missing')
    const argv = [join(import.meta.dirname, 'endpoints.yaml'), '--url', site.baseUrl]
    assert.equal(await schemathesis({ config: 'connect/schemathesis.toml', seconds: BUDGET_SECONDS, argv }), 0)
  })
})
