// `sc login` by a browser and by a code, and the tokens that renew themselves, with an authorization server whose answers are scripted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { afterEach, beforeEach } from 'node:test'
import { until } from '@clinic-data/testing/until'
import { newFolder, type ScOptions, sc } from './sc.ts'
import { fake, json, problem } from './sc-service.ts'

type Form = Record<string, string>

let folder: string
let baseUrl: string
/** The forms that came, by endpoint. */
let forms: { path: string; form: Form }[]
/** The answer of the token endpoint to each form, or the status of a refusal. */
let answer: (form: Form) => object | Promise<object>
let isAway: boolean
/** The access tokens that are good. */
let good: string[]
let serial: number

const pair = (expires_in = 3600) => {
  serial++
  good.push(`access-${serial}`)
  return { access_token: `access-${serial}`, refresh_token: `refresh-${serial}`, expires_in, token_type: 'Bearer' }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  if (path === '/.well-known/oauth-authorization-server') {
    const at = (end: string) => `${baseUrl}${end}`
    return void json(response, 200, {
      issuer: baseUrl,
      authorization_endpoint: at('/console/authorize'),
      token_endpoint: at('/oauth/token'),
      revocation_endpoint: at('/oauth/revoke'),
      device_authorization_endpoint: at('/oauth/device'),
    })
  }
  if (path.startsWith('/oauth/')) {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    forms.push({ path, form })
    if (isAway) return void response.writeHead(503, { 'retry-after': '1' }).end('{}')
    if (path === '/oauth/revoke') return void response.writeHead(200).end()
    const body = await answer(form)
    return void json(response, 'error' in body ? 400 : 200, body)
  }
  const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
  if (!good.includes(token)) return void json(response, 401, problem('unauthorized', 401))
  json(response, 200, { data: { clinic_id: 'c1', scopes: ['patients:read'] } })
}

beforeEach(async () => {
  folder = await newFolder()
  forms = []
  good = []
  serial = 0
  isAway = false
  answer = () => pair()
  baseUrl = (await fake((request, response) => void serve(request, response))).SC_BASE_URL
})
afterEach(() => rm(folder, { recursive: true }))

const here = (more = {}) => ({ SC_CONFIG_DIR: folder, SC_BASE_URL: baseUrl, ...more })
const whoami = (options: ScOptions = {}) => sc(['whoami', '--format', 'json'], { variables: here(), ...options })
const file = () => join(folder, 'config.json')
const stored = async () => JSON.parse(await readFile(file(), 'utf8'))
const refreshes = () => forms.filter(({ form }) => form.grant_type === 'refresh_token')

function keep(more: object = {}): void {
  const { expires_in, token_type, ...tokens } = pair()
  const expires_at = new Date(Date.now() + expires_in * 1_000).toISOString()
  const [token_endpoint, revocation_endpoint] = [`${baseUrl}/oauth/token`, `${baseUrl}/oauth/revoke`]
  const login = { base_url: baseUrl, ...tokens, expires_at, token_endpoint, revocation_endpoint, seed: 's', ...more }
  writeFileSync(file(), JSON.stringify(login), { mode: 0o600 })
}

/** A browser that writes the address down, and how the test answers it. */
async function browser(): Promise<{ program: string; address: () => Promise<URL> }> {
  const [program, seen] = [join(folder, 'browser'), join(folder, 'seen')]
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$1" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`)
  await chmod(program, 0o755)
  const address = async () => {
    const found = await until(
      () => readFile(seen, 'utf8').catch(() => null),
      () => 'no browser was opened',
    )
    return new URL(found.trim())
  }
  return { program, address }
}

/** `sc login` where a browser can be opened, up to the page of consent. */
async function opened() {
  const { program, address } = await browser()
  const { Readable } = await import('node:stream')
  const { main } = await import('@clinic-data/cli/main')
  const { readEnvironment } = await import('@clinic-data/cli/config')
  const interruption = new AbortController()
  let errors = ''
  const sink = {
    isTerminal: true,
    columns: 80,
    write: async (words: string) => {
      errors += words
    },
  }
  const code = main(['login'], {
    stdin: Object.assign(new Readable({ read() {} }), { isTTY: true }),
    stdout: sink,
    stderr: sink,
    environment: readEnvironment({ HOME: folder, ...here({ BROWSER: program }) }, 'linux'),
    signal: interruption.signal,
  })
  const asked = (await address()).searchParams
  const back = new URL(asked.get('redirect_uri') ?? '')
  const comeBack = (parameters: Form) => fetch(`${back}?${new URLSearchParams(parameters)}`)
  return { code, asked, back, comeBack, errors: () => errors, interruption }
}

