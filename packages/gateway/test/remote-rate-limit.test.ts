// The rate limit that another process counts: the common suite, and the grouping of its questions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { MemoryRateLimit } from '../src/limits/rate-limit.ts'
import { RemoteRateLimit, type Take, takeAll } from '../src/limits/remote-rate-limit.ts'
import { testRateLimit } from './rate-limit-suite.ts'

/** Gateways that ask the same counters, and what they asked. */
function make() {
  let now = 0
  const counters = new MemoryRateLimit({ monotonic: () => now })
  const messages: (readonly Take[])[] = []
  const open = () =>
    new RemoteRateLimit(async (takes) => {
      messages.push(takes)
      // As a channel does it.
      await setImmediate()
      return JSON.parse(JSON.stringify(await takeAll(counters, JSON.parse(JSON.stringify(takes)))))
    })
  return {
    limit: open(),
    open,
    messages,
    advance: (ms: number) => {
      now += ms
    },
  }
}

testRateLimit(make, 100)

test('several gateways that ask at once admit exactly the limit', async () => {
  const { limit, open } = make()
  const gateways = [limit, open(), open()]
  const takes = Array.from({ length: 300 }, async (_, n) => {
    for (let turn = 0; turn < n % 4; turn++) await setImmediate()
    return gateways[n % 3]?.take('shared', 100)
  })
  const taken = await Promise.all(takes)
  assert.equal(taken.filter((one) => one?.admitted).length, 100)
})

test('the requests of one turn of the event loop share a message, and each gets the answer for its own key', async () => {
  const { limit, messages } = make()
  const together = await Promise.all([limit.take('a', 1), limit.take('b', 5), limit.take('a', 1)])
  assert.deepEqual(
    together.map(({ admitted, limit }) => [admitted, limit]),
    [
      [true, 1],
      [true, 5],
      [false, 1],
    ],
  )
  await limit.take('b', 5)
  assert.deepEqual(
    messages.map((takes) => takes.length),
    [3, 1],
  )
})

test('no request is admitted when nobody counts it', async () => {
  const failing = new RemoteRateLimit(() => Promise.reject(new Error('gone')))
  await assert.rejects(failing.take('a', 1), /gone/)
  const silent = new RemoteRateLimit(async () => [])
  await assert.rejects(silent.take('a', 1), /was not counted/)
})
