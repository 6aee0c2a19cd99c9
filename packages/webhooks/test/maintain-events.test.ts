// Retention: coming days have their partitions, and days beyond the retention are gone with their deliveries and attempts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { LEAST_RETENTION_DAYS } from '@clinic-data/contract/limits'
import { sql } from '@clinic-data/database'
import { Statement } from '@clinic-data/database/sql'
import { happen, newClinic, subscribe } from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { maintainEvents } from '../src/events/maintain-events.ts'

const base = await ownGround()
const PARENTS = ['event', 'delivery', 'attempt']
const DAY_MS = 86_400_000
const KEPT_DAYS = 30

/** Days in UTC. The function reads the server's own clock. */
const today = Math.floor(Date.now() / DAY_MS)
const instantOf = (day: number) => new Date(day * DAY_MS)
const nameOf = (parent: string, day: number) =>
  `${parent}_${instantOf(day).toISOString().slice(0, 10).replaceAll('-', '')}`

async function partitions(): Promise<Set<string>> {
  const { rows } = await base.owner.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = any (array['event', 'delivery', 'attempt']::regclass[])`)
  return new Set(rows.map(({ name }) => name))
}

/** Like the function made it when the day was still to come. */
async function makePartitions(day: number): Promise<void> {
  const [from, to] = [instantOf(day).toISOString(), instantOf(day + 1).toISOString()]
  for (const parent of PARENTS) {
    const text = `create table ${nameOf(parent, day)} partition of ${parent} for values from ('${from}') to ('${to}')`
    await base.owner.query(new Statement([text], []))
  }
}

/** The days, relative to today, on which the clinic has an event, a delivery and an attempt. */
async function daysOf({ clinic_id }: Clinic): Promise<Record<string, number[]>> {
  const days: Record<string, number[]> = {}
  for (const parent of PARENTS) {
    const { rows } = await base.owner.query<{ created_at: string }>(sql`select created_at::text as created_at
      from ${sql.identifier(parent)} where clinic_id = ${clinic_id} order by 1`)
    days[parent] = rows.map(({ created_at }) => Math.floor(Date.parse(created_at) / DAY_MS) - today)
  }
  return days
}

/** An event at noon of each day, delivered with one attempt. */
async function happenedOn(days: readonly number[]): Promise<Clinic> {
  const clinic = await newClinic(base)
  await subscribe(base, clinic, 'one')
  for (const day of days) await happen(base, clinic, 1, new Date((today + day + 0.5) * DAY_MS))
  await base.owner.query(sql`
    insert into attempt (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms)
    select clinic_id, subscription_id, event_id, created_at, 1, 'automatic', created_at, 5 from delivery
    where clinic_id = ${clinic.clinic_id}`)
  return clinic
}

test('a stop ends a round at the step that it is at, and the next round makes the rest', async () => {
  const before = await partitions()
  const stopping = new AbortController()
  const round = maintainEvents(base.owner, KEPT_DAYS, stopping.signal)
  stopping.abort()
  await round
  assert.deepEqual(await partitions(), before)
  await maintainEvents(base.owner, KEPT_DAYS)
  assert.ok((await partitions()).has(nameOf('event', today)))
})

test('yesterday, today and the coming week have their own partitions, made once however often this runs', async () => {
  await maintainEvents(base.owner, KEPT_DAYS)
  await maintainEvents(base.owner, KEPT_DAYS)
  const made = await partitions()
  for (const parent of PARENTS) {
    for (let day = -1; day <= 7; day++) assert.ok(made.has(nameOf(parent, today + day)), nameOf(parent, today + day))
    assert.ok(!made.has(nameOf(parent, today + 8)) && !made.has(nameOf(parent, today - 2)))
  }
  const clinic = await happenedOn([0])
  const { rows } = await base.owner.query<{ count: number }>(sql`
    select count(*)::int as count from ${sql.identifier(nameOf('event', today))} where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows[0]?.count, 1)
})

test('everything older than the retention is gone with its deliveries and attempts, and its last day stays', async () => {
  await maintainEvents(base.owner, KEPT_DAYS)
  for (const day of [-KEPT_DAYS - 1, -KEPT_DAYS]) await makePartitions(today + day)
  // The older ones have no partition of their own.
  const clinic = await happenedOn([-KEPT_DAYS - 3, -KEPT_DAYS - 1, -KEPT_DAYS, -KEPT_DAYS + 2, 0])
  // One day per round, the oldest first.
  await maintainEvents(base.owner, KEPT_DAYS)
  const left1 = [-KEPT_DAYS - 1, -KEPT_DAYS, -KEPT_DAYS + 2, 0]
  assert.deepEqual(await daysOf(clinic), { event: left1, delivery: left1, attempt: left1 })
  for (let round = 0; round < 3; round++) await maintainEvents(base.owner, KEPT_DAYS)
  const kept = [-KEPT_DAYS, -KEPT_DAYS + 2, 0]
  assert.deepEqual(await daysOf(clinic), { event: kept, delivery: kept, attempt: kept })
  const left = await partitions()
  for (const parent of PARENTS) {
    assert.ok(!left.has(nameOf(parent, today - KEPT_DAYS - 1)))
    assert.ok(left.has(nameOf(parent, today - KEPT_DAYS)))
  }
})

test('a retention of less than a week is never applied', async () => {
  const clinic = await happenedOn([-LEAST_RETENTION_DAYS - 1, -LEAST_RETENTION_DAYS, 0])
  // Even past this package's check: the function itself enforces it.
  const oldest = new Date((today + 100) * DAY_MS)
  while (
    (await base.owner.query<{ more: boolean }>(sql`select maintain_events(0, ${oldest}::date) as more`)).rows[0]?.more
  );
  const kept = [-LEAST_RETENTION_DAYS, 0]
  assert.deepEqual(await daysOf(clinic), { event: kept, delivery: kept, attempt: kept })
})

test('a day whose rows came before its partition keeps them where they are', async () => {
  const clinic = await newClinic(base)
  await base.owner.query(new Statement([`drop table ${nameOf('event', today + 7)}`], []))
  await happen(base, clinic, 1, new Date((today + 7.5) * DAY_MS))
  await maintainEvents(base.owner, KEPT_DAYS)
  assert.ok(!(await partitions()).has(nameOf('event', today + 7)))
  assert.deepEqual((await daysOf(clinic)).event, [7])
})
