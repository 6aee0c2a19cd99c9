// The texts of instants.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instant, wholeSecond } from '../src/values/instant-text.ts'

const two = (value: number) => String(value).padStart(2, '0')

/**
 * Prints an instant like PostgreSQL in a zone with that offset from UTC: no zeros at the end, and only the needed parts of the
 * offset.
 */
function printed(date: Date, offsetSeconds: number, microseconds = 0): string {
  const local = new Date(date.getTime() + offsetSeconds * 1000).toISOString()
  const decimals = `.${local.slice(20, 23)}${String(microseconds).padStart(3, '0')}`.replace(/\.?0+$/, '')
  const [hours, minutes, seconds] = [3600, 60, 1].map((unit) => Math.trunc(Math.abs(offsetSeconds) / unit) % 60)
  const parts = [hours ?? 0, ...(minutes || seconds ? [minutes ?? 0] : []), ...(seconds ? [seconds] : [])]
  return `${local.slice(0, 10)} ${local.slice(11, 19)}${decimals}${offsetSeconds < 0 ? '-' : '+'}${parts.map(two).join(':')}`
}

const dates = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
const offsets = fc.oneof(
  fc.integer({ min: -15, max: 15 }).map((hours) => hours * 3600),
  fc.integer({ min: -60, max: 60 }).map((quarters) => quarters * 900),
  fc.integer({ min: -15 * 3600, max: 15 * 3600 }),
)

test('the text is the same instant that PostgreSQL printed, with three decimals and an offset of hours and minutes', () => {
  fc.assert(
    fc.property(dates, offsets, fc.integer({ min: 0, max: 999 }), (date, offset, microseconds) => {
      const text = instant(printed(date, offset, microseconds)) ?? ''
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/)
      assert.equal(Date.parse(text), date.getTime())
    }),
    { numRuns: 2_000 },
  )
})

test('a whole second is the same instant without decimals', () => {
  fc.assert(
    fc.property(dates, offsets, (date, offset) => {
      const text = printed(date, offset)
      assert.equal(wholeSecond(text), instant(text)?.replace(/\.\d{3}/, ''))
    }),
    { numRuns: 2_000 },
  )
})

test("the text shows the clinic's local time", () => {
  assert.equal(instant('2026-07-12 09:30:00.123+03'), '2026-07-12T09:30:00.123+03:00')
  assert.equal(instant('2026-07-12 09:30:00-02:30'), '2026-07-12T09:30:00.000-02:30')
  assert.equal(instant('2026-07-12 09:30:00+00'), '2026-07-12T09:30:00.000+00:00')
  assert.equal(wholeSecond('2026-07-12 09:30:00.9+03'), '2026-07-12T09:30:00+03:00')
})

test('an instant whose offset has seconds is given in UTC', () => {
  assert.equal(instant('1850-01-01 00:00:00+02:20:54'), '1849-12-31T21:39:06.000+00:00')
  assert.equal(wholeSecond('1850-01-01 00:00:00.5-02:20:54'), '1850-01-01T02:20:54+00:00')
})

test('a value without such a text is null', () => {
  const texts = [null, 'infinity', '-infinity', '10000-01-01 00:00:00+00', '0044-03-15 10:00:00+02 BC']
  for (const text of [...texts, '0044-03-15 10:00:00.1+02:30 BC', '0044-03-15 10:00:00.1+02:20:54 BC']) {
    assert.equal(instant(text), null)
    assert.equal(wholeSecond(text), null)
  }
})
