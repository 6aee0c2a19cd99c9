// The guarantees of a name's keys: a search finds the words in any order, and an index can hold every key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NAME_PART_LENGTH, NAME_PARTS, nameKeys } from '../src/names/name-keys.ts'

test('every ordered pair of parts is a key, so that words are found in any order', () => {
  assert.deepEqual(nameKeys('David', 'Ben-Levi').sort(), [
    'ben david',
    'ben levi',
    'david ben',
    'david levi',
    'levi ben',
    'levi david',
  ])
  assert.deepEqual(nameKeys(null, 'Levi'), ['levi'])
  assert.deepEqual(nameKeys(null, null), [])
  assert.deepEqual(nameKeys('-', "'"), [])
  assert.deepEqual(nameKeys('Levi', 'LEVI'), ['levi'])
})

test('the keys of any name are few, distinct, well formed and short enough for an index', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 120 })
  fc.assert(
    fc.property(fc.option(name), fc.option(name), (first, last) => {
      const keys = nameKeys(first, last)
      assert.equal(new Set(keys).size, keys.length)
      assert.ok(keys.length <= NAME_PARTS ** 2)
      assert.ok(keys.every((key) => key.isWellFormed() && Buffer.byteLength(key) <= 8 * NAME_PART_LENGTH + 1))
    }),
  )
  assert.equal(nameKeys('\ufdfa'.repeat(120), '\u{1d11e}'.repeat(120)).length > 0, true)
})
