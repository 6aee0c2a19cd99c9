// `clinicd backup -`: the backup on standard output, as another program reads it, and what happens when that program ends too early.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'

const program = await clinicdProgram()
const folder = await mkdtemp(join(tmpdir(), 'backup-stream-'))
const DATA_DIR = join(folder, 'data')
const environment = { PATH: process.env.PATH, DATA_DIR }
before(() => copyKept(DATA_DIR))
after(async () => {
  await rm(folder, { recursive: true, force: true })
})

function begin(...argv: string[]) {
  const child = spawn(process.execPath, [program, 'backup', '-', ...argv], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, errors: text(child.stderr), ended: once(child, 'exit').then(([code]) => code) }
}

async function restore(file: string, name: string) {
  const target = join(folder, name)
  await mkdir(target, { mode: 0o700 })
  await copyFile(join(DATA_DIR, 'secret-keys'), join(target, 'secret-keys'))
  return { ...(await operator.run(['restore', file], { DATA_DIR: target })), target }
}

test('a backup goes to standard output, with nothing else there', async () => {
  const { child, errors, ended } = begin('--json')
  const file = join(folder, 'streamed.backup')
  await writeFile(file, await buffer(child.stdout))
  assert.equal(await ended, 0, await errors)
  // A slow machine tells its progress before.
  const line = JSON.parse((await errors).trim().split('\n').at(-1) ?? '')
  assert.deepEqual([line.file, line.secret_keys], ['-', join(DATA_DIR, 'secret-keys')])
  assert.equal(await readFile(join(DATA_DIR, 'last-backup'), 'utf8'), `${line.made_at}\n`)
})

test('a backup whose time cannot be kept is whole all the same, and that is said', async () => {
  const [mark, file] = [join(DATA_DIR, 'last-backup'), join(folder, 'unmarked.backup')]
  await rm(mark, { force: true })
  await mkdir(mark)
  const { code, out, errors } = await operator.run(['backup', file, '--json'], { DATA_DIR })
  await rm(mark, { recursive: true })
  assert.deepEqual(
    [code, /^clinicd: the backup is whole, but .* cannot tell when it was made/m.test(errors)],
    [0, true],
  )
  assert.equal(JSON.parse(out).bytes, (await stat(file)).size)
})

test('a reader that ends too early is told with another exit code, and what it has read is no backup', async () => {
  const { child, errors, ended } = begin()
  let read: Buffer = Buffer.alloc(0)
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    read = chunk
    break
  }
  assert.equal(await ended, 1)
  assert.match(await errors, /^clinicd: the reader of standard output ended .* what it has is no backup/m)
  const file = join(folder, 'cut.backup')
  await writeFile(file, read)
  const { code, errors: refusal, target } = await restore(file, 'refused')
  assert.deepEqual([code, /is damaged, not whole or changed/.test(refusal)], [1, true], refusal)
  assert.equal(existsSync(join(target, 'pg')), false)
})

test('a reader that ends before it has read anything is told in one line', async () => {
  const { child, errors, ended } = begin()
  child.stdout.destroy()
  assert.equal(await ended, 1)
  assert.match(await errors, /^clinicd: the reader of standard output ended /m)
  assert.doesNotMatch(await errors, /^ +at /m)
})

const hasTerminal = spawnSync('script', ['-qec', 'exit 7', '/dev/null']).status === 7
const terminal = { skip: hasTerminal ? false : 'no util-linux `script` here to make a terminal' }

test('a terminal gets no backup', terminal, async () => {
  const line = [process.execPath, program, 'backup', '-'].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  assert.match(await text(child.stdout), /^clinicd: standard output is a terminal: /)
  assert.equal((await ended)[0], 2)
})
