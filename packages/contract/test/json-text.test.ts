// Received JSON: the refusals before its meaning is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonLimits, parseJson } from '../src/input/json-text.ts'
import { type Fault, Problem } from '../src/problems.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function refusal(text: Uint8Array | string, limits?: JsonLimits): readonly Fault[] {
  try {
    parseJson(typeof text === 'string' ? bytes(text) : text, limits)
  } catch (error) {
    assert.ok(error instanceof Problem && error.slug === 'invalid-request')
    return error.members.errors ?? []
  }
  return assert.fail('nothing was refused')
}

const refused = (text: Uint8Array | string) => refusal(text).map((fault) => [Object.values(fault)[0], fault.code])

test('a value is read as it was written', () => {
  const text = '{"amount":350.5,"note":"שלום 😀","list":[null,true,"\\u00e9"]}'
  assert.deepEqual(parseJson(bytes(text)), JSON.parse(text))
})

test('a text that is not UTF-8 or not JSON is refused as a whole', () => {
  assert.deepEqual(refused(Uint8Array.of(0x22, 0xff, 0x22)), [['#', 'encoding']])
  assert.deepEqual(refused(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), [['#', 'encoding']])
  for (const text of ['', ' ', '{', '{"a":1,}', "{'a':1}", '{"a":NaN}', '"a\nb"'])
    assert.deepEqual(refused(text), [['#', 'json']], text)
})

test('nesting is limited without recursion', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(parseJson(bytes(nested(32))))
  assert.deepEqual(refused(nested(33)), [['#', 'depth']])
  assert.deepEqual(refused('['.repeat(20_000)), [['#', 'depth']])
  assert.ok(parseJson(bytes(`{"a":"${'['.repeat(100)}"}`)))
  assert.ok(parseJson(bytes(nested(40)), { depth: 40 }))
  assert.equal(refusal(nested(3), { depth: 2 })[0]?.detail, 'must nest at most 2 levels')
})

test('the number of values is limited, and characters in texts do not count', () => {
  const list = (items: number) => `[${Array(items).fill('","').join(' ,')}]`
  assert.ok(parseJson(bytes(list(9)), { values: 10 }))
  assert.equal(refusal(list(9), { values: 9 })[0]?.detail, 'must hold at most 9 values')
  assert.ok(parseJson(bytes(list(100_000))), 'without a bound')
  for (const text of ['{"a":0,"b":[1,2]}', '[[],[[1]]]'])
    assert.equal(refusal(text, { values: 4 })[0]?.code, 'too_many', text)
  // The backslashes before a quote decide whether it ends the text.
  assert.ok(parseJson(bytes(String.raw`{"a":"\\","b":"\\\",,,,,,,,\""}`), { values: 4 }))
  assert.equal(refusal(String.raw`{"a":"\\","b":[1,2,3]}`, { values: 4 })[0]?.code, 'too_many')
  assert.deepEqual(refused('["a'), [['#', 'json']])
})

test('a NUL, half a character and a key that changes an object are reported at their places', () => {
  assert.deepEqual(refused('{"a":["ok","\\u0000"],"b/c":{"d":"\\ud83d"}}'), [
    ['#/a/1', 'characters'],
    ['#/b~1c/d', 'characters'],
  ])
  assert.deepEqual(refused('{"a\\u0000":1}'), [['#/a', 'characters']])
  assert.deepEqual(refused('{"meta":{"__proto__":{"admin":true}}}'), [['#/meta/__proto__', 'unknown']])
  assert.deepEqual(parseJson(bytes('{"constructor":{"prototype":1}}')), { constructor: { prototype: 1 } })
})

test('at most 50 such places are reported', () => {
  const text = `[${Array.from({ length: 10_000 }, () => '"\\u0000"').join()}]`
  assert.equal(refusal(text).length, 50)
})
