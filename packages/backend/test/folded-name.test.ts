// The guarantees of name folding: what counts as the same name, and the bounds of its keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldName, NAME_PART_LENGTH, NAME_PARTS, nameKeys } from '../src/folded-name.ts'

test('case, accents, niqqud, geresh, apostrophes and hyphens make no difference to a name', () => {
  const same: [string, string][] = [
    ['ZOË', 'zoe'],
    ['Łukasz Strauß', 'lukasz strauss'],
    ['Søren Æbelø', 'soren aebelo'],
    ['Đorđe', 'dorde'],
    ['Œuvrard', 'oeuvrard'],
    ['IŞIK', 'isik'],
    ['ışık', 'isik'],
    ['İnci', 'inci'],
    ["O'Hara", 'OHARA'],
    ['O’Hara', 'ohara'],
    ['Ben-Levi', 'ben levi'],
    ['בֶּן־לֵוִי', 'בן לוי'],
    ['צ׳רנר', "צ'רנר"],
    ['רמב״ם', 'רמב"ם'],
    ['  Noa   Levi ', 'noa levi'],
    ['Ｎｏａ', 'noa'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ]
  for (const [written, other] of same) assert.equal(foldName(written), foldName(other), written)
})

test('folding a folded name changes nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => foldName(foldName(name)) === foldName(name)))
})

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

test('whatever a name holds, its keys are few, distinct, well formed and short enough for an index', () => {
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
