// The passwords of administrators: what counts as the same one, and what never does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from '../../src/console/password.ts'

test('a password is the same however a keyboard writes a letter with its accent', async () => {
  const stored = await hashPassword('carmel', 'caf\u00e9 at the harbour')
  assert.equal(await isPassword('carmel', 'cafe\u0301 at the harbour', stored), true)
  assert.equal(await isPassword('carmel', 'cafe at the harbour', stored), false)
})

test('only the whole password is right, and none where none is stored', async () => {
  const stored = await hashPassword('carmel', 'cold brew at noon')
  for (const other of ['cold brew at noo', 'cold brew at noon ', 'Cold brew at noon', '']) {
    assert.equal(await isPassword('carmel', other, stored), false)
  }
  assert.equal(await isPassword('carmel', '', null), false)
  assert.notEqual(await hashPassword('carmel', 'cold brew at noon'), stored)
})