test('login opens the browser with PKCE, takes the code at its own port, and stores tokens that open the clinic', async () => {
  const { code, asked, back, comeBack, errors } = await opened()
  assert.deepEqual(
    ['response_type', 'client_id', 'code_challenge_method', 'resource', 'scope'].map((name) => asked.get(name)),
    ['code', 'sc', 'S256', baseUrl, null],
  )
  assert.match(String(back), /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const page = await comeBack({ code: 'the-code', state: asked.get('state') ?? '', iss: baseUrl })
  assert.match(await page.text(), /You are signed in/)
  assert.equal(await code, 0, errors())
  const [{ form = {} } = {}] = forms
  assert.equal(hash('sha256', form.code_verifier ?? '', 'base64url'), asked.get('code_challenge'))
  assert.deepEqual([form.code, form.redirect_uri, form.client_id], ['the-code', String(back), 'sc'])
  assert.equal((await stored()).refresh_token, 'refresh-1')
  assert.match(errors(), /The connection opens the clinic c1 with 1 scope\./)
  assert.ok(!/access-|refresh-|the-code/.test(errors()))
  assert.equal((await whoami()).code, 0)
  await assert.rejects(fetch(back), 'the port is closed')
})

test('a page that guesses the port brings no code, and the answer of another service is refused', async () => {
  const { code, asked, comeBack, back, errors } = await opened()
  const state = asked.get('state') ?? ''
  for (const wrong of [{}, { state: 'x' }, { state: `${state}x` }])
    assert.equal((await comeBack({ code: 'evil', iss: baseUrl, ...wrong })).status, 400)
  assert.equal((await fetch(new URL('/other', back))).status, 404)
  await comeBack({ code: 'evil', state, iss: 'https://evil.example' })
  assert.equal(await code, 4)
  assert.match(errors(), /another service/)
  assert.equal(forms.length, 0)
  await assert.rejects(stored(), /ENOENT/)
})

test('a refusal in the browser is said, and Ctrl-C ends a login that waits', async () => {
  const refused = await opened()
  await refused.comeBack({ error: 'access_denied', state: refused.asked.get('state') ?? '', iss: baseUrl })
  assert.equal(await refused.code, 4)
  assert.match(refused.errors(), /refused in the browser/)
  await rm(join(folder, 'seen'))
  const left = await opened()
  left.interruption.abort(new Error('interrupted'))
  assert.equal(await left.code, 130)
})

test('where no browser is, login shows a code, waits as the service says, and stores the tokens', async () => {
  const waits: number[] = []
  const steps = ['authorization_pending', 'slow_down', 'temporarily_unavailable']
  answer = ({ grant_type }) => {
    if (grant_type === undefined)
      return {
        device_code: 'device-1',
        user_code: 'BCDF-GHJK',
        verification_uri: `${baseUrl}/console/device`,
        expires_in: 600,
        interval: 5,
      }
    const error = steps.shift()
    return error === undefined ? pair() : { error }
  }
  const { code, errors } = await sc(['login', '--device', '--scopes', 'reads,leads:write'], {
    variables: here(),
    wait: async (ms) => void waits.push(ms),
  })
  assert.equal(code, 0, errors)
  assert.match(errors, /\/console\/device on any computer or phone, and type this code there: BCDF-GHJK/)
  assert.deepEqual(waits, [5_000, 5_000, 10_000, 15_000])
  assert.deepEqual([forms[0]?.form.scope, forms[1]?.form.device_code], ['reads leads:write', 'device-1'])
  assert.equal((await whoami()).code, 0)
})

test('a token is renewed a minute before its end and after a 401, and the new ones are stored', async () => {
  keep({ expires_at: new Date(Date.now() + 50_000).toISOString() })
  assert.equal((await whoami()).code, 0)
  assert.deepEqual([refreshes().length, (await stored()).refresh_token], [1, 'refresh-2'])
  good = []
  assert.equal((await whoami()).code, 0)
  assert.deepEqual([refreshes().length, (await stored()).refresh_token], [2, 'refresh-3'])
  assert.equal((await whoami()).code, 0)
  assert.equal(refreshes().length, 2)
})

test('two sc at once do not end each other: who is refused takes what the other has stored', async () => {
  keep()
  good = []
  answer = () => {
    keep()
    return { error: 'invalid_grant' }
  }
  assert.equal((await whoami()).code, 0)
  assert.deepEqual([refreshes().length, (await stored()).refresh_token], [1, 'refresh-2'])
})

test('a login that has ended says so, and how to go on', async () => {
  keep()
  good = []
  answer = () => ({ error: 'invalid_grant', error_description: 'The connection has ended.' })
  const { code, errors } = await sc(['whoami'], { variables: here() })
  assert.equal(code, 4)
  assert.match(errors, /^error: the login has ended: The connection has ended\.\nhint: sc login connects again/)
})

test('a login that the clinic has stopped says so, and is good again afterwards', async () => {
  keep()
  good = []
  answer = () => ({ error: 'access_denied', error_description: 'The clinic has stopped this connection.' })
  const { code, errors } = await sc(['whoami'], { variables: here() })
  assert.equal(code, 4)
  assert.match(errors, /^error: The clinic has stopped this connection\.\nhint: ask the clinic; the login is kept/)
  answer = () => pair()
  assert.equal((await whoami()).code, 0)
})

test('a login from whose address others send too many requests has not ended', async () => {
  keep()
  good = []
  answer = () => ({ error: 'temporarily_unavailable', error_description: 'Retry after 7 seconds.' })
  assert.match((await sc(['whoami'], { variables: here() })).errors, /^error: Retry after 7 seconds\./)
  answer = () => pair()
  assert.equal((await whoami()).code, 0)
})

test('while the service cannot renew, a token is used to its end, and nothing is lost', async () => {
  isAway = true
  keep({ expires_at: new Date(Date.now() + 50_000).toISOString() })
  assert.equal((await whoami()).code, 0)
  keep({ expires_at: new Date(Date.now() - 1).toISOString() })
  assert.equal((await whoami()).code, 6)
  isAway = false
  assert.equal((await whoami()).code, 0)
})

test('sc that is killed while it renews leaves the file whole, and the next one goes on with it', async () => {
  keep({ expires_at: new Date(Date.now() - 1).toISOString() })
  const before = await stored()
  const asked = Promise.withResolvers<void>()
  answer = () => {
    asked.resolve()
    return new Promise(() => undefined)
  }
  const program = join(dirname(import.meta.dirname), 'packages/cli/bin/sc.mjs')
  const child = spawn(process.execPath, [program, 'whoami'], { env: { PATH: process.env.PATH, ...here() } })
  await asked.promise
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.deepEqual([await stored(), await readdir(folder)], [before, ['config.json']])
  answer = () => pair()
  assert.equal((await whoami()).code, 0)
  assert.deepEqual(
    refreshes().map(({ form }) => form.refresh_token),
    ['refresh-1', 'refresh-1'],
  )
})

test('a logout during a renewal is not undone', async () => {
  keep({ expires_at: new Date(Date.now() - 1).toISOString() })
  answer = () => {
    rmSync(file())
    return pair()
  }
  await whoami()
  await assert.rejects(stored(), /ENOENT/)
})

test('tokens go to the service that made them alone, and SC_API_KEY goes before them', async () => {
  keep()
  const other = await fake((_, response) => assert.fail(String(response.statusCode)))
  const elsewhere = await sc(['whoami'], { variables: { ...here(), SC_BASE_URL: other.SC_BASE_URL } })
  assert.deepEqual([elsewhere.code, /where sc has logged in/.test(elsewhere.errors)], [2, true])
  const { code } = await sc(['whoami', '--no-retry'], { variables: { ...here(), SC_API_KEY: other.SC_API_KEY } })
  assert.equal(code, 4)
  assert.equal(refreshes().length, 0)
})

test('logout ends the connection at the service and forgets it, also while the service is away, and says so', async () => {
  keep()
  const ended = await sc(['logout'], { variables: here() })
  assert.deepEqual([ended.code, forms[0]?.path, forms[0]?.form.token], [0, '/oauth/revoke', 'refresh-1'])
  assert.match(ended.errors, /^The connection has ended\.\nRemoved /)
  keep()
  isAway = true
  const away = await sc(['logout'], { variables: here() })
  assert.equal(away.code, 0)
  assert.match(away.errors, /could not be ended.*\nIt stays until somebody ends it in the clinic's console/)
  await assert.rejects(stored(), /ENOENT/)
})
