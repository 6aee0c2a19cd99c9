// The passwords of administrators: what counts as the same one, and what never does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Turn } from '../src/sign-in/password.ts'
import { hashPassword, isPassword } from '../src/sign-in/password.ts'
import { CHEAP, storedText } from './stored-password.ts'

const CARMEL: Turn = { isKnown: true, owner: 'carmel' }

test('a password is the same however a keyboard writes a letter with its accent, and is stored each time as another text', async () => {
  const [stored, again] = await Promise.all([1, 2].map(() => hashPassword('carmel', 'caf\u00e9 at the harbour', CHEAP)))
  assert.ok(stored)
  assert.notEqual(stored, again)
  assert.equal(await isPassword(CARMEL, 'cafe\u0301 at the harbour', stored), true)
  assert.equal(await isPassword(CARMEL, 'cafe at the harbour', stored), false)
})

test('only the whole password is right, and none where none is stored', async () => {
  const stored = storedText('cold brew at noon')
  assert.equal(await isPassword(CARMEL, 'cold brew at noon', stored), true)
  for (const other of ['cold brew at noo', 'cold brew at noon ', 'Cold brew at noon', '']) {
    assert.equal(await isPassword(CARMEL, other, stored), false)
  }
  assert.equal(await isPassword(CARMEL, '', null, CHEAP), false)
})

test('strangers wait in a line of their own, in which addresses take turns and none can fill it', async () => {
  const cheap = storedText('cold brew at noon')
  const ended: string[] = []
  const check = async (name: string, turn: Turn, stored = cheap) => {
    await isPassword(turn, 'cold brew at noon', stored)
    ended.push(name)
  }
  const from = (owner: string): Turn => ({ isKnown: false, owner })
  const flood = Array.from({ length: 21 }, () => check('flood', from('198.51.100.7')))
  await assert.rejects(check('flood', from('198.51.100.7')), { slug: 'service-unavailable' })
  await Promise.all([...flood, check('stranger', from('203.0.113.9'))])
  // One of the flood runs, and one has its turn already.
  assert.equal(ended.indexOf('stranger'), 2, ended.join())
  // A hundred times the work of who is known, one after another.
  const dear = storedText('cold brew at noon', { N: 2 ** 14, r: 8, p: 1 })
  const strangers = Array.from({ length: 6 }, (_, n) => check('stranger', from(`192.0.2.${n}`), dear))
  await Promise.all([...strangers, check('known', CARMEL)])
  assert.equal(ended.at(-1), 'stranger')
})
