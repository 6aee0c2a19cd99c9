// The rate limit in memory: the common suite, and what only it has: synchronous answers and bounded memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryRateLimit } from '../src/limits/rate-limit.ts'
import { testRateLimit } from './rate-limit-suite.ts'

function make(options: { maxLogs?: number } = {}) {
  let now = 0
  return {
    limit: new MemoryRateLimit({ ...options, monotonic: () => now }),
    advance: (ms: number) => {
      now += ms
    },
  }
}

testRateLimit(make, 500)

test('the answer is there at once', () => {
  assert.equal(make().limit.take('a', 1).admitted, true)
})

test('logs of idle keys go, those of busy keys stay', () => {
  const { limit, advance } = make()
  for (let n = 0; n < 1000; n++) limit.take(`idle ${n}`, 1)
  advance(30_000)
  limit.take('busy', 1)
  advance(30_000)
  for (let n = 0; n < 1000; n++) limit.take(`new ${n}`, 1)
  assert.ok(limit.size <= 1001)
  assert.equal(limit.take('busy', 1).admitted, false)
})

test('there are never more logs than the bound, though all keys be busy', () => {
  const { limit } = make({ maxLogs: 10 })
  for (let n = 0; n < 1000; n++) limit.take(`key ${n}`, 1)
  assert.ok(limit.size <= 10)
})
