// Bad endpoints beside healthy ones, on real sockets. They hold a limited number of connections, and they do not delay other
// deliveries.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import {
  delivered,
  engine,
  happen,
  newClinic,
  newScene,
  subscribe,
  TestClock,
} from '@clinic-data/testing/grounds/ground'
import {
  answering,
  client,
  OK,
  type Received,
  type Receiver,
  receive,
} from '@clinic-data/testing/receivers/target-receiver'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { until } from '@clinic-data/testing/until'
import type { Sent } from '../src/engine/dispatcher.ts'
import { AT_ONCE, RETRIES_AT_ONCE } from '../src/engine/engine-limits.ts'
import { KEPT_PART, keptForEach } from '../src/engine/kept-places.ts'
import { MAX_AT_ONCE, OPENING_FAILURES } from '../src/subscriptions/circuit.ts'

const base = await ownGround()
const EVENTS = sized({ everyday: 12, long: 30 })
/** Healthy endpoints. */
const OTHERS = sized({ everyday: 6, long: 15 })
/** No hanging attempt times out during a test. */
const PATIENT = { connectTimeoutMs: 300_000, attemptTimeoutMs: 300_000 }

/** A receiver of one subscription, with its highest number of open connections. */
interface Endpoint {
  readonly receiver: Receiver
  mostOpen: number
}

async function endpoint(t: TestContext, behave: (received: Received) => unknown): Promise<Endpoint> {
  const made: Endpoint = {
    receiver: await receive(t, (received) => {
      made.mostOpen = Math.max(made.mostOpen, made.receiver.open)
      return behave(received)
    }),
    mostOpen: 0,
  }
  return made
}

/** Sends with the guarded client. `stored` resolves when that many outcomes of each of these subscriptions are stored. */
function deliver(t: TestContext, clock: TestClock) {
  const sender = client(t, { bounds: PATIENT })
  const counts = new Map<string, number>()
  const watches: (() => void)[] = []
  const dispatcher = engine(base, clock, {
    send: async ({ url, body, event_id }, signal): Promise<Sent> => {
      const headers = { 'content-type': 'application/json', 'x-service-event-id': event_id }
      const { retry_after: _, ...outcome } = await sender.post({ url, headers, body, signal })
      return { ...outcome, retry_after_seconds: null }
    },
    onCompleted: (outcomes) => {
      for (const { claimed } of outcomes)
        counts.set(claimed.subscription_id, (counts.get(claimed.subscription_id) ?? 0) + 1)
      for (const watch of watches) watch()
    },
  })
  const stored = async (subscription_ids: readonly string[], count: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const watch = () => subscription_ids.every((id) => (counts.get(id) ?? 0) >= count) && resolve()
    watches.push(watch)
    watch()
    await promise
  }
  return { dispatcher, sender, stored }
}

/** Events one after the other, each due a little later than the last. */
async function happenInTurn(clinic: Clinic, clock: TestClock, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await happen(base, clinic, 1, clock.now())
    clock.pass(1)
  }
}

/** Answers each request and records the events' ids in their order of arrival. */
function recording(arrived: string[]) {
  return async (received: Received) => {
    for (let number = 1; ; number++) {
      const request = await received.request(number)
      arrived.push(/^x-service-event-id: (\S+)\r$/im.exec(request)?.[1] ?? '')
      received.socket.write(OK, 'latin1')
    }
  }
}

async function trickle(received: Received): Promise<void> {
  await received.request()
  received.socket.write('H')
}

async function reset(received: Received): Promise<void> {
  await received.request()
  received.socket.resetAndDestroy()
}

/** A body that continues as long as anybody reads it. */
async function pourOut(received: Received): Promise<void> {
  await received.request()
  const { socket } = received
  const chunk = Buffer.alloc(64 * 1024, 'a')
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', pour)
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
  pour()
}

