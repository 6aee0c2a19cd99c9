// Deleting a subscription while its deliveries are on their way: after the answer no request to it starts, whenever the deletion
// comes, and however many dispatchers there are.
import assert from 'node:assert/strict'
import { subscribe as subscribeTo, unsubscribe } from 'node:diagnostics_channel'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { recordDeliveries } from '@clinic-data/audit/delivery-rows'
import type { Clinic } from '@clinic-data/contract'
import { Database } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { deliveriesOf, happen, newClinic } from '@clinic-data/testing/grounds/ground'
import { EventReceiver } from '@clinic-data/testing/receivers/crash-receiver'
import { LOOPBACK } from '@clinic-data/testing/receivers/target-receiver'
import { asApplication } from '@clinic-data/testing/run/application'
import { keys, ownGround, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { START_WINDOW_MS } from '@clinic-data/webhooks/engine/engine-limits'
import { TargetClient, type TargetClientOptions } from '@clinic-data/webhooks/receiver/target-client'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { WebhookEngine } from '@clinic-data/webhooks/webhook-engine'
import { createBackend } from '../src/backend.ts'
import * as schema from '../src/migrations.ts'

const ROUNDS = sized({ everyday: 8, long: 50 })
const EVENTS = 24

const base = await ownGround(schema)
const receiver = await new EventReceiver().listen()

/** When a request was last written, by path, as the HTTP client reports it. */
const writtenAt = new Map<string, number>()
const onWritten = (message: unknown) => {
  const { request } = message as { request: { path: string } }
  writtenAt.set(request.path, performance.now())
}
subscribeTo('undici:client:sendHeaders', onWritten)
after(() => unsubscribe('undici:client:sendHeaders', onWritten))

const log = { warn: () => undefined, error: (_: object, line: string) => assert.fail(line) }

function running(t: TestContext, options: TargetClientOptions = {}, database = base.app): WebhookEngine {
  const client = new TargetClient({ allowCidrs: LOOPBACK, ...options })
  const engine = new WebhookEngine({ database, keys, client, record: recordDeliveries(database), log })
  engine.start()
  t.after(() => engine.stop())
  return engine
}

/** A process's backend, and its action when a subscription has ended. */
function deleter(onSubscriptionEnded: (clinic_id: string, id: string) => Promise<void>) {
  const backend = createBackend({ database: base.app, now: () => new Date(), log, onSubscriptionEnded })
  return async (clinic: Clinic, id: string) => {
    await ask(backend, clinic, 'webhooks.delete', { params: { id } })
    return performance.now()
  }
}

interface Round {
  path: string
  answeredAt: number
  arrived: number
}

/** Emits events. Deletes the subscription after some have arrived: in each round after another number. */
async function round(
  number: number,
  engines: readonly WebhookEngine[],
  remove: (clinic: Clinic, id: string) => Promise<number>,
): Promise<Round> {
  const clinic = await newClinic(base)
  const path = `/${clinic.clinic_id}`
  await subscribeSigned(base, clinic, 'going', receiver.url(path))
  await happen(base, clinic, EVENTS, new Date())
  for (const engine of engines) engine.wake(clinic.clinic_id)
  const seen = (number * 7) % EVENTS
  const ofPath = () => receiver.arrivals.filter((arrival) => arrival.path === path).length
  await receiver.until(() => ofPath() >= seen)
  const answeredAt = await remove(clinic, 'going')
  return { path, answeredAt, arrived: ofPath() }
}

async function assertNoneAfter(t: TestContext, rounds: readonly Round[], engines: readonly WebhookEngine[]) {
  // An engine that stops lets what it has begun end.
  for (const engine of engines) await engine.stop()
  let cut = 0
  for (const { path, answeredAt, arrived } of rounds) {
    const last = writtenAt.get(path) ?? 0
    assert.ok(last <= answeredAt, `a request was written ${last - answeredAt} ms after the answer`)
    if (arrived > 0) assert.ok(last > 0, 'the requests are seen')
    if (arrived < EVENTS) cut += 1
  }
  assert.ok(cut > rounds.length / 4, `${cut} deletions came before the last event`)
  t.diagnostic(`${rounds.length} deletions, ${cut} before the last event`)
}

test('no request starts after the answer to DELETE, in one process, which answers at once', async (t) => {
  const engine = running(t)
  const remove = deleter(async (clinic_id, id) => engine.end(clinic_id, id))
  const rounds: Round[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round(i, [engine], remove))
  await assertNoneAfter(t, rounds, [engine])
})

test('no request starts after the answer to DELETE, with two dispatchers beside the process that answers', async (t) => {
  const engines = [running(t), running(t)]
  const remove = deleter(() => delay(START_WINDOW_MS))
  const rounds = await Promise.all(Array.from({ length: ROUNDS }, (_, i) => round(i, engines, remove)))
  await assertNoneAfter(t, rounds, engines)
})

async function newReceivingClinic(host = '127.0.0.1'): Promise<Clinic> {
  const clinic = await newClinic(base)
  const url = receiver.url(`/${clinic.clinic_id}`).replace('127.0.0.1', host)
  await subscribeSigned(base, clinic, 'going', url)
  return clinic
}

/** Resolves when the engine has sent a later event, of this clinic. */
async function sendsFor(engine: WebhookEngine, clinic: Clinic): Promise<void> {
  const path = `/${clinic.clinic_id}`
  await happen(base, clinic, 1, new Date())
  engine.wake(clinic.clinic_id)
  await receiver.until(() => receiver.arrivals.some((arrival) => arrival.path === path))
}

/** A claim whose answer arrives late. */
class LateClaims extends Database {
  readonly claimed = Promise.withResolvers<void>()
  readonly answer = Promise.withResolvers<void>()

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const done = await super.write(...args)
    if (typeof done !== 'object' || done === null || !('claimed' in done)) return done
    this.claimed.resolve()
    await this.answer.promise
    return done
  }
}

