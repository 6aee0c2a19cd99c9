// The passwords of administrators: what counts as the same one, and what never does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from '../../src/console/password.ts'
import { storedText } from './stored-password.ts'

test('a password is the same however a keyboard writes a letter with its accent, and is stored each time as another text', async () => {
  const [stored, again] = await Promise.all([1, 2].map(() => hashPassword('carmel', 'caf\u00e9 at the harbour')))
  assert.ok(stored)
  assert.notEqual(stored, again)
  assert.equal(await isPassword('carmel', 'cafe\u0301 at the harbour', stored), true)
  assert.equal(await isPassword('carmel', 'cafe at the harbour', stored), false)
})

test('only the whole password is right, and none where none is stored', async () => {
  const stored = storedText('cold brew at noon')
  assert.equal(await isPassword('carmel', 'cold brew at noon', stored), true)
  for (const other of ['cold brew at noo', 'cold brew at noon ', 'Cold brew at noon', '']) {
    assert.equal(await isPassword('carmel', other, stored), false)
  }
  assert.equal(await isPassword('carmel', '', null), false)
})
