// The audit trail: rows in order and in groups, awaited, limited, and no failure that outlives its group.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type AuditRow, Problem } from '@clinic-data/contract'
import { AuditTrail } from '../src/port/audit-trail.ts'

function row(request_id: string, clinic_id = 'north'): AuditRow {
  return {
    at: '2026-07-12T06:30:00.000Z',
    clinic_id,
    key_id: 'key_1',
    operation: 'patients.get',
    surface: 'rest',
    resource_ids: ['p1'],
    count: 1,
    status: 200,
    request_id,
    address: '192.0.2.1',
  }
}

/** A store that waits for the test before it stores. */
function setUp(options: { maxGroup?: number; maxWaiting?: number; monotonic?: () => number } = {}) {
  const stores: { ids: string[]; done: () => void; fail: (error: Error) => void }[] = []
  const trail = new AuditTrail(
    (rows) =>
      new Promise((done, fail) => {
        stores.push({ ids: rows.map(({ request_id }) => request_id), done, fail })
      }),
    options,
  )
  return { stores, trail }
}

const unavailable = (error: unknown) =>
  error instanceof Problem && error.slug === 'service-unavailable' && error.members.retry_after === 1

test('rows that come while a group is being stored leave together afterwards, in order', async () => {
  const { stores, trail } = setUp()
  const first = trail.add(row('a'))
  await setImmediate()
  const others = ['b', 'c', 'd'].map((id) => trail.add(row(id)))
  await setImmediate()
  assert.deepEqual(
    stores.map(({ ids }) => ids),
    [['a']],
  )
  stores[0]?.done()
  await first
  await setImmediate()
  assert.deepEqual(
    stores.map(({ ids }) => ids),
    [['a'], ['b', 'c', 'd']],
  )
  stores[1]?.done()
  await Promise.all(others)
})

test('rows of one turn of the event loop are one group, even the first', async () => {
  const { stores, trail } = setUp()
  const added = ['a', 'b'].map((id) => trail.add(row(id)))
  await setImmediate()
  assert.deepEqual(
    stores.map(({ ids }) => ids),
    [['a', 'b']],
  )
  stores[0]?.done()
  await Promise.all(added)
})

test('a row is not done before it is stored', async () => {
  const { stores, trail } = setUp()
  let done = false
  const added = trail.add(row('a')).then(() => {
    done = true
  })
  await setImmediate()
  assert.equal(done, false)
  stores[0]?.done()
  await added
})

test('no group exceeds the limit', async () => {
  const { stores, trail } = setUp({ maxGroup: 2 })
  const added = ['a', 'b', 'c', 'd', 'e'].map((id) => trail.add(row(id)))
  for (let stored = 0; stored < 3; stored++) {
    await setImmediate()
    stores[stored]?.done()
  }
  await Promise.all(added)
  assert.deepEqual(
    stores.map(({ ids }) => ids),
    [['a', 'b'], ['c', 'd'], ['e']],
  )
})

test('a group that could not be stored fails only its own requests, with 503', async () => {
  const { stores, trail } = setUp()
  const failing = [trail.add(row('a')), trail.add(row('b'))]
  await setImmediate()
  const later = trail.add(row('c'))
  stores[0]?.fail(new Error('disk full at /var/lib'))
  for (const request of failing) {
    await assert.rejects(request, (error) => unavailable(error) && !(error as Problem).message.includes('disk'))
  }
  await setImmediate()
  stores[1]?.done()
  await later
  const last = trail.add(row('d'))
  await setImmediate()
  stores[2]?.done()
  await last
})

test('a clinic whose rows cannot be stored gets 503 alone, and the rows of the others are stored', async () => {
  const stored: string[] = []
  const trail = new AuditTrail(async (rows) => {
    if (rows.some(({ clinic_id }) => clinic_id === 'south')) throw new Error('the machine of the shard does not answer')
    stored.push(...rows.map(({ request_id }) => request_id))
  })
  const added = [row('a'), row('b', 'south'), row('c', 'west'), row('d')].map((one) => trail.add(one))
  await assert.rejects(added[1] ?? Promise.resolve(), unavailable)
  await Promise.all([added[0], added[2], added[3]])
  assert.deepEqual(stored.toSorted(), ['a', 'c', 'd'])
})

test('when too many rows wait the next request gets 503 until there is room again', async () => {
  const { stores, trail } = setUp({ maxWaiting: 2 })
  const added = [trail.add(row('a'))]
  await setImmediate()
  added.push(trail.add(row('b')), trail.add(row('c')))
  await assert.rejects(trail.add(row('d')), unavailable)
  stores[0]?.done()
  await setImmediate()
  added.push(trail.add(row('e')))
  await setImmediate()
  stores[1]?.done()
  await setImmediate()
  stores[2]?.done()
  await Promise.all(added)
  assert.deepEqual(
    stores.map(({ ids }) => ids),
    [['a'], ['b', 'c'], ['e']],
  )
})

test('draining ends when every row is stored or has failed', async () => {
  const { stores, trail } = setUp({ maxGroup: 1 })
  await trail.drain()
  const added = [trail.add(row('a')), trail.add(row('b'))]
  const outcomes = Promise.allSettled(added)
  let drained = false
  const draining = trail.drain().then(() => {
    drained = true
  })
  await setImmediate()
  stores[0]?.fail(new Error('gone'))
  await setImmediate()
  assert.equal(drained, false)
  stores[1]?.done()
  await draining
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})

test('rows that are given up, stored or waiting, are refused and named, and hold up no draining', async () => {
  const { stores, trail } = setUp({ maxGroup: 1 })
  const stored = trail.add(row('a'))
  await setImmediate()
  stores[0]?.done()
  await stored
  const added = Promise.allSettled([trail.add(row('b')), trail.add(row('c', 'south'))])
  const draining = trail.drain()
  await setImmediate()
  assert.deepEqual(trail.giveUp(), ['b', 'c'])
  await draining
  assert.deepEqual(
    (await added).map((one) => one.status === 'rejected' && unavailable(one.reason)),
    [true, true],
  )
  await assert.rejects(trail.add(row('d')), unavailable)
  assert.equal(trail.waitingRows, 0)
})

test('it fails for five seconds after no row of a group could be stored, or until one is', async () => {
  let ms = 0
  const { stores, trail } = setUp({ monotonic: () => ms })
  const outcome = async (store: (taken: (typeof stores)[number]) => void, ...rows: AuditRow[]) => {
    const added = Promise.allSettled(rows.map((one) => trail.add(one)))
    let handled = false
    added.then(() => (handled = true))
    while (!handled) {
      for (const taken of stores.splice(0)) store(taken)
      await setImmediate()
    }
    return trail.isFailing
  }
  const fails = ({ fail }: (typeof stores)[number]) => fail(new Error('the disk is full'))
  assert.equal(await outcome(({ done }) => done(), row('a')), false)
  assert.equal(await outcome(fails, row('b')), true)
  assert.equal(await outcome(({ done }) => done(), row('c')), false)
  assert.equal(await outcome(fails, row('d'), row('e', 'south')), true)
  ms += 4_999
  assert.equal(trail.isFailing, true)
  ms += 1
  assert.equal(trail.isFailing, false)
  const southFails = ({ ids, done, fail }: (typeof stores)[number]) =>
    ids.includes('g') ? fail(new Error('its machine is away')) : done()
  assert.equal(await outcome(southFails, row('f'), row('g', 'south')), false, 'another clinic is still served')
})
