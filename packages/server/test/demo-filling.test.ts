// The process that fills the demo clinic never outlives its service, and its failure does not end it.
import assert from 'node:assert/strict'
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround, secretKeysText } from '@clinic-data/testing/run/own-ground'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'

const FILLER = join(import.meta.dirname, '../src/demo/demo-filler.ts')
const program = await clinicdProgram()
const folder = await mkdtemp(join(tmpdir(), 'demo-filling-'))
const { url } = await ownGround(schema)
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  DATA_DIR: folder,
  DATABASE_URL: url,
  SECRET_KEYS: secretKeysText,
  PORT: '0',
  ADMIN_PORT: '0',
  WORKERS: '1',
}
/** The service tells it this too: where its program lies compiled. */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
const started: ChildProcess[] = []
after(async () => {
  for (const child of started) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** The process that fills the clinic. */
async function fillerOf({ pid }: ChildProcess): Promise<number> {
  for (const child of (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' '))
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('demo-filler')) return Number(child)
  throw new Error('nothing fills the clinic')
}

test('the process that fills the demo ends when its service has ended, however that happened', async () => {
  const filler = fork(FILLER, { env: { ...environment, ...compiled }, serialization: 'advanced' })
  started.push(filler)
  const ended = once(filler, 'exit')
  filler.send({ ownerUrl: url, appUrl: asApplication(url).url })
  // The system does this to a process whose other end was killed.
  filler.disconnect()
  assert.deepEqual(await ended, [0, null])
})

test('when the process that fills the demo is killed, that is told and the service goes on', {
  skip: process.platform !== 'linux',
}, async () => {
  const service = spawn(process.execPath, [program, 'serve', '--demo'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(service)
  const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]()
  const errors = createInterface({ input: service.stderr })[Symbol.asyncIterator]()
  const until = async (pattern: RegExp) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`the service ended before ${pattern}`)
      if (pattern.test(value)) return
    }
  }
  await until(/is running/)
  process.kill(await fillerOf(service), 'SIGKILL')
  const line = JSON.parse(String((await errors.next()).value))
  assert.equal(line.msg, 'the demo clinic could not be filled')
  assert.match(line.err.message, /ended early \(SIGKILL\)/)
  await until(/Stop with/)
  service.kill('SIGINT')
  assert.deepEqual(await once(service, 'exit'), [0, null])
})
