// The key cache: its guarantees on time, sharing and size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '@clinic-data/contract'
import { KeyCache } from '../src/authentication/key-cache.ts'
import { principal } from './remote-backend.ts'

/** A store of keys that a test answers by hand, and both clocks. */
function setUp(options: { maxKeys?: number } = {}) {
  const clock = { monotonic: 0, now: Date.parse('2026-07-12T00:00:00Z') }
  const lookUps: { hash: string; answer: (answer: Principal | null) => void; fail: (error: Error) => void }[] = []
  const cache = new KeyCache((hash) => new Promise((answer, fail) => lookUps.push({ hash, answer, fail })), {
    ...options,
    monotonic: () => clock.monotonic,
    now: () => clock.now,
  })
  const learn = async (hash: string, answer: Principal | null) => {
    const found = cache.find(hash)
    lookUps.at(-1)?.answer(answer)
    return await found
  }
  return { clock, lookUps, cache, learn }
}

test('a known key is found at once, without asking again', async () => {
  const { cache, lookUps, learn } = setUp()
  assert.equal(await learn('a', principal), principal)
  assert.equal(cache.find('a'), principal)
  assert.equal(lookUps.length, 1)
})

test('an answer is used for one second from the moment of asking, not of answering', async () => {
  const { cache, clock, lookUps } = setUp()
  const found = cache.find('a')
  clock.monotonic = 700
  lookUps[0]?.answer(principal)
  await found
  clock.monotonic = 999.9
  assert.equal(cache.find('a'), principal)
  clock.monotonic = 1000
  assert.ok(cache.find('a') instanceof Promise)
  assert.equal(lookUps.length, 2)
})

test('an answer that took longer than its lifetime is not kept', async () => {
  const { cache, clock, lookUps } = setUp()
  const found = cache.find('a')
  clock.monotonic = 1500
  lookUps[0]?.answer(principal)
  await found
  assert.ok(cache.find('a') instanceof Promise)
})

test('a request that arrives a second after a look-up began does not share it, because its answer may be older than a revocation', async () => {
  const { cache, clock, lookUps } = setUp()
  const early = cache.find('a')
  clock.monotonic = 1000
  const late = cache.find('a')
  assert.equal(lookUps.length, 2)
  lookUps[1]?.answer(null)
  lookUps[0]?.answer(principal)
  assert.equal(await early, principal)
  assert.equal(await late, null)
  assert.ok(cache.find('a') instanceof Promise, 'the old answer did not take the place of the new one')
})

test('a late answer that a key does not exist does not replace a newer answer', async () => {
  const { cache, clock, lookUps } = setUp()
  const early = cache.find('a')
  clock.monotonic = 1000
  const late = cache.find('a')
  lookUps[1]?.answer(principal)
  assert.equal(await late, principal)
  lookUps[0]?.answer(null)
  assert.equal(await early, null)
  assert.equal(cache.find('a'), principal)
})

test('setting the wall clock back does not lengthen the second', async () => {
  const { cache, clock, learn } = setUp()
  await learn('a', principal)
  clock.now -= 3_600_000
  clock.monotonic = 1000
  assert.ok(cache.find('a') instanceof Promise)
})

test('a cached key is refused from the instant it expires', async () => {
  const { cache, clock, learn } = setUp()
  const expiring = { ...principal, expires_at: clock.now + 500 }
  await learn('a', expiring)
  clock.now += 499
  assert.equal(cache.find('a'), expiring)
  clock.now += 1
  assert.equal(cache.find('a'), null)
})

test('a key that expires while the backend is asked is refused', async () => {
  const { cache, clock, lookUps } = setUp()
  const found = cache.find('a')
  clock.now += 10
  lookUps[0]?.answer({ ...principal, expires_at: clock.now })
  assert.equal(await found, null)
})

test('simultaneous requests with one key ask once', async () => {
  const { cache, lookUps } = setUp()
  const found = [cache.find('a'), cache.find('a'), cache.find('a')]
  lookUps[0]?.answer(principal)
  assert.deepEqual(await Promise.all(found), [principal, principal, principal])
  assert.equal(lookUps.length, 1)
})

test('an unknown key is asked for each time, so a new key works at once', async () => {
  const { learn } = setUp()
  assert.equal(await learn('a', null), null)
  assert.equal(await learn('a', principal), principal)
})

test('a failure reaches all who waited, and the next request asks again', async () => {
  const { cache, lookUps, learn } = setUp()
  const found = [cache.find('a'), cache.find('a')]
  lookUps[0]?.fail(new Error('no backend'))
  for (const asker of found) await assert.rejects(async () => asker, /no backend/)
  assert.equal(await learn('a', principal), principal)
})

test('a key counts as valid from the first positive answer to the first negative one', async () => {
  const { cache, clock, lookUps, learn } = setUp()
  assert.equal(cache.knows('a'), false)
  const found = cache.find('a')
  assert.equal(cache.knows('a'), false, 'nobody has said so yet')
  lookUps[0]?.answer(principal)
  await found
  clock.monotonic = 5000
  assert.equal(cache.knows('a'), true)
  const again = cache.find('a')
  assert.equal(cache.knows('a'), true, 'while it is looked up again')
  lookUps[1]?.answer(null)
  await again
  assert.equal(cache.knows('a'), false)
  await learn('b', null)
  assert.equal(cache.knows('b'), false)
})

test('the number of kept keys is limited, and the one asked for longest ago is removed', async () => {
  const { cache, learn } = setUp({ maxKeys: 2 })
  for (const hash of ['a', 'b', 'c']) await learn(hash, principal)
  assert.equal(cache.find('b'), principal)
  assert.equal(cache.find('c'), principal)
  assert.ok(cache.find('a') instanceof Promise)
})

test('a key that was asked for again counts from then', async () => {
  const { cache, clock, learn } = setUp({ maxKeys: 2 })
  await learn('a', principal)
  clock.monotonic = 500
  await learn('b', principal)
  clock.monotonic = 1000
  await learn('a', principal)
  await learn('c', principal)
  assert.equal(cache.find('a'), principal)
  assert.ok(cache.find('b') instanceof Promise)
})
