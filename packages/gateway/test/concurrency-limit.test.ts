// The limit of simultaneous requests: order, waiting times, and places that are never lost or doubled.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '@clinic-data/contract'
import fc from 'fast-check'
import { ConcurrencyLimit } from '../src/limits/concurrency-limit.ts'

const busy = (error: unknown) =>
  error instanceof Problem && error.slug === 'service-unavailable' && error.members.retry_after === 1

function full(options: { maxRunning?: number; maxWaiting?: number } = {}) {
  const limit = new ConcurrencyLimit(options)
  for (let i = 0; i < (options.maxRunning ?? 20); i++) assert.equal(limit.enter('a'), undefined)
  return limit
}

test('twenty requests of a key enter at once, the next waits for a place, other keys do not', async () => {
  const limit = full()
  const waiting = limit.enter('a')
  assert.ok(waiting instanceof Promise)
  assert.equal(limit.enter('b'), undefined)
  limit.leave('a')
  await waiting
  const next = limit.enter('a')
  assert.ok(next instanceof Promise, 'the place was taken by the one who waited')
  limit.leave('a')
  await next
})

test('a client that has already gone does not wait', async () => {
  await assert.rejects(async () => full().enter('a', AbortSignal.abort(new Error('gone'))), /gone/)
})

test('waiting requests enter in their order of arrival', async () => {
  const limit = full({ maxRunning: 1 })
  const entered: number[] = []
  const waiting = [0, 1, 2].map((n) => limit.enter('a')?.then(() => entered.push(n)))
  for (let i = 0; i < 3; i++) {
    limit.leave('a')
    await waiting[i]
  }
  assert.deepEqual(entered, [0, 1, 2])
})

test('a wait ends after two seconds with 503 and takes no place afterwards', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const limit = full({ maxRunning: 1 })
  const waiting = limit.enter('a')
  const refused = assert.rejects(async () => waiting, busy)
  t.mock.timers.tick(1999)
  const next = limit.enter('a')
  t.mock.timers.tick(1)
  await refused
  limit.leave('a')
  await next
  limit.leave('a')
  assert.equal(limit.size, 0)
})

test('a client that disconnects gives up its turn', async () => {
  const limit = full({ maxRunning: 1 })
  const client = new AbortController()
  const gone = limit.enter('a', client.signal)
  const next = limit.enter('a')
  client.abort(new Error('gone'))
  await assert.rejects(async () => gone, /gone/)
  limit.leave('a')
  await next
  limit.leave('a')
  assert.equal(limit.size, 0)
})

test('a client that disconnects after it got a place keeps it until it is returned', async () => {
  const limit = full({ maxRunning: 1 })
  const client = new AbortController()
  const waiting = limit.enter('a', client.signal)
  limit.leave('a')
  client.abort()
  await waiting
  assert.equal(limit.size, 1)
  limit.leave('a')
  assert.equal(limit.size, 0)
})

test('when too many wait the next one is refused at once', async () => {
  const limit = full({ maxRunning: 1, maxWaiting: 1 })
  const waiting = limit.enter('a')
  await assert.rejects(async () => limit.enter('a'), busy)
  limit.leave('a')
  await waiting
})

test('in any order of arrivals and departures, no more than the limit run and no place is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('enter', 'leave', 'abort'), { maxLength: 60 }), async (steps) => {
      const limit = new ConcurrencyLimit({ maxRunning: 3 })
      const clients: AbortController[] = []
      let running = 0
      for (const step of steps) {
        if (step === 'enter') {
          const client = new AbortController()
          const waiting = limit.enter('a', client.signal)
          const entered = () => {
            running++
          }
          if (waiting === undefined) entered()
          else {
            clients.push(client)
            waiting.then(entered, () => {})
          }
        } else if (step === 'abort') clients.shift()?.abort()
        else if (running > 0) {
          running--
          limit.leave('a')
        }
        await null
        await null
        assert.ok(running <= 3)
      }
      while (running > 0) {
        running--
        limit.leave('a')
        await setImmediate()
      }
      assert.equal(limit.size, 0)
    }),
  )
})
