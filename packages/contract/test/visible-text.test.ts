// Tests what remains of a text for a reader: no character that is hidden, and none that dropping another would make.
import assert from 'node:assert/strict'
import test from 'node:test'
import { visibleJson, visibleText } from '../src/values/visible-text.ts'

test('dropping a hidden character between two halves does not make another hidden one', () => {
  const halves = 'a\udb40\u200b\udc41b'
  assert.equal(visibleText(halves), 'a\ufffd\ufffdb')
  assert.deepEqual(JSON.parse(visibleJson(JSON.stringify([halves]))), ['a\ufffd\ufffdb'])
})
