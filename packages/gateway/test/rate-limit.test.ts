// The rate limit in memory: the common suite, plus synchronous answers and limited memory.
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

test('whatever the clock says, a window that has just begun ends after its length', () => {
  const { limit, advance } = make()
  for (let n = 0; n < 1000; n++) {
    advance(7.3)
    assert.equal(limit.take(`key ${n}`, 1).resetSeconds, 60)
  }
})

test('logs of idle keys are removed, those of busy keys stay', () => {
  const { limit, advance } = make()
  for (let n = 0; n < 1000; n++) limit.take(`idle ${n}`, 1)
  advance(30_000)
  limit.take('busy', 1)
  advance(30_000)
  for (let n = 0; n < 1000; n++) limit.take(`new ${n}`, 1)
  assert.ok(limit.size <= 1001)
  assert.equal(limit.take('busy', 1).admitted, false)
})

test('the number of logs is limited, even when all keys are busy', () => {
  const { limit } = make({ maxLogs: 10 })
  for (let n = 0; n < 1000; n++) limit.take(`key ${n}`, 1)
  assert.ok(limit.size <= 10)
})
