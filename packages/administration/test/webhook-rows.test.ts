// Tests what the console reads of a clinic's webhooks: a few rows for each that it shows, however many deliveries the clinic has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clinic, COUNTED_DELIVERIES } from '@clinic-data/contract'
import { deliveryStatuses } from '@clinic-data/contract/resources/webhook'
import { type Database, sql, type Transaction } from '@clinic-data/database'
import { ownDatabase, testClinic } from '@clinic-data/testing/run/test-database'
import { subscriptionHealth } from '@clinic-data/webhooks/subscriptions/health'
import { listDeliveries } from '../src/pages/list-deliveries.ts'
import type { ActiveSession } from '../src/sessions/sessions.ts'

const { owner } = await ownDatabase()
const NOW = new Date('2026-07-12T06:30:00Z')
const KEPT = 20_000
const RARE = 'call.updated'
/** Each of fifty deliveries with its attempts and its lane, and what an index is asked for besides. */
const MOST_ROWS = 500

const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'a cluster’s workers count their own rows'
const clinic = await filledClinic()

/** One subscription: most deliveries have arrived, one in 200 has failed, one in 300 waits, one in 500 is of a rare type. */
async function filledClinic(): Promise<Clinic> {
  const made = await testClinic(owner)
  const { clinic_id } = made
  await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    values (${clinic_id}, 'one', 'https://one.example', '{}', '\\x00', 'abcd', ${NOW})`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, 'one')`)
  await owner.query(sql`insert into delivery
      (clinic_id, subscription_id, id, event_id, event_type, status, attempt_count, created_at, due_at)
    select ${clinic_id}, 'one', 'dlv_' || n, 'evt_' || n, case when n % 500 = 1 then ${RARE} else 'patient.created' end,
      case when n % 200 = 2 then 'failed' when n % 300 = 3 then 'pending' else 'delivered' end, 1, at,
      case when n % 300 = 3 and n % 200 <> 2 then at end
    from generate_series(1, ${KEPT}::int) n, lateral (select ${NOW}::timestamptz - n * interval '3 seconds' as at) at`)
  await owner.query(sql`insert into attempt
      (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms)
    select clinic_id, subscription_id, event_id, created_at, 1, 'automatic', created_at, 5 from delivery
    where clinic_id = ${clinic_id}`)
  await owner.query(sql`insert into attempt_hour (clinic_id, subscription_id, hour, delivered, failed)
    select ${clinic_id}, 'one', date_trunc('hour', ${NOW}::timestamptz) - n * interval '1 hour', 1000, 5
    from generate_series(0, 30) n`)
  await owner.query(sql`vacuum analyze`)
  return made
}

/** Counts the rows that the statements of a reading touch. They run in one transaction, whose counters nobody else adds to. */
async function rowsOf(work: (counting: Database) => Promise<unknown>): Promise<number> {
  return owner.write(clinic, async (tx) => {
    const before = await rowsRead(tx)
    await work({
      read: async (_: unknown, statement: never) => (await tx.query(statement)).rows,
    } as unknown as Database)
    return (await rowsRead(tx)) - before
  })
}

async function rowsRead(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ read: number }>(sql`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_xact_user_tables`)
  return rows[0]?.read ?? Number.NaN
}

test('how the subscriptions do is read from their hours, and from their latest deliveries', { skip }, async () => {
  const read = await rowsOf((counting) => subscriptionHealth(counting, clinic, NOW))
  assert.ok(read > 0 && read <= COUNTED_DELIVERIES + 40, `it read ${read} rows`)
})

const session = { clinic: { ...clinic, name: 'Test' } } as ActiveSession

for (const status of [undefined, ...deliveryStatuses]) {
  for (const event_type of [undefined, 'patient.created', RARE] as const) {
    test(`the list reads a page of ${status ?? 'every state'} and ${event_type ?? 'every type'}`, {
      skip,
    }, async () => {
      const search = { ...(status && { status }), ...(event_type && { event_type }), limit: 50, now: NOW }
      const read = await rowsOf((counting) => listDeliveries(counting, session, 'one', search))
      assert.ok(read > 0 && read <= MOST_ROWS, `it read ${read} rows`)
    })
  }
}
