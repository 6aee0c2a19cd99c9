// When a delivery is retried: the whole table under an injected clock, the jitter's bounds, Retry-After, the horizon.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '@clinic-data/testing/any-character'
import fc from 'fast-check'
import {
  type FailedAttempt,
  HORIZON_MS,
  LAST_DUE_MS,
  MAX_RETRY_AFTER_SECONDS,
  nextAttemptAt,
  parseRetryAfter,
  STEPS_MS,
} from '../src/engine/retry-schedule.ts'

const createdAt = new Date('2026-07-12T09:30:00.123Z')
const after = (ms: number) => new Date(createdAt.getTime() + ms)
/** The longest steps: no jitter. */
const none = () => 0
const failed = (changes: Partial<FailedAttempt> = {}): FailedAttempt => ({
  createdAt,
  attempts: 1,
  responseStatus: 500,
  retryAfterSeconds: null,
  ...changes,
})

/** Milliseconds from the delivery's creation at which each attempt is due, when every attempt fails. */
function lifeOf(next: (attempts: number, now: Date) => Date | null, tookMs = () => 0): number[] {
  const dues: number[] = []
  for (let due: Date | null = createdAt; due !== null && dues.length < 100; ) {
    dues.push(due.getTime() - createdAt.getTime())
    due = next(dues.length, new Date(due.getTime() + tookMs()))
  }
  return dues
}

test('an endpoint that never answers 2xx is tried eleven times over 23 h 42 m 35 s, and then no more', () => {
  const dues = lifeOf((attempts, now) => nextAttemptAt(failed({ attempts }), now, none))
  const [s, m, h] = [1000, 60_000, 3_600_000]
  const steps = [0, 5 * s, 30 * s, 2 * m, 10 * m, 30 * m, h, 2 * h, 4 * h, 6 * h, 10 * h]
  assert.deepEqual(
    dues.map((due, index) => due - (dues[index - 1] ?? 0)),
    steps,
  )
  assert.equal(dues.length, 11)
  assert.equal(dues.at(-1), 23 * h + 42 * m + 35 * s)
})

test('with every attempt timing out after 15 seconds the eleventh is still within 24 hours', () => {
  const dues = lifeOf(
    (attempts, now) => nextAttemptAt(failed({ attempts }), now, none),
    () => 15_000,
  )
  assert.equal(dues.length, 11)
  assert.ok((dues.at(-1) ?? 0) < LAST_DUE_MS)
})

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('the jitter shortens a step by at most a tenth and never lengthens it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), unit, fc.nat(3_600_000), (attempts, random, since) => {
      const now = after(since)
      const due = nextAttemptAt(failed({ attempts }), now, () => random)
      const step = STEPS_MS[attempts] ?? 0
      const waited = (due?.getTime() ?? 0) - now.getTime()
      assert.ok(waited >= 0.9 * step && waited <= step, `${waited} of ${step}`)
    }),
  )
  const spread = new Set([0, 0.25, 0.5, 0.75].map((r) => nextAttemptAt(failed(), createdAt, () => r)?.getTime()))
  assert.equal(spread.size, 4)
})

test('for any answers and delays, no attempt is due after the horizon or before its turn', () => {
  const answer = fc.record({
    responseStatus: fc.constantFrom(null, 302, 404, 410, 429, 500, 503),
    retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
    random: unit,
    tookMs: fc.integer({ min: 0, max: 4 * 3_600_000 }),
  })
  fc.assert(
    fc.property(fc.array(answer, { minLength: 12, maxLength: 12 }), (answers) => {
      let [now, attempts] = [createdAt, 0]
      for (const { tookMs, random, ...answered } of answers) {
        attempts += 1
        now = new Date(now.getTime() + tookMs)
        const due = nextAttemptAt(failed({ attempts, ...answered }), now, () => random)
        if (due === null) break
        assert.ok(due >= now && due.getTime() - createdAt.getTime() <= HORIZON_MS)
        now = due
      }
      assert.ok(attempts <= 11)
    }),
  )
})

