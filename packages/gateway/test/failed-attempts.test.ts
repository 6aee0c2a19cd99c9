// The count of addresses that send requests without a valid key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBlock, wideBlock } from '@clinic-data/contract/address-block'
import { FailedAttempts } from '../src/limits/failed-attempts.ts'

test('sixty failures a minute get 401, and the next ones get a time to wait', () => {
  let now = 0
  const failed = new FailedAttempts({ monotonic: () => now })
  for (let n = 0; n < 60; n++) {
    assert.equal(failed.fail('192.0.2.1'), null)
    now += 500
  }
  assert.equal(failed.fail('192.0.2.1'), 30)
  assert.equal(failed.fail('192.0.2.2'), null, 'another address')
  now += 30_000
  assert.equal(failed.fail('192.0.2.1'), null)
  assert.equal(failed.fail('192.0.2.1'), 1)
})

test('failures and running look-ups together exhaust an address', async () => {
  let now = 0
  const failed = new FailedAttempts({ limit: 2, monotonic: () => now })
  failed.fail('2001:db8::1')
  assert.equal(failed.isExhausted('2001:db8::2'), false)
  let end = () => {}
  const lookup = failed.during('2001:db8::2', () => new Promise<void>((resolve) => (end = resolve)))
  assert.equal(failed.isExhausted('2001:db8::3'), true)
  assert.equal(failed.isExhausted('192.0.2.1'), false)
  end()
  await lookup
  assert.equal(failed.isExhausted('2001:db8::1'), false)
  await assert.rejects(failed.during('2001:db8::1', () => Promise.reject(new Error('no backend'))))
  assert.equal(failed.isExhausted('2001:db8::1'), false, 'a lookup without an answer is no failure')
  failed.fail('2001:db8::1')
  assert.equal(failed.isExhausted('2001:db8::1'), true)
  now += 60_000
  assert.equal(failed.isExhausted('2001:db8::1'), false)
})

test('a client cannot escape the count by moving within its /64', () => {
  const failed = new FailedAttempts({ limit: 2, monotonic: () => 0 })
  assert.equal(failed.fail('2001:db8::1'), null)
  assert.equal(failed.fail('2001:db8::ffff:2'), null)
  assert.notEqual(failed.fail('2001:db8:0:0:1:2:3:4'), null)
  assert.equal(failed.fail('2001:db8:0:1::1'), null, 'the next /64')
})

test('a client cannot escape the count by moving within its /48, and one of its blocks alone exhausts no other', () => {
  const failed = new FailedAttempts({ limit: 2, monotonic: () => 0 })
  for (let n = 0; n < 20; n++) failed.fail('2001:db8:0:1::1')
  assert.equal(failed.isExhausted('2001:db8:0:2::1'), false)
  for (const block of [2, 3, 4]) for (let n = 0; n < 2; n++) assert.equal(failed.fail(`2001:db8:0:${block}::1`), null)
  assert.equal(failed.isExhausted('2001:db8:0:5::1'), true)
  assert.notEqual(failed.fail('2001:db8:0:6::1'), null)
  assert.equal(failed.fail('2001:db8:1:5::1'), null, 'the next /48')
})

test('an address is counted by its /64 in any spelling', () => {
  for (const [address, block] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['::1:2:3:4:5:6:7', '0:1:2:3'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['', ''],
  ] as const) {
    assert.equal(addressBlock(address), block, address)
  }
  assert.equal(wideBlock('2001:db8:1:2::3'), '2001:db8:1')
  assert.equal(wideBlock('192.0.2.1'), '192.0.2.1')
})
