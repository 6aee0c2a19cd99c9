// Which processes count as running.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { test } from 'node:test'
import { until } from '@clinic-data/testing/until'
import { isAlive } from '../src/embedded/is-alive.ts'

test('a process that runs is alive, one that has ended is not', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  const pid = child.pid ?? assert.fail('it was not started')
  assert.equal(isAlive(pid), true)
  assert.equal(isAlive(process.pid), true)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  assert.equal(isAlive(pid), false)
})

const skip = process.platform === 'linux' ? false : 'no /proc on this machine'

test('a process that has ended is not alive, although its parent has not asked how it ended', { skip }, async (t) => {
  // The shell becomes a program that asks nobody, before its child ends.
  const script = 'cat <&3 & echo $!; exec sleep 60'
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
  t.after(() => parent.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: parent.stdout as Readable }), 'line')
  await until(
    async () => (await readFile(`/proc/${parent.pid}/cmdline`, 'latin1')).startsWith('sleep'),
    () => 'the shell stays a shell',
  )
  const toChild = parent.stdio[3] as Writable
  toChild.end()
  const stateOf = async () => /\) (\w) /.exec(await readFile(`/proc/${line}/stat`, 'latin1'))?.[1]
  await until(
    async () => (await stateOf()) === 'Z',
    () => 'it has not ended, or somebody asked',
  )
  assert.equal(isAlive(Number(line)), false)
})
