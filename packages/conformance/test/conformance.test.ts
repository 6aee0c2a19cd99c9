// The conformance kit as a vendor uses it: the command, its exit codes, its behaviour with any backend, its documentation.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { operator } from '@clinic-data/testing/shared/operator'
import type { FastifyInstance } from 'fastify'
import { type ConformanceReport, runConformance } from '../src/conformance.ts'
import { listFilters } from '../src/list-filters.ts'
import { orderOf } from '../src/list-orders.ts'
import { failed, first, narrowKey, reference, second, serving, writtenRows } from './conformance-ground.ts'
import { answering, handled } from './wrong-backends.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/backend-port.md')

/** Keys of the two clinics: the kit tries little with them, and would write leads if it were let. */
const ours = await narrowKey(first, 'calls:read', 'leads:write')
const theirs = await narrowKey(second, 'calls:read', 'leads:write')

let folder: string
/** A file for the options. */
let key: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  key = await file('key', `${ours}\n`)
})
after(() => rm(folder, { recursive: true }))

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content, { mode: 0o600 })
  return path
}

function conformance(argv: readonly string[], environment: Record<string, string> = {}) {
  return operator.run(['conformance', ...argv], environment)
}

test('the command takes keys from the environment, passes the reference, prints no secret, and writes only if it may', async () => {
  const clinics = [first, second]
  const rows = await Promise.all(clinics.map(writtenRows))
  await serving({}, async (url, token) => {
    const environment = { BACKEND_TOKEN: token, CLINIC_KEY: ours, OTHER_CLINIC_KEY: theirs }
    const { code, out, errors } = await conformance(['--backend', url], environment)
    assert.equal(code, 0, out + errors)
    assert.ok(
      out.startsWith(`The backend at ${url}/, clinics ${first.clinic.clinic_id} and ${second.clinic.clinic_id}\n`),
    )
    assert.match(out, /^No rule failed: \d+ held, \d+ skipped;/m)
    assert.match(out, / {2}– leads\.phone +writing was not allowed/)
    for (const secret of [token, ours, theirs, hashKey(ours)]) assert.ok(!(out + errors).includes(secret))
  })
  assert.deepEqual(await Promise.all(clinics.map(writtenRows)), rows)
})

test('the help names what the kit reads; a key of the environment that is none is named', async () => {
  const { code, out, errors } = await conformance(['--help'])
  assert.deepEqual([code, errors], [0, ''])
  for (const name of ['--backend', 'BACKEND_TOKEN', 'CLINIC_KEY', 'OTHER_CLINIC_KEY', 'Exit codes']) {
    assert.ok(out.includes(name), name)
  }
  await serving({}, async (url, BACKEND_TOKEN) => {
    const environment = { BACKEND_TOKEN, CLINIC_KEY: ours, OTHER_CLINIC_KEY: 'short' }
    const broken = await conformance(['--backend', url], environment)
    assert.deepEqual([broken.code, broken.out], [2, ''])
    assert.match(broken.errors, /OTHER_CLINIC_KEY must hold one API key/)
  })
})

test('a failed rule gives exit code 1; without a second clinic the isolation rules are reported as skipped', async () => {
  const backend: typeof reference = {
    ...reference,
    openFile: async (...args) => {
      const opened = await reference.openFile(...args)
      return opened.state === 'open' ? { ...opened, file_name: 'file' } : opened
    },
  }
  await serving({ backend }, async (url, token) => {
    const argv = ['--backend', url, '--key-file', key, '--token-file', await file('token', token), '--json']
    const { code, out } = await conformance(argv)
    const report: ConformanceReport = JSON.parse(out)
    assert.deepEqual([code, failed(report)], [1, ['files.whole']])
    assert.deepEqual([report.clinic_id, report.other_clinic_id], [first.clinic.clinic_id, null])
    const isolation = report.rules.filter(({ name }) => name.startsWith('isolation.'))
    assert.ok(isolation.length >= 6)
    for (const { result, reason } of isolation)
      assert.deepEqual([result, reason], ['skipped', 'no key of a second clinic'])
  })
})

test('options that the kit cannot use give one line and exit code 2', async () => {
  await serving({}, async (url, token) => {
    const options = ['--backend', url, '--key-file', key]
    const unknown = await file('unknown', makeKey())
    const short = await file('short', 'short')
    const mistakes: [argv: string[], token: string, line: RegExp][] = [
      [['--backend', url], token, /--key-file/],
      [['--key-file', key], token, /--backend/],
      [[...options, '--token', token], token, /unknown option/],
      [[...options, '--backend', url], token, /--backend may be given once/],
      [[...options, '--json=yes'], token, /--json takes no value/],
      [[...options, 'words'], token, /options alone/],
      [['--backend', 'ftp://127.0.0.1', '--key-file', key], token, /--backend/],
      [['--backend', 'http://user:word@127.0.0.1', '--key-file', key], token, /--backend/],
      [['--backend', 'http://127.0.0.1:9', '--key-file', key], token, /cannot be reached/],
      [['--backend', url, '--key-file', join(folder, 'none')], token, /--key-file cannot be read/],
      [['--backend', url, '--key-file', short], token, /--key-file must hold one API key/],
      [['--backend', url, '--key-file', unknown], token, /knows no valid key/],
      [[...options, '--other-key-file', key], token, /same clinic/],
      [[...options, '--other-key-file', short], token, /--other-key-file must hold one API key/],
      [[...options, '--token-file', short], token, /--token-file/],
      [options, '', /BACKEND_TOKEN/],
      [options, 'x'.repeat(32), /refuses the token/],
    ]
    for (const [argv, BACKEND_TOKEN, line] of mistakes) {
      const { code, out, errors } = await conformance(argv, { BACKEND_TOKEN })
      assert.deepEqual([code, out], [2, ''], errors)
      assert.match(errors.split('\n', 1)[0] ?? '', line)
      assert.ok(!errors.includes(ours))
    }
  })
})

