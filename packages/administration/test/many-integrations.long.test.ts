// Pages of integrations stay quick: 200 of them, with the sums of a million requests, and a log as long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { openConsole } from './console-ground.ts'
import { integrationGround } from './integration-ground.ts'

const { owner } = await ownDatabase()
const opened = await openConsole(owner)
const INTEGRATIONS = 200
const DAY_HOURS = 24
const MONTH_HOURS = 30 * DAY_HOURS
const LOG_ROWS = 1_000_000
/** A page searches no more of it than of a longer one. */
const SHORT_LOG_ROWS = 25_000
const ASKED = 15
/** Other tests slow both, so pages are compared with pages, and not with a clock. */
const MOST_TIMES = 3

test('a log of a million rows, and a month of sums, make no page of 200 integrations three times as slow as a day of them', async (t) => {
  const day = await clinicWith({ hours: DAY_HOURS, rows: SHORT_LOG_ROWS })
  const month = await clinicWith({ hours: MONTH_HOURS, rows: LOG_ROWS })
  await owner.query(sql`analyze`)
  for (const path of ['/integrations', '/integrations/int_key_7', '/home']) {
    const fastest = { day: Number.POSITIVE_INFINITY, month: Number.POSITIVE_INFINITY }
    for (let i = 0; i < ASKED; i++) {
      fastest.day = Math.min(fastest.day, await timeOf(() => day.read(path)))
      fastest.month = Math.min(fastest.month, await timeOf(() => month.read(path)))
    }
    const times = `${path}: ${Math.round(fastest.month)} ms, of a day ${Math.round(fastest.day)} ms`
    t.diagnostic(times)
    assert.ok(fastest.month <= MOST_TIMES * fastest.day, times)
  }
  assert.equal((await month.read('/integrations')).length, INTEGRATIONS)
})

async function clinicWith({ hours, rows }: { hours: number; rows: number }) {
  const ground = await integrationGround(opened, owner)
  const { clinic_id } = ground
  const keys = sql`generate_series(1, ${INTEGRATIONS}::integer) k`
  await owner.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at, last_used_at)
    select ${clinic_id}, 'key_' || k, encode(sha256(convert_to(${clinic_id} || k, 'UTF8')), 'hex'), '', '', 'Partner ' || k,
      array['patients:read'], now() - interval '40 days', now() from ${keys}`)
  await owner.query(sql`insert into audit_hour
      (clinic_id, hour, key_id, requests, refusals, failures, patients, changes, durations, minutes, busiest_minute)
    select ${clinic_id}, date_trunc('hour', now()) - make_interval(hours => h), 'key_' || k, 7, 0, 0, 3, 1,
      array_fill(1, array[18]), array_fill(1, array[60]), 2
    from ${keys} cross join generate_series(0, ${hours - 1}::integer) h`)
  await owner.query(sql`insert into audit
      (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id, address)
    select ${clinic_id}, now(), 'key_' || (1 + n % ${INTEGRATIONS}::integer), 'patients.get', 'rest', array['p1', '', 'p1'], 1, 200, 'r', '192.0.2.1'
    from generate_series(1, ${rows}::integer) n`)
  await owner.query(sql`insert into audit_seal (clinic_id, number, last_id, day, row_count, rows_hash, hash, sealed_at)
    select ${clinic_id}, 1, max(id), current_date, count(*), repeat('0', 64), repeat('0', 64), now() from audit where clinic_id = ${clinic_id}`)
  return ground
}

async function timeOf(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await ask()
  return performance.now() - begun
}