test('a claim that was committed before the deletion and answered after it sends nothing', async (t) => {
  const late = await new LateClaims(asApplication(base.url)).open()
  const clinic = await newReceivingClinic()
  const path = `/${clinic.clinic_id}`
  await happen(base, clinic, 5, new Date())
  const engine = running(t, {}, late)
  await late.claimed.promise
  await deleter(async (clinic_id, id) => engine.end(clinic_id, id))(clinic, 'going')
  late.answer.resolve()
  await sendsFor(engine, await newReceivingClinic())
  await engine.stop()
  await late.close()
  assert.equal(writtenAt.has(path), false)
})

/** A receiver's name whose look-up ends when the test says so. */
function slowName() {
  const found = Promise.withResolvers<void>()
  let askers = 0
  const resolveName = async () => {
    askers += 1
    await found.promise
    return ['127.0.0.1']
  }
  /** Resolves when the name was looked up this often. */
  const untilAsked = async (times = 1) => {
    while (askers < times) await new Promise(setImmediate)
  }
  return { untilAsked, find: () => found.resolve(), resolveName }
}

async function namedSubscription(): Promise<{ clinic: Clinic; path: string }> {
  const clinic = await newReceivingClinic('localhost')
  await happen(base, clinic, 1, new Date())
  return { clinic, path: `/${clinic.clinic_id}` }
}

test('an attempt whose connection takes longer than the window is made while its subscription exists, and not written once it is deleted elsewhere', async (t) => {
  const { untilAsked, find, resolveName } = slowName()
  const [gone, kept] = [await namedSubscription(), await namedSubscription()]
  const engine = running(t, { resolveName })
  await untilAsked(2)
  await deleter(() => delay(START_WINDOW_MS + START_WINDOW_MS / 2))(gone.clinic, 'going')
  find()
  await receiver.until(() => receiver.arrivals.some(({ path }) => path === kept.path))
  await engine.stop()
  assert.equal(writtenAt.has(gone.path), false)
  assert.deepEqual(
    (await deliveriesOf(base, kept.clinic)).map(({ status, attempt_count }) => [status, attempt_count]),
    [['delivered', 1]],
  )
})

test('dispatchers of other processes learn of a deletion', async (t) => {
  const { untilAsked, find, resolveName } = slowName()
  const { clinic, path } = await namedSubscription()
  const engine = running(t, { resolveName })
  const heard = Promise.withResolvers<void>()
  const wakeUp = new WakeUp(base.app)
  wakeUp.hear({
    wake: () => undefined,
    end: (clinic_id, id) => {
      engine.end(clinic_id, id)
      heard.resolve()
    },
  })
  await untilAsked()
  await deleter(async (clinic_id, id) => {
    // A dispatcher that does not listen yet does not hear it.
    const again = setInterval(() => void wakeUp.tellEnded(clinic_id, id), 50)
    await heard.promise
    clearInterval(again)
  })(clinic, 'going')
  find()
  await engine.stop()
  assert.equal(writtenAt.has(path), false)
})
