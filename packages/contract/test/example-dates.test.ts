// The dates of the examples move with the reader's week, and nothing else does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datedNear, exampleNear, MCP_REVISION } from '../src/values/example-dates.ts'

const WEEK_MS = 7 * 86_400_000

test('whatever the day, the story is over, its weekdays stay, and the next week is still to come', () => {
  for (let day = Date.parse('2025-12-28T12:00:00Z'); day < Date.parse('2029-01-01T00:00:00Z'); day += 86_400_000) {
    const now = new Date(day)
    const [sunday = '', tuesday = '', nextSunday = ''] = datedNear('2026-07-12 2026-07-14 2026-07-26', now).split(' ')
    assert.deepEqual([new Date(sunday).getUTCDay(), new Date(tuesday).getUTCDay()], [0, 2])
    const today = now.toISOString().slice(0, 10)
    assert.ok(tuesday < today && today < nextSunday, `${tuesday} ${today} ${nextSunday}`)
    assert.ok(Date.parse(today) - Date.parse(sunday) < 2 * WEEK_MS, 'a replay reaches back 30 days')
  }
})

test('an instant keeps its time of day and gets the offset of its new date', () => {
  const winter = new Date('2026-11-21T12:00:00Z')
  assert.equal(datedNear('"2026-07-12T09:30:00.123+03:00"', winter), '"2026-11-08T09:30:00.123+02:00"')
  assert.equal(datedNear('2026-07-12T09:30:00+03:00', new Date('2027-07-20T12:00:00Z')), '2027-07-11T09:30:00+03:00')
})

test('in an address too, and the revision of MCP is no day', () => {
  const winter = new Date('2026-11-21T12:00:00Z')
  const since = encodeURIComponent('2026-07-12T09:30:00+03:00')
  assert.equal(datedNear(`since=${since}&x=1`, winter), `since=${encodeURIComponent('2026-11-08T09:30:00+02:00')}&x=1`)
  const text = `The revision ${MCP_REVISION}, "mcp-protocol-version: ${MCP_REVISION}"`
  assert.equal(datedNear(text, winter), text)
})

test('other dates and numbers stay as they are', () => {
  const text = '2026-01-01..2026-06-30 2025-07-12 12026-07-12 x2026-07-12 p1042 350'
  assert.equal(datedNear(text, new Date('2026-11-21')), text)
})

test('a value moves whole', () => {
  assert.deepEqual(exampleNear({ from: '2026-07-14', rows: [1, null] }, new Date('2026-11-21')), {
    from: '2026-11-10',
    rows: [1, null],
  })
})
