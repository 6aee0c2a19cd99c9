// Fingerprints of secret keys: they tell which keys differ, and no key.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { differingKeys, keyFingerprints } from '../src/port/key-fingerprints.ts'
import { parseSecretKeys } from '../src/values/secret-keys.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [a, b, otherA, otherB] = [entry('a'), entry('b'), entry('a'), entry('b')]
const printed = (...entries: string[]) => keyFingerprints(parseSecretKeys(entries.join(',')))
const differing = (own: string[], others: string[]) => differingKeys(printed(...own), printed(...others))

test('keys differ where one side does not accept what the other signs, or has another key by the same id', () => {
  assert.deepEqual(differing([a], [otherA]), ['a'])
  assert.deepEqual(differing([a], [b]), ['a', 'b'])
  assert.deepEqual(differing([b, a], [a]), ['b'])
  assert.deepEqual(differing([a], [b, a]), ['b'])
  assert.deepEqual(differing([a, b], [a, otherB]), ['b'])
})

test('in no step of a rotation do the keys of two processes differ', () => {
  const steps = [[a], [a, b], [b, a], [b]]
  for (const [n, step] of steps.entries()) {
    assert.deepEqual(differing(step, step), [])
    const next = steps[n + 1] ?? step
    assert.deepEqual([differing(step, next), differing(next, step)], [[], []])
  }
})

test('a fingerprint is the same for the same key alone, and has nothing of it', () => {
  assert.equal(printed(a, b), printed(a, b))
  const [, key = ''] = a.split(':')
  const bytes = Buffer.from(key, 'base64')
  const [, fingerprint = ''] = printed(a).split('=')
  assert.match(fingerprint, /^[0-9a-f]{32}$/)
  for (let n = 0; n + 4 <= bytes.length; n++)
    assert.ok(!fingerprint.includes(bytes.subarray(n, n + 4).toString('hex')), 'no four bytes of the key')
})
