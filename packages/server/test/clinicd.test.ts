// The commands as they are called: their page and their help, and mistakes, each of which gives one line that says how to fix it and changes nothing.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { allScopes } from '@clinic-data/contract'
import { openDatabase } from '@clinic-data/database'
import { SAME_SIGNAL_MS } from '@clinic-data/operator/stop-signal'
import { clinicWithoutKeys } from '@clinic-data/testing/grounds/test-clinic'
import type { CommandResult } from '@clinic-data/testing/programs/clinicd-commands'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { sized } from '@clinic-data/testing/run/size'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'
import { commandsDocument, shortOf } from '../scripts/commands-document.ts'
import { program } from '../src/clinicd.ts'

const PROGRAM = await clinicdProgram()
const token = randomBytes(24).toString('hex')
/** Nothing listens there: a command that connects before it has checked its configuration fails with another error. */
const NOWHERE = 'postgres://somebody@127.0.0.1:1/nothing'
const id = `test-${randomBytes(8).toString('hex')}`

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clinicd-'))
})
after(() => rm(folder, { recursive: true }))

function clinicd(
  argv: readonly string[],
  environment: Record<string, string | undefined> = { DATABASE_URL: process.env.TEST_DATABASE_URL },
): Promise<CommandResult> {
  return operator.run(argv, { DATA_DIR: join(folder, 'data'), PORT: '0', ADMIN_PORT: '0', ...environment })
}

/** Checks for exit code 2 and one matching line. A mistake in the arguments may add a line that points to the help. */
function assertMistake({ code, out, errors }: CommandResult, line: RegExp): void {
  const [first = '', ...more] = errors.trimEnd().split('\n')
  assert.deepEqual([code, out], [2, ''], errors)
  assert.match(first, line)
  assert.ok(
    more.every((hint) => /^\(.*\)$/.test(hint)),
    errors,
  )
}

test('a wrong, missing or repeated option gives a one-line error', async () => {
  const create = ['clinics', 'create', '--id', id, '--name', 'Acme']
  const mint = ['keys', 'mint', '--clinic', id, '--scopes', 'reads']
  const mistakes: [argv: string[], line: RegExp][] = [
    [['clinics', 'create', '--id', id], /--name/],
    [[...create, '--id', 'other'], /--id may be given once/],
    [[...create, '--week-start', 'constructor'], /sunday, monday/],
    [[...create, '--min-visit-minutes', '1e2'], /--min-visit-minutes/],
    [[...create, '--slot-step-minutes', '5m'], /--slot-step-minutes/],
    [[...mint, '--expires', '2027-02-31T00:00:00Z'], /--expires/],
    [[...mint, '--expires', '+275760-01-31T00:00:00Z'], /--expires/],
    [[...mint, '--expires', 'Jan 1 2030 Z'], /--expires/],
    [[...mint, '--expires', '2020-01-01T00:00:00Z'], /--expires/],
    [[...mint, '--rate', '0'], /--rate/],
    [['keys', 'mint', '--clinic', id, '--scopes', 'reads,all'], /scope all/],
    [['serve', '--role', 'nothing'], /gateway, backend, dispatcher/],
    [['serve', '--demo', '--role', 'backend'], /--demo/],
  ]
  for (const [argv, line] of mistakes) assertMistake(await clinicd(argv), line)
})

test('the help of keys mint says what each scope grants, and that webhooks:manage alone opens patient data', async () => {
  const { code, out } = await clinicd(['keys', 'mint', '--help'])
  assert.equal(code, 0)
  for (const scope of allScopes) assert.match(out, new RegExp(`^  ${scope} +\\w`, 'm'))
  assert.match(out, /webhooks:manage .*This scope alone opens patient data/)
})

test('the page of all commands is made from their definitions, which say in a short line what each does', () => {
  const path = join(import.meta.dirname, '../../../docs/commands.md')
  assert.equal(readFileSync(path, 'utf8'), commandsDocument(), 'write it anew: npm run golden')
  const all = program().commands.flatMap((command) => [command, ...command.commands])
  assert.ok(all.length > 30)
  assert.deepEqual(
    all.map(shortOf).filter((line) => line === '' || line.length > 100),
    [],
  )
})

