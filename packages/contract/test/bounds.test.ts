// The small rules that many checks stand on: characters are counted as people count them, names are escaped, a key has a checksum.
import assert from 'node:assert/strict'
import test from 'node:test'
import { checkQuery } from '../src/analytics/check-query.ts'
import { allScopes, Grant, operations, Problem, type Scope } from '../src/contract.ts'
import { memberPlace } from '../src/input/findings.ts'
import { queryReader } from '../src/input/read-query.ts'
import { validatorOf } from '../src/input/validator.ts'
import { problemHeaders } from '../src/problem-body.ts'
import { distinct, list, text } from '../src/schema/schema.ts'
import { isWellFormedKey, makeKey } from '../src/values/key.ts'
import { normalPhone } from '../src/values/phone.ts'
import { safeJson } from '../src/values/safe-text.ts'
import { findings } from './schema-findings.ts'

test('a problem takes no time for a stack, and leaves those of other errors as they are', () => {
  assert.doesNotMatch(new Problem('not-found', 'No.').stack ?? '', /\n +at /)
  assert.match(new Error('broken').stack ?? '', /\n +at /)
})

test('a limit of characters counts characters, of any script', () => {
  const Three = text(3, { minLength: 2 })
  for (const good of ['ab', 'abc', '😀😀', '😀😀😀']) assert.deepEqual(findings(Three, good), [], good)
  for (const long of ['abcd', '😀😀😀😀', '😀😀ab']) assert.deepEqual(findings(Three, long), [' too_long'], long)
  for (const short of ['a', '😀']) assert.deepEqual(findings(Three, short), [' too_short'], short)
})

test('what is listed twice is listed once, in its first place', () => {
  const values = ['b', 'a', 'b', 'c', 'a']
  assert.deepEqual(validatorOf(list(text(3), 9, distinct))(values, { country: 'IL' }), [])
  assert.deepEqual(values, ['b', 'a', 'c'])
})

test('a name in a place is escaped so that it reads back', () => {
  assert.equal(memberPlace('/x', 'a~1/b'), '/x/a~01~1b')
})

test('a key with any character changed, or of another kind, is no key', () => {
  const key = makeKey()
  assert.ok(isWellFormedKey(key))
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a'
    assert.ok(!isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1)), `character ${at}`)
  }
  for (const text of [`${key}a`, key.slice(0, -1), ` ${key}`, makeKey('it_live_')]) assert.ok(!isWellFormedKey(text))
})

test('a parameter that is empty, repeated or not UTF-8 is a fault of its own', () => {
  const read = queryReader(operations['patients.list'])
  const faultsOf = (search: string) => {
    const faults: { parameter?: string; code: string }[] = []
    read(search, faults as Parameters<typeof read>[1])
    return faults.map(({ parameter, code }) => `${parameter} ${code}`)
  }
  assert.deepEqual(faultsOf('query=&phone='), ['query empty', 'phone empty'])
  assert.deepEqual(faultsOf('query=a&phone=1&query=a&phone=2'), ['query repeated', 'phone repeated'])
  assert.deepEqual(faultsOf('query=%ff&phone=%00&%ff=1'), ['query encoding', 'phone encoding', 'query encoding'])
  assert.deepEqual(faultsOf('query=a&phone=1&&'), [])
})

test('a number that is whole with its country code is read without its +', () => {
  assert.equal(normalPhone('972501234567', 'US'), '+972501234567')
  assert.equal(normalPhone('97250123456789012345', 'US'), null)
})

test('of several further scopes a key needs every one', () => {
  const clinic = { clinic_id: 'c', time_zone: 'UTC', country: 'IL', currency: 'ILS', week_start: 0 } as const
  const grantOf = (scopes: readonly Scope[]) => {
    const principal = { key_id: 'k', clinic: { ...clinic, min_visit_minutes: 15 }, scopes, rate_limit: null }
    return Grant.authorize({ ...principal, expires_at: null }, operations['me.get'])
  }
  grantOf(allScopes).require(['chat:read', 'payments:read'])
  for (const held of ['chat:read', 'payments:read'] as const) {
    assert.throws(
      () => grantOf([held]).require(['chat:read', 'payments:read']),
      (error) => error instanceof Problem && error.members.required_scope !== held,
    )
  }
})

test('every 503 says when to come back, and every 401 how to authenticate', () => {
  assert.deepEqual(problemHeaders(new Problem('service-unavailable', 'Busy.')), { 'retry-after': '1' })
  assert.deepEqual(problemHeaders(new Problem('service-unavailable', 'Busy.', { retry_after: 7 })), {
    'retry-after': '7',
  })
  assert.deepEqual(problemHeaders(new Problem('unauthorized', 'No.')), { 'www-authenticate': 'Bearer' })
  assert.deepEqual(problemHeaders(new Problem('not-found', 'No.')), {})
})

test('a query of a dataset that the key may not see learns no name of it', () => {
  const query = { dataset: 'leads', measures: ['no_such_measure'], dimensions: ['no_such_dimension'] }
  assert.ok(checkQuery(query, () => true).length > 0)
  assert.deepEqual(
    checkQuery(query, (scope) => !scope.startsWith('leads:')),
    [],
  )
})

test('JSON for a terminal means the same and holds nothing that steers it', () => {
  const steering = [
    '\u007f',
    '\u009b',
    '\u061c',
    '\u200e',
    '\u2028',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u{e0041}',
  ]
  for (const character of steering) {
    const json = safeJson(JSON.stringify({ name: `a${character}b` }))
    assert.match(json, /^[\x20-\x7e]*$/)
    assert.deepEqual(JSON.parse(json), { name: `a${character}b` })
  }
})
