// `sc` as a separate process, from its source and as published: pipes that close, interruption, a real terminal.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { after, before, describe } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { projectedCommands } from '@clinic-data/cli/command-line/projected-commands'
import { makeKey } from '@clinic-data/contract/key'
import { END_SIGNALS } from '@clinic-data/disk/end-signals'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { emptyClinic, keyOf, startParts, type TestParts } from '@clinic-data/testing/run/test-service'
import stringWidth from 'string-width'
import { BUNDLED_BIN, bundle } from '../packages/cli/scripts/bundle.ts'
import { newFolder } from './sc.ts'

const FROM_SOURCE = join(dirname(import.meta.dirname), 'packages/cli/bin/sc.mjs')
const PAGE = 100
const ANY_MACHINE_MS = 60_000

let service: TestParts
let folder: string
let published: string
let variables: Record<string, string>
/** With a service whose list has no end. */
let endlessly: Record<string, string>
/** How many of its pages were requested. */
let requests = 0
const endless = createServer((_, response) => {
  const data = Array.from({ length: PAGE }, (_, i) => ({ id: `p${requests * PAGE + i}`, first_name: 'Noa' }))
  requests++
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data, next_cursor: `page${requests}` }))
})

before(async () => {
  service = await startParts()
  folder = await newFolder()
  published = join(folder, 'sc', BUNDLED_BIN)
  await bundle(dirname(published))
  const clinic = await emptyClinic(service.owner)
  for (const id of ['p1', 'p2', 'p3'])
    await insertPatient(service.owner, clinic, { id, first_name: 'דָּנָה', last_name: 'x'.repeat(60) }, [])
  variables = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    CI: 'true',
    SC_API_KEY: await keyOf(service.owner, clinic, ['patients:read']),
    SC_BASE_URL: await service.address(),
  }
  await once(endless.listen(0, '127.0.0.1'), 'listening')
  const { port } = endless.address() as AddressInfo
  endlessly = { ...variables, SC_BASE_URL: `http://127.0.0.1:${port}` }
})
after(async () => {
  endless.closeAllConnections()
  endless.close()
  await service.close()
  await rm(folder, { recursive: true })
})

/** All pages of a list without an end. */
const runEndlessly = (words: readonly string[], more = {}) =>
  run(['patients', 'list', '--all', ...words], published, { ...endlessly, ...more })

const run = (words: readonly string[], program = published, more = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [program, ...words], { env: { ...variables, ...more } })

async function ended(child: ChildProcessWithoutNullStreams) {
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { out, errors, code }
}

test('the source and the published bundle print the same', async () => {
  const some = [
    ['patients', 'list', '--limit', '2'],
    ['patients', 'get', 'no'],
  ]
  for (const words of sized({ everyday: some, long: [...some, ['schema'], ['--help'], ['whoami']] })) {
    const [source, bundled] = (await Promise.all([ended(run(words, FROM_SOURCE)), ended(run(words))])).map((one) => ({
      ...one,
      errors: one.errors.replace(/req_\w+/, 'req_'),
    }))
    assert.ok(source)
    assert.deepEqual(bundled, source, words.join(' '))
    assert.ok(source.out.length + source.errors.length > 0)
  }
})

test('the published bundle has the commands of the source', async () => {
  const bundled = JSON.parse(await readFile(join(dirname(published), 'commands.json'), 'utf8'))
  assert.deepEqual(bundled, JSON.parse(JSON.stringify(projectedCommands())))
})

test('a reader that closes the pipe early gets its rows, the rest is not requested, and sc exits silently with 0', async () => {
  for (const format of ['table', 'json']) {
    requests = 0
    const child = runEndlessly(['--format', format])
    const outcome = ended(child)
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    const { errors, code } = await outcome.catch(async () => ({
      errors: await text(child.stderr).catch(() => ''),
      code: child.exitCode ?? (await new Promise<number>((resolve) => child.once('close', resolve))),
    }))
    assert.deepEqual([code, errors], [0, ''], format)
    assert.ok(requests < 50, `${requests} pages asked`)
  }
})

