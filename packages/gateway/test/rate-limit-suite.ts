// The shared guarantees of both rate limits, in memory and in Redis: one suite, run against each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RATE_WINDOW_MS, type RateLimit } from '../src/limits/rate-limit.ts'

export interface LimitUnderTest {
  limit: RateLimit
  /** Whole milliseconds. */
  advance(ms: number): void
}

/** Each call of `make` gives an unused limit with its own clock. */
export function testRateLimit(make: () => LimitUnderTest, numRuns: number): void {
  test('as many requests as the limit are admitted in a window, and the next one when the oldest has left', async () => {
    const { limit, advance } = make()
    for (let n = 1; n <= 3; n++) {
      assert.deepEqual(await limit.take('a', 3), {
        admitted: true,
        limit: 3,
        remaining: 3 - n,
        resetSeconds: 60 - 10 * (n - 1),
        retryAfterSeconds: 0,
      })
      advance(10_000)
    }
    const refused = { admitted: false, limit: 3, remaining: 0, resetSeconds: 30, retryAfterSeconds: 30 }
    assert.deepEqual(await limit.take('a', 3), refused)
    advance(29_999)
    assert.deepEqual(await limit.take('a', 3), { ...refused, resetSeconds: 1, retryAfterSeconds: 1 })
    advance(1)
    assert.deepEqual(await limit.take('a', 3), {
      admitted: true,
      limit: 3,
      remaining: 0,
      resetSeconds: 10,
      retryAfterSeconds: 0,
    })
    assert.equal((await limit.take('a', 3)).admitted, false)
  })

  test('seconds are rounded up, so a client that waits that long is admitted', async () => {
    const { limit, advance } = make()
    await limit.take('a', 1)
    advance(58_999)
    assert.equal((await limit.take('a', 1)).retryAfterSeconds, 2)
    advance(1)
    assert.equal((await limit.take('a', 1)).retryAfterSeconds, 1)
    advance(1000)
    assert.equal((await limit.take('a', 1)).admitted, true)
  })

  test('refused requests do not count', async () => {
    const { limit, advance } = make()
    await limit.take('a', 1)
    for (let n = 0; n < 59; n++) {
      advance(1000)
      assert.equal((await limit.take('a', 1)).admitted, false)
    }
    advance(1000)
    assert.equal((await limit.take('a', 1)).admitted, true)
  })

  test('keys do not count for each other', async () => {
    const { limit } = make()
    await limit.take('a', 1)
    assert.equal((await limit.take('b', 1)).admitted, true)
    assert.equal((await limit.take('a', 1)).admitted, false)
  })

  test('a changed limit applies from the next request on', async () => {
    const { limit, advance } = make()
    for (let n = 0; n < 10; n++) {
      await limit.take('a', 10)
      advance(1000)
    }
    const lowered = await limit.take('a', 4)
    assert.equal(lowered.admitted, false)
    assert.equal(lowered.remaining, 0)
    advance(lowered.retryAfterSeconds * 1000)
    assert.equal((await limit.take('a', 4)).admitted, true)
    assert.equal((await limit.take('a', 4)).admitted, false)
    assert.equal((await limit.take('a', 8)).admitted, true)
  })

  test('after a pause longer than the window the whole limit is available again', async () => {
    const { limit, advance } = make()
    for (let n = 0; n < 300; n++) assert.equal((await limit.take('a', 300)).admitted, true)
    assert.equal((await limit.take('a', 300)).admitted, false)
    advance(RATE_WINDOW_MS)
    for (let n = 0; n < 300; n++) assert.equal((await limit.take('a', 300)).remaining, 299 - n)
    assert.equal((await limit.take('a', 300)).admitted, false)
  })

  test('a burst larger than the ones before it, while some of those are still in the window, is counted in full', async () => {
    const { limit, advance } = make()
    for (let n = 0; n < 8; n++) {
      await limit.take('a', 40)
      advance(1000)
    }
    advance(RATE_WINDOW_MS - 5000)
    for (let n = 0; n < 35; n++) assert.equal((await limit.take('a', 40)).remaining, 40 - 5 - n, `request ${n}`)
    advance(4000)
    assert.equal((await limit.take('a', 40)).remaining, 4)
  })

  test('whatever the timing: never more than the limit in any window, and never fewer than it allows', async () => {
    const steps = fc.array(fc.oneof(fc.constant(0), fc.nat(300), fc.nat(30_000), fc.constant(RATE_WINDOW_MS)), {
      maxLength: 200,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), steps, async (quota, pauses) => {
        const { limit, advance } = make()
        const admissions: number[] = []
        let now = 0
        for (const pause of pauses) {
          advance(pause)
          now += pause
          const inWindow = admissions.filter((time) => time > now - RATE_WINDOW_MS)
          const taken = await limit.take('a', quota)
          assert.equal(taken.admitted, inWindow.length < quota)
          if (taken.admitted) {
            admissions.push(now)
            inWindow.push(now)
          }
          assert.equal(taken.remaining, quota - inWindow.length)
          const oldest = inWindow[0] ?? now
          assert.equal(taken.resetSeconds, Math.ceil((oldest + RATE_WINDOW_MS - now) / 1000))
        }
        for (const [index, time] of admissions.entries()) {
          const later = admissions[index + quota]
          assert.ok(later === undefined || later - time >= RATE_WINDOW_MS)
        }
      }),
      { numRuns },
    )
  })
}
