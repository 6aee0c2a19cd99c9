// Several dispatchers that wake at random: the number of attempts at once, and the end of each delivery in any order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clinic } from '@clinic-data/contract'
import { Database, sql } from '@clinic-data/database'
import {
  delivered,
  deliveriesOf,
  engine,
  happen,
  newClinic,
  refused,
  subscribe,
  TestClock,
} from '@clinic-data/testing/grounds/ground'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import fc from 'fast-check'
import { type Claimed, claimDue } from '../src/engine/claim.ts'
import type { Sent } from '../src/engine/dispatcher.ts'
import { AT_ONCE } from '../src/engine/engine-limits.ts'
import { releaseLeases } from '../src/engine/release-leases.ts'
import { STEPS_MS } from '../src/engine/retry-schedule.ts'
import { MAX_AT_ONCE } from '../src/subscriptions/circuit.ts'

const base = await ownGround()
const WORLDS = sized({ everyday: 2, long: 40 })
const CLAIMS = sized({ everyday: 12, long: 500 })

/** Others have their turn this often. */
async function turns(count = 0): Promise<void> {
  for (let i = 0; i < count; i++) await turn()
}

/** Counts attempts under way by name and keeps the highest count. */
class Active {
  readonly #now = new Map<string, number>()
  readonly most = new Map<string, number>()

