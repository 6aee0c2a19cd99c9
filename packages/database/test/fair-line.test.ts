// The line for places that several owners share: turns, shares, and waits that end.
import assert from 'node:assert/strict'
import test from 'node:test'
import { FairLine } from '../src/connections/fair-line.ts'

/** Enters, and notes the name once it has. */
function entrance(line: FairLine) {
  const entered: string[] = []
  const enter = async (name: string) => {
    await line.enter(name.split(' ')[0] ?? '')
    entered.push(name)
  }
  return { entered, enter }
}

test('owners that wait take turns, and each keeps its own order', async () => {
  const line = new FairLine(1)
  const { entered, enter } = entrance(line)
  const all = ['busy 0', 'busy 1', 'busy 2', 'quiet 0', 'third 0'].map(enter)
  for (const at of [0, 1, 3, 4]) {
    await all[at]
    line.leave(entered.at(-1)?.split(' ')[0] ?? '')
  }
  await Promise.all(all)
  assert.deepEqual(entered, ['busy 0', 'busy 1', 'quiet 0', 'third 0', 'busy 2'])
})

test('an owner with its whole share waits while places are free, and others pass it', async () => {
  const line = new FairLine(3, () => 1)
  const { entered, enter } = entrance(line)
  const [, second] = ['busy 0', 'busy 1', 'quiet 0'].map(enter)
  assert.equal(line.waitingOf('busy'), 1)
  assert.equal(line.free, 1)
  line.leave('busy')
  await second
  assert.deepEqual(entered, ['busy 0', 'quiet 0', 'busy 1'])
})

test('a wait that takes too long is refused, and its turn goes to the next', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = new FairLine(1)
  assert.equal(line.enter('a'), undefined)
  const late = line.enter('a', { timeoutMs: 100, late: () => new Error('too late') })
  const patient = line.enter('b', { timeoutMs: 200, late: () => new Error('too late') })
  t.mock.timers.tick(100)
  await assert.rejects(late ?? assert.fail(), /too late/)
  assert.equal(line.waitingOf('a'), 0)
  line.leave('a')
  await patient
  t.mock.timers.tick(200)
  assert.deepEqual([line.free, line.isWaitedFor], [0, false])
})

test('a place given back twice is an error, and adds no place', () => {
  const line = new FairLine(1)
  assert.equal(line.enter('a'), undefined)
  line.leave('a')
  assert.throws(() => line.leave('a'), /given back twice/)
  assert.equal(line.free, 1)
})