test('endpoints that hang, trickle, stall in TLS, reset or never end their answer delay no delivery of others', async (t) => {
  const { clinic, clock, deliveries } = await newScene(base)
  const arrivals = new Map<string, string[]>()
  const endpoints = new Map<string, Endpoint>()
  const place = async (id: string, behave: (received: Received) => unknown, scheme = 'http') => {
    const made = await endpoint(t, behave)
    endpoints.set(id, made)
    await subscribe(base, clinic, id, made.receiver.url('/hook', '127.0.0.1', scheme))
    return made
  }
  const hung = await place('a-hung', () => undefined)
  const trickling = await place('b-trickling', trickle)
  const stalled = await place('c-stalled', () => undefined, 'https')
  const resetting = await place('d-resetting', reset)
  const pouring = await place('e-pouring', pourOut)
  for (let i = 0; i < OTHERS; i++) {
    const arrived: string[] = []
    arrivals.set(`well-${i}`, arrived)
    await place(`well-${i}`, recording(arrived))
  }
  await happenInTurn(clinic, clock, EVENTS)
  const { dispatcher, sender, stored } = deliver(t, clock)
  dispatcher.wake(clinic.clinic_id)
  await stored([...arrivals.keys(), 'e-pouring'], EVENTS)

  // All of it while the others hang: they hold only their own.
  const rows = await deliveries()
  for (const [id, arrived] of arrivals) {
    const emitted = rows.filter(({ subscription_id }) => subscription_id === id).map(({ event_id }) => event_id)
    assert.deepEqual(arrived.toSorted(), emitted.toSorted(), 'each event once')
    for (const [place, event_id] of arrived.entries()) {
      assert.ok(emitted.indexOf(event_id) - place < MAX_AT_ONCE, 'the oldest first, but for those under way together')
    }
  }
  for (const { receiver } of [hung, trickling, stalled]) {
    await receiver.connection(keptForEach(endpoints.size))
    assert.ok(receiver.open >= keptForEach(endpoints.size))
  }
  assert.ok(resetting.receiver.connections.length < MAX_AT_ONCE + OPENING_FAILURES, 'the circuit opened')
  for (const [id, { mostOpen }] of endpoints) assert.ok(mostOpen <= MAX_AT_ONCE, `${id} had ${mostOpen} open at once`)
  const statusesOf = (id: string) =>
    new Set(rows.filter(({ subscription_id }) => subscription_id === id).map(({ status }) => status))
  for (const id of [...arrivals.keys(), 'e-pouring']) assert.deepEqual(statusesOf(id), new Set(['delivered']))
  for (const id of ['a-hung', 'b-trickling', 'c-stalled', 'd-resetting']) {
    assert.deepEqual(statusesOf(id), new Set(['pending']))
  }

  await dispatcher.stop(0)
  await sender.close()
  for (const { receiver } of [hung, trickling, stalled, pouring]) await receiver.openAtMost(0)
})

test('however many endpoints of a clinic hang, its others get what happens at once, and no place is left unused', async (t) => {
  const { clinic, clock } = await newScene(base)
  const hung = await Promise.all(Array.from({ length: 19 }, () => endpoint(t, () => undefined)))
  const well = await endpoint(t, answering(OK))
  for (const [i, { receiver }] of hung.entries()) await subscribe(base, clinic, `hung-${i}`, receiver.url())
  await happen(base, clinic, MAX_AT_ONCE, clock.now())
  const { dispatcher } = deliver(t, clock)
  dispatcher.wake(clinic.clinic_id)
  const open = () => hung.reduce((sum, { receiver }) => sum + receiver.open, 0)
  while (open() < AT_ONCE.clinic) await new Promise(setImmediate)
  assert.equal(open(), AT_ONCE.clinic)
  await dispatcher.stop(0)
  for (const { receiver } of hung) await receiver.openAtMost(0)

  await subscribe(base, clinic, 'well', well.receiver.url())
  await happen(base, clinic, EVENTS, clock.now())
  const again = deliver(t, clock)
  again.dispatcher.wake(clinic.clinic_id)
  await again.stored(['well'], EVENTS)
  assert.ok(open() > AT_ONCE.clinic / 2, `${open()} attempts hang beside`)
  assert.ok(Math.max(...hung.map(({ mostOpen }) => mostOpen)) <= MAX_AT_ONCE)
})

