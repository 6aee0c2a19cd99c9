// Tests what a claim and the storing of its outcomes read: a few rows for each delivery, however many the clinic has and whatever the
// planner believes about the day.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { Database, sql, type Transaction } from '@clinic-data/database'
import { delivered, happen, newClinic, subscribe } from '@clinic-data/testing/grounds/ground'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { type Claim, claimDue } from '../src/engine/claim.ts'
import { type Completion, complete } from '../src/engine/complete.ts'

const base = await ownGround()
const NOW = new Date()
const SUBSCRIPTIONS = ['one', 'two', 'three', 'four']
const KEPT = sized({ everyday: 1_500, long: 5_000 })
const WAITING = sized({ everyday: 120, long: 500 })
/** Each of a claim's deliveries is picked, then leased with its event. Each lane is read with its subscription. */
const ROWS_EACH = 8

/** Counts the rows that a transaction reads. */
class CountingDatabase extends Database {
  rowsRead = 0

  override write<T>(...[session, work, options]: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const counted = async (tx: Transaction) => {
      const before = await rowsRead(tx)
      const result = await work(tx)
      this.rowsRead = (await rowsRead(tx)) - before
      return result
    }
    return super.write(session, counted, options)
  }
}

async function rowsRead(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ read: number }>(sql`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_xact_user_tables`)
  return rows[0]?.read ?? Number.NaN
}

const database = await new CountingDatabase(asApplication(base.url)).open()
after(() => database.close())

/** Each of them has a few deliveries, so the planner expects as few of the clinic. */
const OTHERS = 200

/** The planner knows this when the statements are planned, by its name. */
const statistics: Record<string, () => Promise<unknown>> = {
  'a day without statistics': async () => undefined,
  'a day of many clinics with few deliveries each': async () => {
    const other = sql`select 'other' || n as clinic_id from generate_series(1, ${OTHERS}::int) n`
    await base.owner.query(sql`insert into delivery
        (clinic_id, subscription_id, id, event_id, event_type, status, attempt_count, created_at)
      select clinic_id, 'one', 'dlv_' || n, 'evt_' || n, 'appointment.created', 'delivered', 1, ${NOW}
      from (${other}) other, generate_series(1, 5) n`)
    await base.owner.query(sql`insert into event (clinic_id, id, position, type, body, created_at)
      select clinic_id, 'evt_' || n, n, 'appointment.created', '{}', ${NOW} from (${other}) other, generate_series(1, 5) n`)
    await analyze()
  },
}

function analyze() {
  return base.owner.query(sql`analyze event, delivery, attempt, lane, subscription`)
}

/**
 * A clinic whose first deliveries have been sent, and which has many more since: some that have arrived, and some that are due in each
 * lane. Its statements were planned when it had few.
 */
async function suddenlyBusyClinic(prepare: () => Promise<unknown>): Promise<Clinic> {
  await base.owner.query(sql`truncate event, delivery, attempt`)
  await prepare()
  const clinic = await newClinic(base)
  for (const id of SUBSCRIPTIONS) await subscribe(base, clinic, id)
  await happen(base, clinic, 8, NOW)
  await stored(clinic, await claimed(clinic))
  await happen(base, clinic, WAITING, NOW)
  await base.owner.query(sql`
    insert into delivery (clinic_id, subscription_id, id, event_id, event_type, status, attempt_count, created_at)
    select ${clinic.clinic_id}, id, 'dlv_' || id || n, 'evt_' || n, 'appointment.created', 'delivered', 1, ${NOW}
    from unnest(${SUBSCRIPTIONS}::text[]) id, generate_series(1, ${KEPT}::int) n`)
  return clinic
}

async function claimed({ clinic_id }: Clinic): Promise<Claim['claimed']> {
  const claim = { clinic_id, most: 64, retries: 64, lease_id: randomUUID(), now: NOW }
  const { claimed } = await claimDue(database, claim)
  assert.equal(claimed.length, 8 * SUBSCRIPTIONS.length)
  return claimed
}

function stored({ clinic_id }: Clinic, claimed: Claim['claimed']): Promise<Completion> {
  const outcomes = claimed.map((one) => ({ claimed: one, started_at: NOW, ...delivered }))
  return complete(database, clinic_id, outcomes, { now: NOW, random: () => 0 })
}

const { rows: citus } = await base.owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'a cluster’s workers count their own rows'

// The planner's knowledge is a part of each case: the server must not find out more meanwhile.
if (skip === false) {
  const { rows: days } = await base.owner.query<{ name: string }>(sql`select inhrelid::regclass::text as name
    from pg_inherits where inhparent = any(array['event', 'delivery', 'attempt']::regclass[])`)
  for (const { name } of days)
    await base.owner.query(sql`alter table ${sql.identifier(name)} set (autovacuum_enabled = false)`)
}

for (const [name, prepare] of Object.entries(statistics)) {
  test(`on ${name} a claim and the storing of its outcomes read a few rows for each delivery`, { skip }, async () => {
    const clinic = await suddenlyBusyClinic(prepare)
    // Later rounds run with the plans of the first one.
    for (let round = 1; round <= 3; round++) {
      const some = await claimed(clinic)
      assert.ok(database.rowsRead <= ROWS_EACH * some.length, `claim ${round} read ${database.rowsRead} rows`)
      const { delivered: count } = await stored(clinic, some)
      assert.equal(count, some.length)
      assert.ok(database.rowsRead <= ROWS_EACH * some.length, `storing ${round} read ${database.rowsRead} rows`)
    }
  })

  test(`on ${name} outcomes that come back unsent read a few rows for each delivery`, { skip }, async () => {
    const clinic = await suddenlyBusyClinic(prepare)
    const some = await claimed(clinic)
    const unsent = some.map((one) => ({ claimed: one, unstarted: true as const }))
    await complete(database, clinic.clinic_id, unsent, { now: NOW, random: () => 0 })
    assert.ok(database.rowsRead <= ROWS_EACH * some.length, `the release read ${database.rowsRead} rows`)
  })
}

// On such a day the planner may find an event by its clinic's events, until the server has analyzed the day itself. But nothing reads the
// deliveries that nobody asked for.
test('on a day that was analyzed while it was empty no statement reads all of the clinic’s deliveries', {
  skip,
}, async () => {
  const clinic = await suddenlyBusyClinic(analyze)
  for (let round = 1; round <= 3; round++) {
    const some = await claimed(clinic)
    assert.ok(database.rowsRead < KEPT, `claim ${round} read ${database.rowsRead} rows`)
    await stored(clinic, some)
    assert.ok(database.rowsRead <= ROWS_EACH * some.length, `storing ${round} read ${database.rowsRead} rows`)
  }
})
