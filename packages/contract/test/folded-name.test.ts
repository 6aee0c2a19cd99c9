// Name folding: which spellings count as the same name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldName } from '../src/values/folded-name.ts'

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