  enter(name: string): number {
    const count = (this.#now.get(name) ?? 0) + 1
    this.#now.set(name, count)
    this.most.set(name, Math.max(count, this.most.get(name) ?? 0))
    return count
  }

  leave(name: string): void {
    this.#now.set(name, (this.#now.get(name) ?? 0) - 1)
  }
}

interface World {
  clinics: { subscriptions: number; events: number }[]
  dispatchers: number
  /** Whether each attempt fails or takes long, repeated in a circle. */
  failures: boolean[]
  turns: number[]
}

const world: fc.Arbitrary<World> = fc.record({
  clinics: fc.array(
    fc.record({ subscriptions: fc.integer({ min: 1, max: 8 }), events: fc.integer({ min: 1, max: 20 }) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  dispatchers: fc.integer({ min: 2, max: 3 }),
  failures: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
  turns: fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }),
})

interface Report {
  key: string
  at: number
  isDelivered: boolean
}

async function run({ clinics, dispatchers: count, failures, turns: lengths }: World): Promise<void> {
  const clock = new TestClock()
  const active = new Active()
  const reports: Report[] = []
  let attempts = 0
  const made: Clinic[] = []
  for (const { subscriptions, events } of clinics) {
    const clinic = await newClinic(base)
    for (let i = 0; i < subscriptions; i++) await subscribe(base, clinic, `s${i}`)
    await happen(base, clinic, events, clock.now())
    made.push(clinic)
  }
  const sender =
    (dispatcher: number) =>
    async (claimed: Claimed): Promise<Sent> => {
      const { clinic_id, subscription_id, event_id, attempt_count } = claimed
      const key = `${clinic_id} ${subscription_id} ${event_id}`
      const names = [key, `${clinic_id} ${subscription_id}`, `${dispatcher} ${clinic_id}`, `process ${dispatcher}`]
      const [of, lane, clinic, all] = names.map((name) => active.enter(name))
      assert.equal(of, 1, 'never two attempts of one delivery')
      assert.ok((lane ?? 0) <= MAX_AT_ONCE, `${lane} of one subscription`)
      assert.ok((clinic ?? 0) <= AT_ONCE.clinic, `${clinic} of one clinic`)
      assert.ok((all ?? 0) <= AT_ONCE.process, `${all} of one process`)
      attempts += 1
      const number = attempts
      await turns(lengths[number % lengths.length])
      // The last ones fail for good. The others are delivered in the end.
      const isDelivered = !(failures[number % failures.length] && attempt_count < 4) && !event_id.endsWith('0')
      reports.push({ key, at: clock.now().getTime(), isDelivered })
      for (const name of names) active.leave(name)
      return isDelivered ? delivered : refused
    }
  const problems: string[] = []
  const log = {
    warn: (detail: object, line: string) => void problems.push(`${line} ${String((detail as { err?: unknown }).err)}`),
    error: (detail: object, line: string) => void problems.push(`${line} ${String((detail as { err?: unknown }).err)}`),
  }
  const all = Array.from({ length: count }, (_, i) => engine(base, clock, { send: sender(i), log }))
  for (let rounds = 0; rounds < 600; rounds++) {
    for (const [i, dispatcher] of all.entries()) {
      for (const { clinic_id } of made) {
        dispatcher.wake(clinic_id)
        if ((rounds + i) % 2 === 0) await turns(lengths[rounds % lengths.length])
      }
    }
    await Promise.all(all.map((dispatcher) => dispatcher.idle()))
    assert.deepEqual(problems, [])
    const next = await nextDue(made)
    if (next === null) break
    clock.reach(next)
  }
  const rows = (
    await Promise.all(made.map(async (clinic) => ({ clinic, rows: await deliveriesOf(base, clinic) })))
  ).flatMap(({ clinic, rows }) => rows.map((row) => ({ clinic_id: clinic.clinic_id, ...row })))
  const byKey = Map.groupBy(reports, ({ key }) => key)
  for (const { clinic_id, subscription_id, event_id, status, attempt_count } of rows) {
    const own = byKey.get(`${clinic_id} ${subscription_id} ${event_id}`) ?? []
    assert.equal(own.length, attempt_count)
    assert.ok(attempt_count <= STEPS_MS.length)
    assert.ok(
      own.slice(0, -1).every(({ isDelivered }) => !isDelivered),
      'nothing is sent after a 2xx',
    )
    if (status === 'delivered') assert.equal(own.at(-1)?.isDelivered, true)
    else assert.deepEqual([status, attempt_count, own.at(-1)?.isDelivered], ['failed', STEPS_MS.length, false])
  }
  assert.equal(
    rows.length,
    clinics.reduce((sum, { subscriptions, events }) => sum + subscriptions * events, 0),
  )
}

async function nextDue(clinics: readonly Clinic[]): Promise<Date | null> {
  const { rows } = await base.owner.query<{ next: string | null }>(sql`
    select (extract(epoch from min(greatest(d.due_at, lane.probe_at))) * 1000)::float8 as next
    from delivery d join lane using (clinic_id, subscription_id)
    where d.clinic_id = any(${clinics.map(({ clinic_id }) => clinic_id)}::text[]) and d.status = 'pending'`)
  const next = rows[0]?.next ?? null
  return next === null ? null : new Date(Number(next))
}

test('in any order of wake-ups, one dispatcher at a time attempts a delivery, a subscription gets at most 8 attempts at once, and each delivery ends by the table', async () => {
  await fc.assert(fc.asyncProperty(world, run), { numRuns: WORLDS, endOnFailure: true })
})

test('rapid claims leave no subscription with more than 8 attempts', async () => {
  const [clinic, now] = [await newClinic(base), new TestClock().now()]
  const { clinic_id } = clinic
  for (let i = 0; i < 40; i++) await subscribe(base, clinic, `s${i}`)
  await happen(base, clinic, 40, now)
  let most = 0
  const claimer = async (name: number) => {
    for (let n = 0; n < CLAIMS; n++) {
      const lease_id = `${name} ${n}`
      const { claimed } = await claimDue(base.app, { clinic_id, most: 1_000, retries: 64, lease_id, now })
      if (claimed.length === 0) continue
      const { rows } = await base.owner.query<{ held: number }>(sql`
        select count(*)::int as held from delivery where clinic_id = ${clinic_id} and lease_until is not null
        group by subscription_id order by 1 desc limit 1`)
      most = Math.max(most, rows[0]?.held ?? 0)
      await releaseLeases(base.app, clinic_id, [lease_id])
    }
  }
  await Promise.all([1, 2, 3].map(claimer))
  assert.equal(most, MAX_AT_ONCE)
})

/** Knows how many of its transactions are under way. */
class CountedDatabase extends Database {
  writing = 0

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    this.writing += 1
    try {
      return await super.write(...args)
    } finally {
      this.writing -= 1
    }
  }
}

test('simultaneous claims of several clinics take no more than a process may send', async () => {
  const clock = new TestClock()
  const clinics: Clinic[] = []
  // Three clinics with all of their places, one with half, four with those that are kept for clinics with few, and one more.
  for (let c = 0; c < 9; c++) {
    const clinic = await newClinic(base)
    for (let i = 0; i < AT_ONCE.clinic / MAX_AT_ONCE; i++) await subscribe(base, clinic, `s${i}`)
    await happen(base, clinic, MAX_AT_ONCE, clock.now())
    clinics.push(clinic)
  }
  const release = Promise.withResolvers<void>()
  const full = Promise.withResolvers<void>()
  let active = 0
  let most = 0
  const send = async (): Promise<Sent> => {
    active += 1
    most = Math.max(most, active)
    if (active === AT_ONCE.process) setImmediate(full.resolve)
    await release.promise
    active -= 1
    return delivered
  }
  const database = await new CountedDatabase(asApplication(base.url)).open()
  base.opened.use({ [Symbol.asyncDispose]: () => database.close() })
  const dispatcher = engine(base, clock, { send, database })
  for (const { clinic_id } of clinics) dispatcher.wake(clinic_id)
  await full.promise
  // Claims that ran at the same time as the one that filled it.
  while (database.writing > 0) await turn()
  release.resolve()
  await dispatcher.idle()
  assert.equal(most, AT_ONCE.process)
  for (const clinic of clinics) {
    const statuses = (await deliveriesOf(base, clinic)).map(({ status }) => status)
    assert.deepEqual(statuses, Array(AT_ONCE.clinic).fill('delivered'))
  }
})