test('an unknown clinic is an error, not a clinic without keys or rows', async () => {
  const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
  const environment = { DATABASE_URL: process.env.TEST_DATABASE_URL, SECRET_KEYS }
  for (const [argv, clinic] of [
    [['keys', 'list'], id],
    [['keys', 'list'], ''],
    [['keys', 'mint', '--scopes', 'reads'], "No such'"],
    [['keys', 'mint', '--scopes', 'reads'], ''],
    [['keys', 'revoke', 'key_1'], ''],
    [['audit', 'verify'], ''],
  ] as const)
    assertMistake(await clinicd([...argv, '--clinic', clinic], environment), /no clinic/)
})

test('a name from before the rule of names cannot break a table or send control characters to the terminal', async () => {
  const owner = await openDatabase({ url: process.env.TEST_DATABASE_URL ?? '' })
  const { clinic_id } = await clinicWithoutKeys(owner, { name: 'one\ntwo\u001b[31m' })
  await owner.close()
  const { out } = await clinicd(['clinics', 'list'])
  assert.match(out, new RegExp(`^${clinic_id} +one two \\[31m `, 'm'))
})

test('a file name cannot send control characters to the terminal, and a pipe is not read as a file', {
  skip: process.platform === 'win32',
}, async () => {
  await clinicd(['clinics', 'create', '--id', id, '--name', 'Acme'])
  const files = await mkdtemp(join(folder, 'files-'))
  await writeFile(join(files, '\u001b]0;taken\u0007\u202e.csv'), 'id\n')
  await writeFile(join(files, '\u001b[2J.json'), '[]')
  execFileSync('mkfifo', [join(files, 'patients.csv')])
  for (const format of ['csv', 'fhir', 'outpatient']) {
    const { code, out, errors } = await clinicd(['import', format, files, '--clinic', id])
    assert.equal(code, 1, errors)
    assert.match(errors, format === 'outpatient' ? /appointments\.csv/ : /\[2J\.json|0;taken/)
    if (format === 'csv') assert.match(errors, /patients\.csv.*is not a regular file/)
    assert.doesNotMatch(out + errors, /[^\n\P{Cc}]|\u202e/u)
  }
})

test('settings that a role lacks or would silently ignore are reported before anything is opened', async () => {
  const keys = `a:${randomBytes(32).toString('base64')}`
  const mistakes: [role: string, environment: Record<string, string>, line: RegExp][] = [
    ['all', { DATABASE_URL: NOWHERE }, /SECRET_KEYS/],
    ['all', { DATABASE_URL: NOWHERE, SECRET_KEYS: keys, BACKEND_URL: 'http://127.0.0.1:1' }, /BACKEND_URL/],
    ['backend', { DATABASE_URL: NOWHERE }, /BACKEND_TOKEN/],
    ['backend', { DATABASE_URL: NOWHERE, BACKEND_TOKEN: token }, /SECRET_KEYS/],
    ['dispatcher', {}, /DATABASE_URL/],
    ['gateway', {}, /BACKEND_URL and BACKEND_TOKEN/],
    ['gateway', { DATABASE_URL: NOWHERE, SECRET_KEYS: keys }, /BACKEND_URL and BACKEND_TOKEN/],
    ['gateway', { BACKEND_URL: 'http://127.0.0.1:1', BACKEND_TOKEN: token }, /SECRET_KEYS/],
  ]
  for (const [role, environment, line] of mistakes)
    assertMistake(await clinicd(['serve', '--role', role], environment), line)
})

test('an error about a listening address names its variable', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const port = String((taken.address() as AddressInfo).port)
  const gateway = {
    BACKEND_URL: 'http://127.0.0.1:1',
    BACKEND_TOKEN: token,
    SECRET_KEYS: `a:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'silent',
  }
  const mistakes: [environment: Record<string, string>, line: RegExp][] = [
    [{ PORT: port }, /set PORT /],
    [{ ADMIN_PORT: port }, /set ADMIN_PORT /],
  ]
  for (const [environment, line] of mistakes)
    assertMistake(await clinicd(['serve', '--role', 'gateway'], { ...gateway, ...environment }), line)
  taken.close()
})

test('an error about an unusable data folder names DATA_DIR', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  for (const DATA_DIR of [file, join(file, 'below')]) {
    assertMistake(await clinicd(['serve'], { DATA_DIR }), /DATA_DIR/)
    assertMistake(await clinicd(['clinics', 'list'], { DATA_DIR }), /DATA_DIR/)
  }
})

test('an error about a certificate of the database names the setting and its file', async () => {
  const file = join(folder, 'authority.pem')
  const unread = `${NOWHERE}?sslmode=verify-full&sslrootcert=${file}`
  const keys = { SECRET_KEYS: `a:${randomBytes(32).toString('base64')}` }
  const mistake = (name: string, parameter: string, of = file) =>
    new RegExp(`^clinicd: ${name} names the file ${of} \\(${parameter}\\), which .*: put it there, readable`)
  for (const argv of [['serve'], ['clinics', 'list']])
    assertMistake(await clinicd(argv, { ...keys, DATABASE_URL: unread }), mistake('DATABASE_URL', 'sslrootcert'))
  const others = { DATABASE_REPLICA_URL: unread, DATABASE_OWNER_URL: `${NOWHERE}?sslkey=${folder}` }
  for (const [name, line] of [
    ['DATABASE_REPLICA_URL', mistake('DATABASE_REPLICA_URL', 'sslrootcert')],
    ['DATABASE_OWNER_URL', mistake('DATABASE_OWNER_URL', 'sslkey', folder)],
  ] as const) {
    const environment = { ...keys, DATABASE_URL: NOWHERE, [name]: others[name] }
    assertMistake(await clinicd(['clinics', 'list'], environment), line)
  }
  // A gateway asks no database.
  const gateway = { DATABASE_URL: unread, BACKEND_URL: 'http://127.0.0.1:1', BACKEND_TOKEN: token }
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const held = { PORT: String((taken.address() as AddressInfo).port), LOG_LEVEL: 'silent' }
  assertMistake(await clinicd(['serve', '--role', 'gateway'], { ...keys, ...gateway, ...held }), /set PORT /)
  taken.close()
})

test('a command that makes a new database says where, so that forgotten settings are noticed', async () => {
  const DATA_DIR = join(folder, 'forgotten')
  const list = () => clinicd(['clinics', 'list', '--json'], { DATA_DIR })
  const [first, second] = [await list(), await list()]
  assert.deepEqual([first.code, first.out, second.errors], [0, '[]\n', ''])
  assert.match(
    first.errors,
    /^clinicd: made a new database in \S+forgotten; for another, set DATA_DIR or DATABASE_URL\n$/,
  )
})

test('no command makes a database, or looks into one of before, with the settings of a gateway', async () => {
  const DATA_DIR = join(folder, 'gateway')
  const SECRET_KEYS = `a:${randomBytes(32).toString('base64')}`
  const settings = { SECRET_KEYS, BACKEND_URL: 'http://127.0.0.1:1', BACKEND_TOKEN: token, DATA_DIR }
  const commands = [['clinics', 'list'], ['migrate'], ['restore', 'x.backup'], ['demo']]
  for (const command of commands) assertMistake(await clinicd(command, settings), /gateway, which has no database/)
  assert.equal(existsSync(DATA_DIR), false)
  await clinicd(['clinics', 'list'], { DATA_DIR })
  assertMistake(await clinicd(['clinics', 'list'], settings), /gateway, which has no database/)
})

test('a signal leaves no database server behind, at any moment and however often it is repeated', async () => {
  const DATA_DIR = join(folder, 'broken-off')
  const postmaster = join(DATA_DIR, 'pg', 'postmaster.pid')
  // The terminal signals every process of its group, and npm, which is one of them, passes the signal on.
  const everyday: [argv: string[], signal: NodeJS.Signals, times: number, code: number][] = [
    [['serve'], 'SIGTERM', 5, 0],
    [['demo', '--patients', '100000'], 'SIGINT', 5, 130],
    [['demo', '--patients', '100000'], 'SIGHUP', 1, 130],
  ]
  const long: typeof everyday = [
    ...everyday,
    [['serve', '--demo'], 'SIGINT', 1, 0],
    [['serve'], 'SIGINT', 5, 0],
    [['demo', '--patients', '100000'], 'SIGTERM', 1, 130],
  ]
  const broken = sized({ everyday, long })
  copyKept(DATA_DIR)
  for (const [argv, signal, times, code] of broken) {
    const child = spawn(process.execPath, [PROGRAM, ...argv], {
      env: { PATH: process.env.PATH, DATA_DIR, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const errors = text(child.stderr)
    const ended = new Promise((resolve) => child.once('close', resolve))
    while (!(await readFile(postmaster, 'utf8').catch(() => '')).includes('ready')) await delay(10)
    for (let sent = 0; sent < times; sent++) {
      child.kill(signal)
      // Long enough to be delivered separately, short enough to count as the same signal. Nothing else runs here meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SAME_SIGNAL_MS / 100)
    }
    assert.deepEqual([await ended, await errors], [code, ''], `${argv.join(' ')}, ${times} × ${signal}`)
    await assert.rejects(stat(postmaster), { code: 'ENOENT' })
  }
})