test('a large answer reaches a pipe whole', async () => {
  const child = runEndlessly(['--max', '4000', '--format', 'json'])
  const { out, code } = await ended(child)
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).data.length, 4000)
})

// A command whose output nobody reads ends itself after two seconds.
describe('a signal', { concurrency: true }, () => {
  for (const signal of END_SIGNALS) {
    test(`${signal} ends a long command with 130, also when npm passes it on a second time`, async () => {
      const child = runEndlessly([])
      const outcome = ended(child)
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.kill(signal)
      child.kill(signal)
      await Promise.race([once(child.stderr, 'data'), outcome])
      // It may come as late as while the process ends.
      while (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await setImmediate()
      }
      const { code, errors } = await outcome
      assert.equal(code, 130)
      assert.match(errors, /^hint: .*--cursor \S+ goes on\n$/)
    })
  }

  for (const signal of END_SIGNALS)
    test(`${signal} ends a command with unread output, and no part of a large answer stays`, async () => {
      const temporary = await mkdtemp(join(folder, 'temporary-'))
      const spilling = runEndlessly(['--format', 'agents'], { TMPDIR: temporary })
      while ((await readdir(temporary)).length === 0) assert.equal(spilling.exitCode, null)
      const stuck = runEndlessly([])
      await new Promise((resolve) => stuck.stdout.once('readable', resolve))
      const exits = [spilling, stuck].map((child) =>
        once(child, 'exit', { signal: AbortSignal.timeout(ANY_MACHINE_MS) }),
      )
      for (const child of [spilling, stuck]) child.kill(signal)
      for (const [code] of await Promise.all(exits)) assert.equal(code, 130)
      assert.deepEqual(await readdir(temporary), [])
    })
})

