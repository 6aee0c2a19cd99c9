// The pump: scans at its interval, serves each owner once at a time and within the room, and drains.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Pump, type PumpOptions } from '../src/pump.ts'

const EVERY_MS = 1000

/** A pump whose next scan starts when the test says so, and whose work ends when the test says so. */
function pumpWith(options: Partial<PumpOptions> = {}) {
  const served: string[] = []
  const failures: unknown[] = []
  const ends = new Map<string, () => void>()
  const later: { delayMs: number; action: () => void }[] = []
  const pump = new Pump({
    scan: async () => undefined,
    everyMs: EVERY_MS,
    onScanFailure: (error) => failures.push(error),
    serve: (owner) => {
      served.push(owner)
      return new Promise((resolve) => ends.set(owner, resolve))
    },
    after: (delayMs, action) => {
      const entry = { delayMs, action }
      later.push(entry)
      return () => later.splice(later.indexOf(entry), 1)
    },
    ...options,
  })
  const end = async (owner: string) => {
    ends.get(owner)?.()
    await pump.served(owner)
  }
  return { pump, served, failures, later, end }
}

test('an owner that is woken while it is served is served again afterwards, and not twice at once', async () => {
  const { pump, served, end } = pumpWith()
  for (let i = 0; i < 3; i++) pump.wake('a')
  assert.deepEqual(served, ['a'])
  await end('a')
  assert.deepEqual(served, ['a', 'a'])
  await end('a')
  assert.deepEqual([served.length, pump.serving], [2, 0])
})

test('an owner that wakes itself as it begins is not served twice at once', async () => {
  const { pump, served } = pumpWith({
    serve: async (owner) => {
      served.push(owner)
      if (served.length === 1) pump.wake(owner)
      assert.equal(pump.serving, 1)
    },
  })
  pump.wake('a')
  await pump.idle()
  assert.deepEqual(served, ['a', 'a'])
})

test('owners without room wait, and are served in their order when room is made', async () => {
  const { pump, served, end } = pumpWith({ hasRoom: () => pump.serving < 2 })
  for (const owner of ['a', 'b', 'c', 'd']) pump.wake(owner)
  assert.deepEqual(served, ['a', 'b'])
  assert.equal(pump.isIdle, false)
  await end('b')
  await end('a')
  assert.deepEqual(served, ['a', 'b', 'c', 'd'])
})

test('an owner that cannot be served now keeps its turn, and others go first', () => {
  const held = new Set(['a'])
  const { pump, served } = pumpWith({ mayServe: (owner) => !held.has(owner) })
  for (const owner of ['a', 'b']) pump.wake(owner)
  assert.deepEqual(served, ['b'])
  held.clear()
  pump.goOn()
  assert.deepEqual(served, ['b', 'a'])
})

test('each scan is followed by another one, even after a failure', async () => {
  let scans = 0
  const { pump, later, failures } = pumpWith({
    scan: async () => {
      scans += 1
      if (scans === 1) throw new Error('away')
    },
  })
  pump.start()
  assert.equal(later.length, 0)
  await pump.idle()
  assert.deepEqual([scans, failures.length, later.map(({ delayMs }) => delayMs)], [1, 1, [EVERY_MS]])
  later.shift()?.action()
  await pump.idle()
  assert.deepEqual([scans, failures.length, later.length], [2, 1, 1])
})

test('a stopped pump starts no scan and serves no owner, and is idle when its last work has ended', async () => {
  const { pump, served, later, end } = pumpWith({ hasRoom: () => pump.serving < 1 })
  pump.start()
  await pump.idle()
  for (const owner of ['a', 'b']) pump.wake(owner)
  pump.stop()
  pump.wake('c')
  assert.deepEqual([later.length, pump.isIdle], [0, false])
  const idle = pump.idle()
  await end('a')
  await idle
  assert.deepEqual([served, pump.isIdle], [['a'], true])
})

test('after a stop during a scan no other scan follows', async () => {
  const scanned = Promise.withResolvers<void>()
  const { pump, later } = pumpWith({ scan: () => scanned.promise })
  pump.start()
  pump.stop()
  scanned.resolve()
  await pump.idle()
  assert.equal(later.length, 0)
})

test('idle waits also for work that begins while it waits', async () => {
  const { pump } = pumpWith()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  pump.track(first.promise.then(() => pump.track(second.promise)))
  let isIdle = false
  const idle = pump.idle().then(() => {
    isIdle = true
  })
  first.resolve()
  await setImmediate()
  assert.equal(isIdle, false)
  second.resolve()
  await idle
})
