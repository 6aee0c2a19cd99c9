// Cursors resist: changes, other bindings, other spellings, rotation of the secret keys.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { MAX } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { anyCharacter } from '@clinic-data/testing/any-character'
import fc from 'fast-check'
import { type CursorBinding, openCursor, sealCursor } from '../src/requests/cursor.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const keysOf = (...entries: string[]) => signingKeys(parseSecretKeys(entries.join(',')), 'cursor')

const keys = keysOf(entry('k1'))
const binding: CursorBinding = {
  clinic_id: 'north',
  operation: 'patients.list',
  filters: { query: 'levi', response_format: 'concise', phone: undefined },
}
const position = ['לוי נעה', 'p1042']

const json = fc.string({ unit: 'grapheme', maxLength: 60 })
const bindings = fc.record({
  clinic_id: json,
  operation: json,
  filters: fc.dictionary(json, fc.oneof(json, fc.integer(), fc.boolean(), fc.array(json, { maxLength: 3 })), {
    maxKeys: 4,
  }),
})

test('a cursor opens to its sealed position under the same binding', () => {
  fc.assert(
    fc.property(bindings, fc.array(json, { maxLength: 3 }), (bound, rows) => {
      assert.deepEqual(openCursor(keys, bound, sealCursor(keys, bound, rows)), rows)
    }),
  )
})

test('the order of the filters and absent ones make no difference', () => {
  const other = { ...binding, filters: { response_format: 'concise', query: 'levi' } }
  assert.deepEqual(openCursor(keys, other, sealCursor(keys, binding, position)), position)
})

test('a cursor opens under no other clinic, operation or filters', () => {
  fc.assert(
    fc.property(bindings, bindings, (sealed, opened) => {
      const same = openCursor(keys, opened, sealCursor(keys, sealed, position)) !== null
      const normal = (b: CursorBinding) => JSON.stringify([b.clinic_id, b.operation, Object.entries(b.filters).sort()])
      assert.equal(same, normal(sealed) === normal(opened))
    }),
  )
  const filters = [{ query: 'lev' }, { query: 'levi' }, { query: 'levi', response_format: 'detailed' }, {}]
  for (const other of [
    { ...binding, clinic_id: 'south' },
    { ...binding, operation: 'calls.list' },
    ...filters.map((changed) => ({ ...binding, filters: changed })),
  ]) {
    assert.equal(openCursor(keys, other, sealCursor(keys, binding, position)), null)
  }
})

test('a name cannot be mistaken for a value, or two filters for one', () => {
  const sealed = sealCursor(keys, { ...binding, filters: { a: 'b', c: 'd' } }, position)
  for (const filters of [
    { a: 'b', e: 'd' },
    { a: 'b', cd: '' },
    { a: 'b","c":"d' },
    { a: ['b', 'c', 'd'] },
    { 'a,b': 'c,d' },
  ]) {
    assert.equal(openCursor(keys, { ...binding, filters }, sealed), null)
  }
})

test('a cursor with any bit changed is refused', () => {
  const bytes = Buffer.from(sealCursor(keys, binding, position), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.equal(openCursor(keys, binding, changed.toString('base64url')), null, `bit ${bit}`)
  }
})

test('a shortened or extended cursor is refused', () => {
  const cursor = sealCursor(keys, binding, position)
  for (let length = 0; length < cursor.length; length++) {
    assert.equal(openCursor(keys, binding, cursor.slice(0, length)), null)
  }
  for (const added of ['A', 'AAAA', '=', '==', ' ', '\n', '.', '%3D']) {
    assert.equal(openCursor(keys, binding, cursor + added), null)
    assert.equal(openCursor(keys, binding, added + cursor), null)
  }
})

test('a second spelling of the same bytes is refused', () => {
  // The last character of some cursors carries stray bits, and some contain - or _, which plain base64 writes as + or /.
  const cursors = Array.from({ length: 200 }, (_, i) => sealCursor(keys, binding, [`p${i}`, 'x'.repeat(i % 3)]))
  const spellings = cursors.flatMap((cursor) => [
    cursor.replaceAll('-', '+'),
    cursor.replaceAll('_', '/'),
    `${cursor.slice(0, 9)} ${cursor.slice(9)}`,
    `${cursor.slice(0, 9)}!${cursor.slice(9)}`,
    ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (c) => cursor.slice(0, -1) + c),
  ])
  const second = spellings.filter((spelling) => !cursors.includes(spelling))
  assert.ok(second.some((s) => Buffer.from(s, 'base64url').equals(Buffer.from(cursors[0] ?? '', 'base64url'))))
  for (const spelling of second) assert.equal(openCursor(keys, binding, spelling), null)
})

test('no text makes the opening throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.base64String({ maxLength: 1400 })), (text) => {
      assert.equal(openCursor(keys, binding, text), null)
    }),
    { numRuns: 2000 },
  )
})

test('a cursor sealed under a former secret key opens while that key is listed, and not afterwards', () => {
  const [former, current] = [entry('old'), entry('new')]
  const sealed = sealCursor(keysOf(former), binding, position)
  assert.deepEqual(openCursor(keysOf(current, former), binding, sealed), position)
  assert.equal(openCursor(keysOf(current), binding, sealed), null)
  assert.equal(openCursor(keysOf(entry('old')), binding, sealed), null, 'another key under the same id')
})

test('the longest names and ids of any script fit, and too long a position is our own error, never a broken cursor', () => {
  const longest = ['𐀀'.repeat(MAX.template_name), '𐀀'.repeat(MAX.id)]
  const cursor = sealCursor(keys, binding, longest)
  assert.ok(cursor.length <= MAX.cursor)
  assert.deepEqual(openCursor(keys, binding, cursor), longest)
  assert.throws(() => sealCursor(keys, binding, ['x'.repeat(4000)]), RangeError)
})

test('SECRET_KEYS is refused with one line that names the entry and quotes no key', () => {
  const secret = randomBytes(31).toString('base64')
  const wrong: [string, RegExp][] = [
    ['', /entry 1/],
    [`a:${secret}`, /entry 1/],
    [`${entry('a')},b`, /entry 2/],
    [`${entry('a')},`, /entry 2/],
    [`${entry('a b')}`, /entry 1/],
    [`${entry('a')},${entry('a')}`, /same id/],
    [`${entry('a'.repeat(17))}`, /entry 1/],
  ]
  for (const [list, says] of wrong) {
    assert.throws(
      () => parseSecretKeys(list),
      (error: Error) => says.test(error.message) && !error.message.includes('\n') && !error.message.includes(secret),
    )
  }
  assert.equal(parseSecretKeys(`${entry('a')}, ${entry('b')}`)[0].id, 'a')
})

test('a cursor hides the position, and equal positions have equal cursors', () => {
  const sealed = sealCursor(keys, binding, ['levi noa', 'p1042'])
  assert.ok(!Buffer.from(sealed, 'base64url').toString('latin1').includes('levi'))
  assert.equal(sealCursor(keys, binding, ['levi noa', 'p1042']), sealed)
})