/** Runs a command on a pseudo-terminal of util-linux, types each answer at its question, and returns the shown text. */
async function onTerminal(
  words: readonly string[],
  columns: number,
  answers: readonly [question: string, answer: string][] = [],
) {
  const quoted = [process.execPath, published, ...words].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; exec ${quoted}`, '/dev/null'], {
    env: { ...variables, TERM: 'xterm-256color', SHELL: '/bin/sh' },
  })
  let shown = ''
  let next = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [question = '', answer = ''] = answers[next] ?? []
    if (question === '' || !shown.includes(question)) return
    next++
    child.stdin.write(answer)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { shown: shown.replaceAll('\r\n', '\n'), code }
}

const hasTerminal = spawnSync('script', ['-qec', 'exit 7', '/dev/null']).status === 7
const terminal = { skip: hasTerminal ? false : 'no util-linux `script` here to make a terminal' }

test('on a terminal a table is coloured and not too wide', terminal, async () => {
  const { shown, code } = await onTerminal(['patients', 'list', '--limit', '3'], 50)
  assert.equal(code, 0, shown)
  assert.ok(shown.includes('\u001b[1mid'))
  const lines = stripVTControlCharacters(shown).split('\n')
  for (const line of lines.filter((one) => !one.startsWith('hint'))) assert.ok(stringWidth(line) <= 50, line)
  assert.ok(lines.some((line) => line.includes('דָּנָה')))
})

test(
  'on a terminal a long table goes through the pager of PAGER, a line for a shell too, or is printed without one',
  terminal,
  async () => {
    const own = variables
    try {
      for (const [PAGER, before] of [
        ["sed 's/^/paged /'", 'paged '],
        ['sed -n p', ''],
        ['no-such-pager', ''],
      ] as const) {
        variables = { ...endlessly, PAGER }
        const { shown, code } = await onTerminal(['patients', 'list', '--all', '--max', '200'], 100)
        const lines = stripVTControlCharacters(shown).split('\n')
        assert.equal(code, 0, shown)
        assert.equal(lines.filter((line) => new RegExp(`^${before}p\\d+ `).test(line)).length, 200, PAGER)
      }
    } finally {
      variables = own
    }
  },
)

test(
  'login at a terminal asks for address and key, shows no character of the key, and stores both',
  terminal,
  async () => {
    const { SC_API_KEY = '', SC_BASE_URL = '', ...others } = variables
    variables = others
    const { shown, code } = await onTerminal(['login'], 100, [
      ['Base address of the service: ', `${SC_BASE_URL}\r`],
      ['Key (not shown): ', `${SC_API_KEY}\r`],
    ])
    const givenUp = await onTerminal(['login'], 100, [[`Base address of the service [${SC_BASE_URL}]: `, '\u0003']])
    variables = { ...others, SC_API_KEY, SC_BASE_URL }
    assert.equal(code, 0, shown)
    assert.ok(!shown.includes('sk_live_'), 'the key was echoed')
    assert.ok(!shown.includes('[nowhere]'), 'what is no address is offered again')
    assert.match(
      stripVTControlCharacters(shown),
      new RegExp(
        `service: ${SC_BASE_URL}\\s+This service has no sign-in by browser. It takes a key.\\s+Key \\(not shown\\): \nThe key opens`,
      ),
    )
    assert.equal(givenUp.code, 130)
    const file = join(folder, '.config', 'sc', 'config.json')
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { base_url: SC_BASE_URL, api_key: SC_API_KEY })
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  },
)

test('login at a terminal asks again after a wrong address and after a wrong key', terminal, async () => {
  const { SC_API_KEY = '', SC_BASE_URL = '', ...others } = variables
  variables = { ...others, SC_CONFIG_DIR: join(folder, 'again') }
  const { shown, code } = await onTerminal(['login', '--no-retry'], 100, [
    ['Base address of the service: ', 'nowhere\r'],
    ['must be an address', `${SC_BASE_URL}\r`],
    ['Key (not shown): ', 'sk_live_x\r'],
    ['is not a key', `${makeKey()}\r`],
    ['key is', `${SC_API_KEY}\r`],
  ])
  variables = { ...others, SC_API_KEY, SC_BASE_URL }
  assert.equal(code, 0, shown)
  assert.match(shown, /The key opens the clinic/)
  assert.ok(!shown.includes('sk_live_'), 'the key was echoed')
})

const hasZsh = spawnSync('zsh', ['-c', 'exit 7']).status === 7
const zsh = { skip: hasZsh ? false : 'no zsh here' }

test('zsh loads the completion before and after its own, and completes', zsh, async () => {
  const script = `sc() { '${process.execPath}' '${published}' "$@"; }
    source <(sc completion zsh); source <(sc completion zsh)
    print "for sc: $_comps[sc]"
    compadd() { shift; print -l -- "$@"; }
    words=(sc webhooks re); CURRENT=3; _sc`
  const { out, errors } = await ended(
    spawn('zsh', ['-f', '-c', script], { env: { ...variables, ZDOTDIR: folder, TERM: 'dumb' } }),
  )
  assert.deepEqual([out, errors], ['for sc: _sc\nretry\nreplay\n', ''])
})

const hasBash = spawnSync('bash', ['-c', 'exit 7']).status === 7
const bash = { skip: hasBash ? false : 'no bash here' }

test('bash completes with the words that sc itself offers', bash, async () => {
  await symlink(published, join(folder, 'sc-bin'))
  const line = `sc() { '${process.execPath}' '${join(folder, 'sc-bin')}' "$@"; }
    source <(sc completion bash)
    COMP_WORDS=(sc leads create --source w); COMP_CWORD=4; _sc; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(sc webhooks ''); COMP_CWORD=2; _sc; echo "\${COMPREPLY[@]}"`
  const child = spawn('bash', ['-c', line], { env: variables })
  const { out, errors } = await ended(child)
  assert.equal(errors, '')
  assert.equal(out, 'website walk_in\nlist create get update delete deliveries retry replay rotate-secret test\n')
})
