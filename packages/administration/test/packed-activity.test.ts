// The activity of a clinic whose past days are packed: every question is answered as before, to the byte, and to the end of the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latestUse } from '@clinic-data/audit/latest-use'
import { packDays } from '@clinic-data/audit/pack-days'
import { INTEGRATIONS } from '@clinic-data/console-contract/console-activity'
import type { Clinic } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { dayBefore, makeDay, now, openForConsole, owner, seal, store } from '@clinic-data/testing/grounds/packed-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { seeded } from '@clinic-data/testing/test-clock'
import { type ActivitySearch, listActivity } from '../src/pages/activity.ts'

const console = await openForConsole()
/** Every third day has no partition, so its rows stay in the table between packed ones. */
const ages = (first: number) => Array.from({ length: 6 }, (_, n) => first - n)
const hasPartition = (age: number) => age % 3 !== 0
const ROWS = 240

const random = seeded(7)
const oneOf = <T>(...values: readonly [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0]

function named(): string[] {
  const resources = [oneOf('a1', 'a2', 'pa"t{}'), oneOf('a3', 'p1')]
  if (random() < 0.1) return resources
  const patients = ['', oneOf('p1', 'p2', 'pa"t{}')]
  return random() < 0.2
    ? [...resources, ...patients, '', oneOf('not-found', 'address-not-allowed')]
    : [...resources, ...patients]
}

/** Rows of six days, each day's between the others' where a clock went back. A day is packed once, so each clinic has days of its own. */
async function loggedClinic(first = 1266): Promise<Clinic> {
  const all = ages(first)
  for (const age of all) if (hasPartition(age)) await makeDay(dayBefore(age))
  const clinic = await testClinic(owner)
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const age = all[Math.floor((n * all.length) / ROWS)] ?? 0
    const hour = 6 + Math.floor((n % 40) / 4)
    return {
      stored_at: `${dayBefore(n === 100 ? age + 1 : age)} ${String(hour).padStart(2, '0')}:00:00.${100 + n}Z`,
      key_id: oneOf('key_1', 'key_2', 'adm_3', 'operator:a b'),
      operation: oneOf('patients.get', 'appointments.list', 'me.get', 'webhooks.deliver'),
      surface: oneOf('rest', 'mcp', 'console', 'webhook', 'file', 'ingest'),
      resource_ids: named(),
      status: oneOf(200, 399, 404, 403, 500),
      request_id: `r${n}`,
      address: oneOf('192.0.2.1', '192.0.2.2'),
      duration_ms: oneOf(null, 0, 5000),
    }
  })
  await store(clinic, ...rows)
  await seal(clinic)
  return clinic
}

const SEARCHES: readonly Omit<ActivitySearch, 'limit'>[] = [
  {},
  ...['key_1', 'adm_3', 'operator:a b', 'nobody'].map((actor) => ({ actor })),
  ...(['patients.get', 'me.get'] as const).map((operation) => ({ operation })),
  ...(['rest', 'console', INTEGRATIONS] as const).map((surface) => ({ surface })),
  ...(['done', 'refused', 'failed'] as const).map((outcome) => ({ outcome })),
  ...['p1', 'p2', 'pa"t{}', 'a1', 'nobody'].flatMap((id) => [{ patient_id: id }, { resource_id: id }]),
  { patient_id: 'p1', resource_id: 'p1' },
  { patient_id: 'p2', resource_id: 'a1', actor: 'key_2' },
  { actor: 'key_1', operation: 'patients.get', surface: 'rest', outcome: 'done' },
  { actor: 'key_2', patient_id: 'p1', outcome: 'refused' },
  { integration: 'int_of_nobody' },
  { from: dayBefore(1264), to: dayBefore(1263) },
  { from: `${dayBefore(1265)}T10:00:00Z`, to: `${dayBefore(1262)}T12:00:00.500Z`, actor: 'key_1' },
  { patient_id: 'p1', from: dayBefore(1265), to: dayBefore(1265) },
]

async function walked(clinic: Clinic, search: ActivitySearch) {
  const rows: unknown[] = []
  const recordsOnly: (string | null)[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const page: ActivitySearch = cursor === null ? search : { ...search, cursor }
    const { data, meta } = await listActivity(console, clinic, page, now)
    assert.ok(data.length <= search.limit)
    rows.push(...data)
    recordsOnly.push(meta.records_only_until)
    cursor = meta.next_cursor
    pages += 1
    assert.ok(pages < 1_000, 'the pages come to an end')
  } while (cursor !== null)
  return { rows, pages, recordsOnly: recordsOnly.find((moment) => moment !== null) ?? null }
}

