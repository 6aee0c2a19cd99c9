// Tests what remains of a text for a reader: no character that is hidden, and none that dropping another would make.
import assert from 'node:assert/strict'
import test from 'node:test'
import { visibleJson, visibleText } from '../src/values/visible-text.ts'

test('dropping a hidden character between two halves does not make another hidden one', () => {
  const halves = 'a\udb40\u200b\udc41b'
  assert.equal(visibleText(halves), 'a\ufffd\ufffdb')
  assert.deepEqual(JSON.parse(visibleJson(JSON.stringify([halves]))), ['a\ufffd\ufffdb'])
})

test('no hidden character passes for a usual one', () => {
  const hidden = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => character.isWellFormed() && visibleText(character) === '',
  )
  assert.ok(hidden.length > 100)
  for (const character of hidden) {
    const code = character.charCodeAt(0).toString(16)
    assert.deepEqual(JSON.parse(visibleJson(JSON.stringify([`a${character}b`]))), ['ab'], code)
  }
})

test('a text of usual characters alone is handed on as it is', () => {
  const json = JSON.stringify(['Noa Levi, ד"ר רות אברהם', 'Анна – 1 200 ₪', 'Zoë\nÅngström'])
  assert.equal(visibleJson(json), json)
})

test('an id with a hidden character is not shown as the id of another record', () => {
  const row = { id: 'twin\u200f', patient: { id: '\u202etwin', first_name: 'Noa\u200f' }, branch_id: 'b\ud83d' }
  const shown = { id: 'twin\ufffd', patient: { id: '\ufffdtwin', first_name: 'Noa' }, branch_id: 'b\ufffd' }
  assert.deepEqual(JSON.parse(visibleJson(JSON.stringify({ data: [row] }))), { data: [shown] })
})