test('a clinic whose endpoints all hang fills its own slots, and no other clinic waits for it', async (t) => {
  const [bad, good, clock] = [await newClinic(base), await newClinic(base), new TestClock()]
  const held = await Promise.all(Array.from({ length: 10 }, () => endpoint(t, () => undefined)))
  const well = await endpoint(t, answering(OK))
  for (const [i, { receiver }] of held.entries()) await subscribe(base, bad, `hung-${i}`, receiver.url())
  await subscribe(base, good, 'well', well.receiver.url())
  await happen(base, bad, EVENTS, clock.now())
  await happen(base, good, EVENTS, clock.now())
  const { dispatcher, stored } = deliver(t, clock)
  dispatcher.wake(bad.clinic_id)
  const open = () => held.reduce((sum, { receiver }) => sum + receiver.open, 0)
  while (open() < AT_ONCE.clinic) await new Promise(setImmediate)
  dispatcher.wake(good.clinic_id)
  await stored(['well'], EVENTS)
  dispatcher.wake(bad.clinic_id)
  await happen(base, good, EVENTS, clock.now())
  dispatcher.wake(good.clinic_id)
  await stored(['well'], 2 * EVENTS)
  assert.equal(open(), AT_ONCE.clinic)
  assert.equal(well.receiver.connections.flatMap(({ requests }) => requests).length, 2 * EVENTS)
})

test('clinics whose endpoints all hang leave a clinic that has few attempts under way places of the process', async (t) => {
  const [good, clock] = [await newClinic(base), new TestClock()]
  const bad = await Promise.all(Array.from({ length: AT_ONCE.process / AT_ONCE.clinic }, () => newClinic(base)))
  const [hung, well] = [await endpoint(t, () => undefined), await endpoint(t, answering(OK))]
  for (const clinic of bad) {
    for (let i = 0; i < AT_ONCE.clinic / MAX_AT_ONCE; i++)
      await subscribe(base, clinic, `hung-${i}`, hung.receiver.url())
    await happen(base, clinic, MAX_AT_ONCE, clock.now())
  }
  await subscribe(base, good, 'well', well.receiver.url())
  await happen(base, good, EVENTS, clock.now())
  const { dispatcher, stored } = deliver(t, clock)
  for (const { clinic_id } of bad) dispatcher.wake(clinic_id)
  const most = AT_ONCE.process * (1 - KEPT_PART)
  while (hung.receiver.open < most) await new Promise(setImmediate)
  dispatcher.wake(good.clinic_id)
  await stored(['well'], EVENTS)
  for (const { clinic_id } of bad) dispatcher.wake(clinic_id)
  await happen(base, good, EVENTS, clock.now())
  dispatcher.wake(good.clinic_id)
  await stored(['well'], 2 * EVENTS)
  assert.equal(hung.receiver.open, most)
})

test('clinics whose retries hang leave another clinic places for its own', async (t) => {
  const [good, clock] = [await newScene(base, 'answers'), new TestClock()]
  const endpoints = Array.from({ length: RETRIES_AT_ONCE.clinic / 4 }, (_, n) => `hangs${n}`)
  const bad = await Promise.all(
    Array.from({ length: RETRIES_AT_ONCE.process / RETRIES_AT_ONCE.clinic }, () => newScene(base, ...endpoints)),
  )
  for (const { happen } of bad) await happen(4, clock.now())
  await good.happen(1, clock.now())
  await base.owner.query(sql`update delivery set attempt_count = 1
    where clinic_id = any(${[good, ...bad].map(({ clinic }) => clinic.clinic_id)}::text[])`)
  const held = Promise.withResolvers<Sent>()
  t.after(() => held.resolve(delivered))
  const sent: string[] = []
  const dispatcher = engine(base, clock, {
    send: ({ clinic_id }) => {
      sent.push(clinic_id)
      return clinic_id === good.clinic.clinic_id ? Promise.resolve(delivered) : held.promise
    },
  })
  const most = RETRIES_AT_ONCE.process * (1 - KEPT_PART)
  for (const { clinic } of bad) dispatcher.wake(clinic.clinic_id)
  while (sent.length < most) await new Promise(setImmediate)
  dispatcher.wake(good.clinic.clinic_id)
  await until(
    async () => sent.includes(good.clinic.clinic_id),
    () => JSON.stringify(sent),
  )
  assert.equal(sent.length, most + 1)
})
