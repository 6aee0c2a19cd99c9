// An instant in a clinic's zone: the offset of that place and time, and the same instant when it is read back.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { zonedInstant } from '../src/values/zoned-instant.ts'

test('an instant is written with the offset of its own season', () => {
  assert.equal(zonedInstant(new Date('2026-07-12T06:30:00.123Z'), 'Asia/Jerusalem', 3), '2026-07-12T09:30:00.123+03:00')
  assert.equal(zonedInstant(new Date('2026-01-12T06:30:00Z'), 'Asia/Jerusalem', 3), '2026-01-12T08:30:00.000+02:00')
  assert.equal(zonedInstant(new Date('2026-01-12T06:30:00.9Z'), 'UTC', 0), '2026-01-12T06:30:00+00:00')
  assert.equal(zonedInstant(new Date('2026-01-12T06:30:00Z'), 'UTC', 3), '2026-01-12T06:30:00.000+00:00')
  assert.equal(zonedInstant(new Date('2026-01-12T03:00:00Z'), 'America/St_Johns', 3), '2026-01-11T23:30:00.000-03:30')
})

test('every written instant is read back as the same instant', () => {
  const zones = fc.constantFrom('Asia/Jerusalem', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
  const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, zones, (instant, zone) => Date.parse(zonedInstant(instant, zone, 3)) === instant.getTime()),
    { numRuns: 2_000 },
  )
})
