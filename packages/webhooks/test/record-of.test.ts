// The record that an event tells of is found in its data, whatever its id is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '@clinic-data/contract'
import { eventExample } from '@clinic-data/contract/event-examples'
import fc from 'fast-check'
import { recordOf } from '../src/events/record-of.ts'

test('every type of event begins with the id of its record', () => {
  for (const type of eventTypes) {
    const data = eventExample(type)
    assert.equal(recordOf(JSON.stringify(data)), data.id, type)
  }
})

test('any id is read as it was written, and data without one names no record', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 128 }), fc.jsonValue(), (id, more) => {
      assert.equal(recordOf(JSON.stringify({ id, more })), id)
    }),
    { seed: 3, numRuns: 300 },
  )
  for (const data of ['{}', '{"id":7}', '{"name":"x","id":"y"}', '[{"id":"x"}]', '']) assert.equal(recordOf(data), null)
})