test('for any answers of a backend, the kit finishes and says what is wrong', async () => {
  const nonsense = [null, 5, 'x', [], { data: [null, 5, 'x', [[]], { id: 5 }], next: ['x'] }, { data: { data: {} } }]
  const ids = Object.keys(reference.handlers)
  // Each operation answers two of them, and beside it the others answer others.
  for (const turn of [0, 3]) {
    const backend = ids.reduce((wrong, id, at) => {
      const answer = nonsense[(at + turn) % nonsense.length]
      return handled(id, () => async () => structuredClone(answer) as never)(wrong)
    }, reference)
    const report = await serving({ backend }, (url, token) =>
      runConformance({ url, token, key: ours, otherKey: theirs, writes: true }),
    )
    const broken = failed(report)
    assert.ok(broken.some((name) => name.startsWith('answers.')))
    assert.ok(!broken.some((name) => name.startsWith('port.') || name.startsWith('audit.')))
  }
})

test('a change of the data between two compared answers is a note, not a fault', async () => {
  let isChanging = false
  const backend = answering('treatments.get', (row) => (isChanging ? { ...row, price: 1.5 } : row))(reference)
  const onRule = (name: string) => {
    isChanging = name === 'ids.listed'
  }
  const key = await narrowKey(first, 'treatments:read', 'patients:read')
  const report = await serving({ backend }, (url, token) => runConformance({ url, token, key, writes: false, onRule }))
  assert.deepEqual(failed(report), [])
  assert.match(report.rules.find(({ name }) => name === 'ids.listed')?.notes.join() ?? '', /failed at first/)
})

test('a backend of an earlier version may answer one appointment without its details', async () => {
  const backend = answering('appointments.get', ({ note: _, cancelled_at: __, ...concise }) => concise)(reference)
  const key = await narrowKey(first, 'appointments:read', 'patients:read')
  const report = await serving({ backend }, (url, token) => runConformance({ url, token, key, writes: false }))
  assert.deepEqual(failed(report), [])
  assert.match(report.rules.find(({ name }) => name === 'ids.listed')?.notes.join() ?? '', /as before 0\.3/)
})

test('a backend may leave out what a detailed patient has where available', async () => {
  const poor = ({ address: _, contacts: __, balance: ___, id_number: ____, ...rest }: Record<string, unknown>) => rest
  const backend = answering('patients.get', poor)(answering('patients.list', poor)(reference))
  const key = await narrowKey(first, 'patients:read')
  const report = await serving({ backend }, (url, token) => runConformance({ url, token, key, writes: false }))
  assert.deepEqual(failed(report), [])
})

test('the kit stops when the backend can no longer be reached', async () => {
  let isGone = false
  const before = (app: FastifyInstance) =>
    app.addHook('onRequest', async ({ raw }) => {
      if (isGone) raw.destroy()
    })
  const report = await serving({ before }, (url, token) =>
    runConformance({
      url,
      token,
      key: ours,
      writes: false,
      onRule: (name) => {
        isGone ||= name === 'order.documented'
      },
    }),
  )
  assert.equal(failed(report).length, 3)
  assert.equal(report.rules.at(-1)?.reason, 'the backend no longer answers')
})

test('the kit knows the order and the filters of every list', () => {
  const others = new Set(['limit', 'cursor', 'from', 'to', 'updated_since', 'response_format'])
  for (const operation of allOperations) {
    const { id, shape, order, query } = operation
    // A feed has no end, and no filters that its rows could be checked against.
    if (shape !== 'page' || order === 'feed') continue
    assert.ok(orderOf(operation), id)
    for (const name of Object.keys(query.properties)) assert.ok(others.has(name) || listFilters[name], `${id} ${name}`)
  }
})

test('the documentation names the order of each list', async () => {
  const document = await readFile(DOCUMENT, 'utf8')
  for (const operation of allOperations) {
    const { id } = operation
    const order = orderOf(operation)
    if (!order) continue
    const row = document.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${id}\``)) ?? ''
    assert.ok(row.includes(`\`${order.by}\` ${order.direction}`), id)
  }
})

test("the documentation's smallest backend holds every rule of the port, of keys and of the audit log", async () => {
  const document = await readFile(DOCUMENT, 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(document) ?? []
  const token = 'a'.repeat(32)
  const own = makeKey()
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, PORT: '0', BACKEND_TOKEN: token, KEY_HASH: hashKey(own) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const port = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
    const report = await runConformance({ url: `http://127.0.0.1:${port}`, token, key: own, writes: false })
    const ofPort = report.rules.filter(({ name }) => /^(port|keys|audit|scopes\.enough)/.test(name))
    assert.ok(ofPort.length >= 10, ofPort.map(({ name }) => name).join())
    assert.deepEqual(
      ofPort.filter(({ result }) => result !== 'held'),
      [],
    )
    assert.ok(!failed(report).includes('answers.fields'))
  } finally {
    child.kill()
  }
})