test('every search finds the same rows in the same order before and after days are packed, page after page', async () => {
  const clinic = await loggedClinic()
  const before = await Promise.all(SEARCHES.map((search) => walked(clinic, { ...search, limit: 100 })))
  assert.ok(before.filter(({ rows }) => rows.length > 0).length > 20)
  assert.equal(before[0]?.rows.length, ROWS)
  await packDays(owner, now)
  const left = await owner.read(
    utcSession(clinic.clinic_id),
    sql`select from audit where clinic_id = ${clinic.clinic_id}`,
  )
  assert.ok(left.length > 0 && left.length < ROWS / 2, `${left.length} rows are left in the table`)
  for (const [n, search] of SEARCHES.entries()) {
    const text = JSON.stringify(search)
    for (const size of [{ limit: 100 }, ...(n % 4 === 0 ? [{ limit: 7 }, { limit: 11, mostSearched: 20 }] : [])]) {
      const { rows, recordsOnly } = await walked(clinic, { ...search, ...size })
      assert.deepEqual(rows, before[n]?.rows, `${text} by ${size.limit}`)
      if (size.limit === 100) assert.equal(recordsOnly, before[n]?.recordsOnly, text)
    }
  }
})

test('a search of packed days ends with one page, however far back it goes', async () => {
  const day = dayBefore(1270)
  await makeDay(day)
  const clinic = await testClinic(owner)
  const others = Array.from({ length: 50 }, (_, n) => ({ stored_at: `${day} 09:00Z`, request_id: `r${n}` }))
  await store(clinic, { stored_at: `${day} 08:00Z`, key_id: 'key_rare' }, ...others)
  await seal(clinic)
  await packDays(owner, now)
  for (const [actor, count] of [
    ['key_rare', 1],
    ['nobody', 0],
  ] as const) {
    const { data, meta } = await listActivity(console, clinic, { actor, limit: 10, mostSearched: 5 }, now)
    assert.deepEqual([data.length, meta.next_cursor, meta.searched_until], [count, null, null])
  }
})

test('a search goes on through all segments, and ends where its page does', async () => {
  const days = Array.from({ length: 11 }, (_, n) => dayBefore(1290 - n))
  for (const day of days) await makeDay(day)
  const clinic = await testClinic(owner)
  const rows = days.map((day, n) => ({
    stored_at: `${day} 08:00Z`,
    key_id: n % 2 === 0 ? 'key_even' : 'key_odd',
    resource_ids: ['a1', '', n % 3 === 0 ? 'p_third' : 'p_other'],
    request_id: `r${n}`,
  }))
  await store(clinic, ...rows)
  await seal(clinic)
  await packDays(owner, now)
  const found = async (search: Omit<ActivitySearch, 'limit'>, limit: number) => {
    const { data } = await listActivity(console, clinic, { ...search, limit }, now)
    return data.map(({ request_id }) => request_id)
  }
  assert.deepEqual(await found({}, 50), ['r10', 'r9', 'r8', 'r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'])
  assert.deepEqual(await found({ actor: 'key_odd' }, 50), ['r9', 'r7', 'r5', 'r3', 'r1'])
  assert.deepEqual(await found({ resource_id: 'a1' }, 9), ['r10', 'r9', 'r8', 'r7', 'r6', 'r5', 'r4', 'r3', 'r2'])
  assert.deepEqual(await found({ patient_id: 'p_third' }, 50), ['r9', 'r6', 'r3', 'r0'])
  assert.deepEqual(await found({ patient_id: 'p_third', actor: 'key_even' }, 50), ['r6', 'r0'])
})

test('the latest use of a key is the same before and after its days are packed', async () => {
  const clinic = await loggedClinic(1256)
  const uses = () =>
    Promise.all(
      [1250, 1253, 1255].flatMap((age) =>
        [['key_1'], ['key_1', 'key_2'], ['nobody']].map((key_ids) => {
          const last = `${dayBefore(age)}T12:00:00.000Z`
          return latestUse(console, clinic, { key_ids, last_used_at: last, now: new Date(last) })
        }),
      ),
    )
  const before = await uses()
  assert.ok(before.some(({ last_read }) => last_read !== null))
  assert.ok(before.some(({ addresses }) => addresses.some(({ refused }) => refused > 0)))
  await packDays(owner, now)
  assert.deepEqual(await uses(), before)
})
