// A lane counts the deliveries that are held of it: no place is lost, and none is given twice, whatever becomes of their holders.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEAST_RETENTION_DAYS } from '@clinic-data/contract/limits'
import { sql } from '@clinic-data/database'
import { delivered, newScene } from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { type Claimed, claimDue } from '../src/engine/claim.ts'
import { complete } from '../src/engine/complete.ts'
import { releaseAllLeases, releaseLeases } from '../src/engine/release-leases.ts'
import { maintainEvents } from '../src/events/maintain-events.ts'
import { MAX_AT_ONCE } from '../src/subscriptions/circuit.ts'
import { LEASE_MS } from '../src/subscriptions/leases.ts'

const base = await ownGround()

/** A subscription with many due deliveries, and workers that claim them. */
async function busyScene() {
  const { clinic, clock, happen } = await newScene(base, 'one')
  await happen(5 * MAX_AT_ONCE)
  const { clinic_id } = clinic
  return {
    clinic_id,
    clock,
    claim: async (lease_id: string): Promise<readonly Claimed[]> =>
      (await claimDue(base.app, { clinic_id, most: 64, retries: 64, lease_id, now: clock.now() })).claimed,
    store: (claimed: readonly Claimed[]) => {
      const outcomes = claimed.map((one) => ({ claimed: one, started_at: clock.now(), ...delivered }))
      return complete(base.app, clinic_id, outcomes, { now: clock.now(), random: () => 0 })
    },
    giveBack: (claimed: readonly Claimed[]) => {
      const unsent = claimed.map((one) => ({ claimed: one, unstarted: true as const }))
      return complete(base.app, clinic_id, unsent, { now: clock.now(), random: () => 0 })
    },
  }
}

test('an outcome that is stored again, because its answer was lost, frees no second place', async () => {
  const { claim, store } = await busyScene()
  const held = await claim('a')
  assert.equal(held.length, MAX_AT_ONCE)
  const some = held.slice(0, 3)
  await store(some)
  assert.equal((await store(some)).stale, 3)
  assert.equal((await claim('b')).length, 3)
})

test('deliveries that come back unsent free their places at once, and their second return frees none', async () => {
  const { claim, giveBack } = await busyScene()
  const held = await claim('a')
  await giveBack(held.slice(0, 2))
  await giveBack(held.slice(0, 2))
  assert.equal((await claim('b')).length, 2)
  assert.equal((await claim('c')).length, 0)
})

test('what a dead worker holds takes its places until its leases end, and its late outcomes free none', async () => {
  const { claim, store, clock } = await busyScene()
  const lost = await claim('a worker that has died')
  clock.pass(LEASE_MS - 1)
  assert.equal((await claim('b')).length, 0)
  clock.pass(1)
  assert.equal((await claim('c')).length, MAX_AT_ONCE)
  assert.equal((await store(lost)).stale, MAX_AT_ONCE)
  assert.equal((await claim('d')).length, 0)
})

test('a claim whose answer was lost gives back its places alone', async () => {
  const { claim, store, clinic_id } = await busyScene()
  const held = await claim('a')
  await store(held.slice(0, 5))
  assert.equal((await claim('lost')).length, 5)
  assert.equal(await releaseLeases(base.app, clinic_id, ['lost']), true)
  assert.equal((await claim('c')).length, 5)
})

test('after a restart of the only dispatcher all places are free', async () => {
  const { claim } = await busyScene()
  await claim('a')
  await releaseAllLeases(base.app)
  assert.equal((await claim('b')).length, MAX_AT_ONCE)
})

// PostgreSQL spares a row's indexes if none of them names what has changed, and its page has room for the next version.
test('a claim takes no new entry in an index: none names a lease, and every day’s pages have room', async () => {
  const { rows: indexes } = await base.owner.query<{ definition: string }>(sql`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'delivery'::regclass`)
  assert.ok(indexes.length > 0 && indexes.every(({ definition }) => !definition.includes('lease')))
  await maintainEvents(base.owner, LEAST_RETENTION_DAYS)
  const { rows: days } = await base.owner.query<{ name: string; options: string[] | null }>(sql`
    select relname as name, reloptions as options from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'delivery'::regclass`)
  assert.ok(days.length > 1)
  for (const { name, options } of days) assert.deepEqual(options, ['fillfactor=70'], name)
})

test('the places of several claims are released together', async () => {
  const { clinic_id, claim, giveBack } = await busyScene()
  const held = await claim('a')
  await giveBack(held.slice(0, 2))
  assert.equal((await claim('b')).length, 2)
  assert.equal(await releaseLeases(base.app, clinic_id, ['a', 'b']), true)
  assert.equal((await claim('c')).length, MAX_AT_ONCE)
})