for (const responseStatus of [429, 503]) {
  test(`a ${responseStatus} that asks for more than the step gets what it asks for, up to an hour`, () => {
    const dueAfter = (attempts: number, retryAfterSeconds: number, random = none) => {
      const due = nextAttemptAt(failed({ attempts, responseStatus, retryAfterSeconds }), createdAt, random)
      return ((due?.getTime() ?? 0) - createdAt.getTime()) / 1000
    }
    assert.equal(dueAfter(1, 40), 40)
    assert.equal(dueAfter(1, 3600), 3600)
    assert.equal(dueAfter(1, 3601), MAX_RETRY_AFTER_SECONDS)
    assert.equal(dueAfter(1, Number.POSITIVE_INFINITY), MAX_RETRY_AFTER_SECONDS)
    assert.equal(dueAfter(3, 40), 120, 'the step is longer than what was asked for')
    assert.equal(dueAfter(9, 3600), 6 * 3600)
    // The jitter does not go below the requested pause.
    assert.equal(
      dueAfter(3, 119, () => 0.99),
      119,
    )
  })
}

test('the Retry-After of any other answer is ignored', () => {
  for (const responseStatus of [null, 200, 302, 400, 408, 410, 500, 502, 504]) {
    const due = nextAttemptAt(failed({ responseStatus, retryAfterSeconds: 600 }), createdAt, none)
    assert.deepEqual(due, after(5000))
  }
})

test('a step that would end after 24 hours ends there, and is the last one', () => {
  const step10h = failed({ attempts: 10 })
  assert.deepEqual(nextAttemptAt(step10h, after(14 * 3_600_000), none), after(LAST_DUE_MS))
  assert.deepEqual(nextAttemptAt(step10h, after(20 * 3_600_000), none), after(LAST_DUE_MS))
  assert.deepEqual(nextAttemptAt(step10h, after(LAST_DUE_MS - 1), none), after(LAST_DUE_MS))
  assert.equal(nextAttemptAt(step10h, after(LAST_DUE_MS), none), null)
})

test('a receiver that asks for an hour after each attempt is still tried until 24 hours have passed', () => {
  const dues = lifeOf((attempts, now) =>
    nextAttemptAt(failed({ attempts, responseStatus: 503, retryAfterSeconds: 3600 }), now, none),
  )
  assert.equal(dues.at(-1), LAST_DUE_MS)
})

test('a pause that reaches past the horizon is not cut short, and the delivery has failed', () => {
  const asking = failed({ attempts: 10, responseStatus: 503, retryAfterSeconds: 3600 })
  const lastThatFits = HORIZON_MS - 3_600_000
  assert.deepEqual(nextAttemptAt(asking, after(lastThatFits), none), after(HORIZON_MS))
  assert.equal(nextAttemptAt(asking, after(lastThatFits + 1), none), null)
})

test("after a failed manual attempt the next scheduled step follows, counted from the attempt's end", () => {
  const third = failed({ attempts: 3 })
  assert.deepEqual(nextAttemptAt(third, after(35_000), none), after(155_000))
  const afterManual = nextAttemptAt(third, after(60_000), none)
  assert.deepEqual(afterManual, after(180_000))
})

const now = new Date('2026-07-12T09:30:00.400Z')

test('Retry-After is read as seconds', () => {
  for (const [text, seconds] of [
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['007', 7],
  ] as const) {
    assert.equal(parseRetryAfter(text, now), seconds)
  }
  assert.equal(parseRetryAfter('9'.repeat(400), now), Number.POSITIVE_INFINITY)
})

test('Retry-After is read as an HTTP date, rounded up, and a past date is ignored', () => {
  assert.equal(parseRetryAfter('Sun, 12 Jul 2026 09:31:00 GMT', now), 60)
  assert.equal(parseRetryAfter('Sun, 12 Jul 2026 09:30:00 GMT', now), 0)
  assert.equal(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', now), 0)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (seconds) => {
      const date = new Date(now.getTime() + seconds * 1000)
      assert.equal(parseRetryAfter(date.toUTCString(), now), seconds)
    }),
  )
})

test('any other Retry-After is ignored', () => {
  for (const text of [
    ...[null, undefined, '', ' ', '-5', '+5', '1.5', '1e3', '0x10', '5 s', '5, 10', '٥', 'soon', 'NaN', 'Infinity'],
    ...['2026-07-12', '2026-07-12T09:31:00Z', 'Sun, 12 Jul 2026 09:31:00', 'Sun, 12 Jul 2026 09:31:00 +0300'],
    ...['Mon, 12 Jul 2026 09:31:00 GMT', 'Tue, 31 Feb 2026 09:31:00 GMT', 'Invalid Date', 'July 12'],
  ]) {
    assert.equal(parseRetryAfter(text, now), null, String(text))
  }
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const seconds = parseRetryAfter(text, now)
      assert.ok(seconds === null || seconds >= 0)
    }),
  )
})
