// Connecting programs in the console, in the machine's Chromium: each line that the page shows is run as it stands.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { MISSING, python, pythonVariables } from '@clinic-data/testing/programs/python'
import { sized } from '@clinic-data/testing/run/size'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'connect-'))

let site: ConsoleSite
const skip = openBeforeTests((opened) => {
  site = opened
})
after(() => rmSync(folder, { recursive: true }))

const shown = () =>
  site.tab.run<string[]>(`[...document.querySelectorAll('[role=tabpanel]')].find((one) => one.offsetParent !== null)
    ? [...[...document.querySelectorAll('[role=tabpanel]')].find((one) => one.offsetParent !== null).querySelectorAll('.copy-text')]
      .filter((one) => one.closest('.by-key') || !one.closest('[role=tabpanel]').querySelector('.by-key'))
      .map((one) => one.textContent) : []`)

/** Opens a program's tab, chooses what its key may do, makes its key by a double click, and returns its lines. */
async function linesOf(client: string, preset = 'bi'): Promise<string[]> {
  const { tab } = site
  await site.go(`/console/connect?client=${client}`)
  // Where the address alone connects, the way by a key is folded.
  const folded = `[...document.querySelectorAll('.by-key')].find((one) => one.offsetParent !== null)`
  await tab.until(`document.querySelector('main [role=tabpanel]')`)
  await tab.run(`{ const one = ${folded}; if (one) one.open = true }`)
  const button = `[...document.querySelectorAll('main button')].find((one) => one.offsetParent && one.textContent.startsWith('Make a key'))`
  await tab.until(button)
  assert.ok((await shown()).some((line) => line.includes('sk_live_…')))
  const panel = `[...document.querySelectorAll('[role=tabpanel]')].find((one) => one.offsetParent !== null)`
  assert.equal(await tab.run(`${panel}.querySelectorAll('input:checked').length`), 0)
  await tab.run(`${panel}.querySelector('input[value=${preset}]').click()`)
  await tab.until(`${panel}.querySelector('.permission input:checked')`)
  await tab.run(`{ const one = ${button}; one.click(); one.click() }`)
  await tab.until(`document.querySelector('main .made')`)
  return shown()
}

/** In a shell, with the repository's programs, and a home of its own. */
async function shell(line: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...more }
  return (await run('sh', ['-c', line], { cwd: folder, env })).stdout
}

test('the line of curl answers with the clinic’s data, and its key is made once', { skip }, async () => {
  await site.signIn('/console/connect')
  const [line = ''] = await linesOf('curl')
  assert.deepEqual(JSON.parse(await shell(`${line} --silent --show-error`)).data, [])
  const made = (await site.keys()).filter(({ name }) => name === 'curl')
  assert.equal(made.length, 1)
  assert.notEqual(made[0]?.expires_at, null)
})

test('the lines of sc log in and list', { skip }, async () => {
  const [install = '', login = '', list = ''] = await linesOf('sc')
  const packed = await fetch(/https?:\S+/.exec(install)?.[0] ?? '')
  assert.equal(packed.status, 200)
  await shell(login)
  assert.match(await shell(`${list} --format json`), /\[\s*\]/)
})

test('the program of the SDK runs with its line', { skip }, async () => {
  const [install = '', file = '', start = ''] = await linesOf('sdk')
  assert.equal((await fetch(/https?:\S+/.exec(install)?.[0] ?? '')).status, 200)
  mkdirSync(join(folder, 'node_modules/@clinic-data'), { recursive: true })
  symlinkSync(join(root, 'packages/client'), join(folder, 'node_modules/@clinic-data/client'))
  writeFileSync(join(folder, 'first.mjs'), file)
  assert.equal(await shell(start), '')
})

test('the program of the SDK for Python runs with its line', {
  skip: skip || (python === null && MISSING),
}, async () => {
  const [install = '', file = '', start = ''] = await linesOf('python')
  assert.equal((await fetch(/https?:\S+/.exec(install)?.[0] ?? '')).status, 200)
  assert.match(install, /^python3 -m pip install \S+$/)
  writeFileSync(join(folder, 'first.py'), file)
  assert.equal(await shell(start.replace('python3', python ?? ''), pythonVariables), '')
})

test('the lines of the agents name the MCP server and a key that only reads', { skip }, async () => {
  for (const client of ['claude', 'codex', 'vscode']) {
    const lines = (await linesOf(client, 'agent')).join('\n')
    assert.ok(lines.includes(`${site.baseUrl}/mcp`), lines)
    const key = /sk_live_\w{40}/.exec(lines)?.[0] ?? assert.fail(lines)
    const answer = await fetch(`${site.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
    assert.match(await answer.text(), /"name":"search_patients"|"name":"\w*patients\w*"/)
    const me = await fetch(`${site.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await me.json()) as { data: { scopes: string[] } }
    assert.ok(data.scopes.length > 0 && data.scopes.every((scope) => scope.endsWith(':read')))
  }
})

test('programs that lead to the console are connected by the address, and their lines hold no key', {
  skip,
}, async () => {
  const { tab, baseUrl } = site
  for (const client of ['claudeai', 'chatgpt', 'claude', 'codex', 'vscode', 'cursor', 'sc']) {
    await site.go(`/console/connect?client=${client}`)
    const panel = `[...document.querySelectorAll('[role=tabpanel]')].find((one) => one.offsetParent !== null)`
    await tab.until(`${panel}?.querySelector('.copy-text')`)
    const lines = await tab.run<string>(`[...${panel}.querySelectorAll('.copy-text')]
      .filter((one) => !one.closest('.by-key')).map((one) => one.textContent).join('\\n')`)
    assert.ok(lines.includes(client === 'sc' ? `${baseUrl} sc login` : `${baseUrl}/mcp`), lines)
    assert.ok(!lines.includes('sk_live_'), lines)
  }
})

test('axe finds nothing in both languages and colour schemes, and no page is too wide', { skip }, async () => {
  const { tab } = site
  const open = (client: string) => async (width: number) => {
    await site.go(`/console/connect?client=${client}`, width)
    await tab.until(`document.querySelector('main .copy-text')`)
  }
  const pages = Object.fromEntries(
    ['claudeai', 'claude', 'sdk', 'python', 'sc'].map((client) => [client, open(client)]),
  )
  assert.deepEqual(await faultsOfPages(site, sized(VIEWS), pages), [])
})
