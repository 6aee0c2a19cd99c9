// The process that fills the demo clinic never outlives its service, and its failure does not end it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { until as eventually } from '../../../test/failover/until.ts'

const PROGRAM = join(import.meta.dirname, '../bin/clinicd.mjs')
const DATA_DIR = await mkdtemp(join(tmpdir(), 'demo-filling-'))
const services: ChildProcess[] = []
after(async () => {
  for (const service of services) service.kill('SIGKILL')
  await rm(DATA_DIR, { recursive: true, force: true })
})

function startDemo() {
  const service = spawn(process.execPath, [PROGRAM, 'serve', '--demo'], {
    env: { PATH: process.env.PATH, HOME: DATA_DIR, PORT: '0', ADMIN_PORT: '0', DATA_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  services.push(service)
  const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]()
  const until = async (pattern: RegExp) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`the service ended before ${pattern}`)
      if (pattern.test(value)) return
    }
  }
  return { service, until, errors: createInterface({ input: service.stderr })[Symbol.asyncIterator]() }
}

/** The process that fills the clinic. */
async function fillerOf({ pid }: ChildProcess): Promise<number> {
  for (const child of (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' '))
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('demo-filler')) return Number(child)
  throw new Error('nothing fills the clinic')
}

const onLinux = { skip: process.platform !== 'linux' }

test('a killed service takes the process that fills its demo along', onLinux, async () => {
  const { service, until } = startDemo()
  await until(/is running/)
  const filler = await fillerOf(service)
  service.kill('SIGKILL')
  await once(service, 'exit')
  await eventually(
    async () => !existsSync(`/proc/${filler}`),
    () => 'it is still there',
  )
})

test('when the process that fills the demo is killed, that is told and the service goes on', onLinux, async () => {
  const { service, until, errors } = startDemo()
  await until(/is running/)
  process.kill(await fillerOf(service), 'SIGKILL')
  const told = JSON.parse(String((await errors.next()).value))
  assert.equal(told.msg, 'the demo clinic could not be filled')
  assert.match(told.err.message, /ended early \(SIGKILL\)/)
  await until(/Stop with/)
  service.kill('SIGINT')
  assert.deepEqual(await once(service, 'exit'), [0, null])
})
