// `sc login` at a whole service: by the browser and by a code, many `sc` at once when the token has ended, and `sc logout`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { readEnvironment } from '@clinic-data/cli/config'
import { main } from '@clinic-data/cli/main'
import { until } from '@clinic-data/testing/until'
import { newFolder, sc } from '../sc.ts'
import type { ConnectSite, Person } from './connect-site.ts'

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/sc.mjs')

/** @param atOnce - how many `sc` renew one token. */
export function testSc(started: () => ConnectSite, atOnce: number): void {
  let site: ConnectSite
  let person: Person
  let folder: string
  before(async () => {
    folder = await newFolder()
    site = started()
    person = await site.signIn()
  })
  after(() => rm(folder, { recursive: true }))

  const variables = () => ({ SC_CONFIG_DIR: folder, SC_BASE_URL: site.baseUrl })
  const file = () => join(folder, 'config.json')
  const stored = async () => JSON.parse(await readFile(file(), 'utf8'))

  /** As `sc login` at a terminal, with a browser that writes down where it is sent. */
  async function loginInBrowser(): Promise<void> {
    const [program, seen] = [join(folder, 'browser'), join(folder, 'seen')]
    await writeFile(program, `#!/bin/sh\nprintf '%s' "$1" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`)
    await chmod(program, 0o755)
    let errors = ''
    const write = async (words: string) => {
      errors += words
    }
    const sink = { isTerminal: true, columns: 80, write }
    const login = main(['login', '--scopes', 'reads,leads:write'], {
      stdin: Object.assign(new Readable({ read() {} }), { isTTY: true }),
      stdout: sink,
      stderr: sink,
      environment: readEnvironment({ HOME: folder, ...variables(), BROWSER: program }, 'linux'),
      signal: new AbortController().signal,
    })
    const address = await until(
      () => readFile(seen, 'utf8').catch(() => null),
      () => errors,
    )
    const back = await fetch(await person.allow(new URL(address)))
    assert.match(await back.text(), /You are signed in/)
    assert.equal(await login, 0, errors)
  }

  async function runs(...words: string[]): Promise<{ code: number; out: string; errors: string }> {
    const child = spawn(process.execPath, [PROGRAM, ...words], { env: { PATH: process.env.PATH, ...variables() } })
    const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code, out, errors }
  }

  test('sc signs in by the browser, many at once renew an ended token and none ends another, and logout ends it', async () => {
    await loginInBrowser()
    const { id, scopes, audience } = await person.onlyConnection('sc')
    assert.equal(audience, 'api')
    assert.ok(scopes.includes('leads:write') && !scopes.includes('payments:write'))
    await writeFile(file(), JSON.stringify({ ...(await stored()), expires_at: new Date(0).toISOString() }))
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => runs('patients', 'list', '--limit', '2')))
    for (const { code, errors } of outcomes) assert.equal(code, 0, errors)
    assert.equal((await person.onlyConnection('sc')).id, id)
    const renewed = await stored()
    assert.ok(Date.parse(renewed.expires_at) > Date.now())
    assert.equal(await site.statusWith(renewed.access_token), 200)
    const logout = await sc(['logout'], { variables: variables() })
    assert.equal(logout.code, 0, logout.errors)
    assert.equal(await site.statusWith(renewed.access_token), 401)
    const ended = (await person.connections()).find((one) => one.id === id)
    assert.equal(ended?.end_reason, 'by_app')
  })

  test('sc signs in by a code that is typed elsewhere', async () => {
    let seen = ''
    const login = await sc(['login', '--device'], {
      variables: variables(),
      seen: (words) => {
        seen += words
      },
      wait: async () => {
        const [user_code] = /[B-Z]{4}-[B-Z]{4}/.exec(seen) ?? assert.fail(seen)
        await person.ask('POST', '/device/allow', { user_code, scopes: ['patients:read'], days: 30 })
      },
    })
    assert.equal(login.code, 0, login.errors)
    const list = await sc(['patients', 'list', '--limit', '2', '--format', 'json'], { variables: variables() })
    assert.equal(list.code, 0, list.errors)
    const { id } = await person.onlyConnection('sc')
    await person.end(id)
    const refused = await sc(['whoami'], { variables: variables() })
    assert.deepEqual([refused.code, /sc login connects again/.test(refused.errors)], [4, true], refused.errors)
  })
}
