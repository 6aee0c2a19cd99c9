// The service's ids: sorted by time, never equal, and readable for their time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, timeOfId } from '../src/values/new-id.ts'

test('an id holds the millisecond when it was made, and later ids sort later', () => {
  const times = [
    '1970-01-01T00:00:00.000Z',
    '2026-07-12T06:30:00.123Z',
    '2026-07-12T06:30:00.124Z',
    '2199-12-30T23:59:59Z',
  ]
  const ids = times.map((time) => newId('evt', new Date(time)))
  assert.deepEqual(
    ids.map((id) => timeOfId('evt', id)),
    times.map((time) => new Date(time)),
  )
  assert.deepEqual(ids.toSorted(), ids)
})

test('no two ids of one millisecond are equal', () => {
  const now = new Date()
  assert.equal(new Set(Array.from({ length: 10_000 }, () => newId('evt', now))).size, 10_000)
})

test('a text that is not one of our ids has no time', () => {
  const id = newId('evt', new Date())
  const rest = id.slice('evt_'.length)
  for (const other of [
    '',
    'evt_',
    'evt5512',
    `dlv_${rest}`,
    rest,
    `${id}0`,
    id.slice(0, -1),
    id.toUpperCase(),
    `${id.slice(0, -1)}u`,
  ])
    assert.equal(timeOfId('evt', other), null, other)
  assert.equal(timeOfId('evt', `evt_${'z'.repeat(26)}`), null, 'beyond the years of any record')
})
