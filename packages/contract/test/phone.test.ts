// Reading phone numbers as people and their keyboards write them, in one normal form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalPhone, normalPhoneWithExtension } from '../src/values/phone.ts'

const NORMAL = '+972527654321'

test('invisible marks and dashes of any kind do not hide a number', () => {
  const dashes = [
    '-',
    '\u2010',
    '\u2011',
    '\u2012',
    '\u2013',
    '\u2014',
    '\u2015',
    '\u2212',
    '\ufe63',
    '\uff0d',
    '\u05be',
  ]
  const written = [
    ...dashes.map((dash) => `052${dash}765${dash}4321`),
    '\u200e052-765-4321\u200f',
    '\u202a+972 52-765-4321\u202c',
    '052\u200b765\u200d4321',
    '\ufeff0527654321',
    '052\u00ad7654321',
    '052\u00a0765\u202f4321',
    ' 972527654321',
  ]
  for (const text of written) {
    assert.equal(normalPhone(text, 'IL'), NORMAL, JSON.stringify(text))
    assert.equal(normalPhoneWithExtension(text, 'IL'), NORMAL, JSON.stringify(text))
  }
})

test('an extension belongs to the number, however it is written', () => {
  const written = [
    'x12',
    ' x 12',
    ' X12',
    ' ext. 12',
    ' ext 12',
    ', ext: 12',
    ';ext=12',
    ' extension 12',
    ' #12',
    ' שלוחה 12',
  ]
  for (const extension of written) {
    assert.equal(normalPhoneWithExtension(`052-765-4321${extension}`, 'IL'), `${NORMAL};ext=12`, extension)
    assert.equal(normalPhone(`052-765-4321${extension}`, 'IL'), null, 'nothing is sent to an extension')
  }
})

test('a text without a number is not read', () => {
  for (const text of [
    '',
    'x12',
    'call me',
    '052-765-4321 x',
    '052-765-4321 x12345678',
    '052-765-4321 or x12',
    '5',
    `${'5'.repeat(200)}x1`,
  ])
    assert.equal(normalPhoneWithExtension(text, 'IL'), null, text)
})
