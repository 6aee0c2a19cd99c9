// The activity of a clinic whose past days are packed: every question is answered as before, to the byte, and to the end of the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latestUse } from '@clinic-data/audit/latest-use'
import { packDays } from '@clinic-data/audit/pack-days'
import { INTEGRATIONS } from '@clinic-data/console-contract/console-activity'
import type { Clinic } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { dayBefore, makeDay, now, openForConsole, owner, seal, store } from '@clinic-data/testing/grounds/packed-ground'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
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

/** A patient who was a lead, called and wrote before the clinic knew them, and others with like records. */
async function knownLater(clinic: Clinic): Promise<void> {
  const phone = '+972501111111'
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' }, [phone])
  await insertPatient(owner, clinic, { id: 'p2', first_name: 'Dan', last_name: 'Katz' }, ['+972502222222'])
  const came = {
    created_at: '2026-01-01T08:00:00Z',
    updated_at: '2026-01-01T08:00:00Z',
    source: 'website',
    status: 'new',
  }
  await insert(owner, clinic, 'lead', { id: 'l1', first_name: 'Noa', phone, phone_normal: phone, ...came })
  // Their former name.
  await insert(owner, clinic, 'lead', { id: 'l2', first_name: 'Roy', phone, phone_normal: phone, ...came })
  await insert(owner, clinic, 'file', { id: 'f1' }, { id: 'f2' })
  await insert(owner, clinic, 'call', { id: 'c1', patient_phone: phone, recording_file_id: 'f1' })
  // A sound that all callers hear is nobody's.
  await insert(owner, clinic, 'call', { id: 'c2', patient_phone: phone, recording_file_id: 'f2' })
  await insert(owner, clinic, 'call', { id: 'c3', patient_phone: '+972503333333', recording_file_id: 'f2' })
  await insert(owner, clinic, 'chat_conversation', { id: 'v1', patient_phone: phone })
  await insert(owner, clinic, 'chat_message', { id: 'in_71', conversation_id: 'v1', patient_phone: phone })
  const erased = { patient_id: 'p1', erased_at: '2026-01-01T08:00:00Z' }
  const calls = Array.from({ length: 500 }, (_, n) => ({ kind: 'call', id: `a${n}`, ...erased }))
  const others = [
    { kind: 'lead', id: 'l3', ...erased },
    { kind: 'chat_message', id: 'z1', ...erased },
  ]
  await insert(owner, clinic, 'erased_record', ...calls, ...others)
  const event = { type: 'call.created', body: '{}', created_at: '2026-01-01T08:00:00Z' }
  await insert(owner, clinic, 'event', { id: 'evt_1', position: 1, record_id: 'c1', ...event })
}

test('a search for a patient finds who read the lead, the calls and the chats from before they were the patient’s, packed or not', async () => {
  const day = dayBefore(1290)
  await makeDay(day)
  const clinic = await testClinic(owner)
  await knownLater(clinic)
  const rows: readonly (readonly [operation: string, ...names: string[]])[] = [
    ['leads.list', 'l7', 'l1', ''],
    ['leads.get', 'l1', ''],
    ['leads.get', 'l2', ''],
    ['leads.get', 'l3', ''],
    ['leads.create', 'l1'],
    ['calls.list', 'c9', 'c1', '', 'p9'],
    ['calls.recording.get', 'f1', ''],
    ['chat.conversations.list', 'v1', ''],
    ['chat.messages.list', 'in_71', ''],
    ['chat.messages.list', 'z1', ''],
    ['files.get', 'f1', '', '', 'range-not-satisfiable'],
    ['webhooks.deliver', 'c1', ''],
    ['events.list', 'evt_1', ''],
    ['console.webhooks.delivery', 'dlv_1', 'evt_1', ''],
    ['console.webhooks.record_events', 'c1', 'evt_1', ''],
    // Its events are kept no more.
    ['console.webhooks.record_events', 'in_71', ''],
    ['ingest.leads.status.update', 'l1', ''],
    ['ingest.calls.store', 'c9', 'c1', '', 'p9'],
    ['ingest.chat.messages.store', 'in_71', ''],
    ['ingest.files.store', 'f1', ''],
    ['ingest.whatsapp', 'in_71', ''],
    ['patients.get', 'p1', '', 'p1'],
  ]
  const others: typeof rows = [
    ['appointments.list', 'l1', 'c1', '', 'p2'],
    ['webhooks.deliver', 'c1', '', 'p2'],
    ['calls.get', 'l1', ''],
    ['files.get', 'f2', ''],
    ['calls.get', 'c3', ''],
    ['console.webhooks.record_events', 'c1', 'evt_7', '', 'p9'],
    ['console.patients.export', 'c1', '', 'c1'],
    ['ingest.appointments.store', 'c1', ''],
    ['ingest.calls.store', 'c3', ''],
  ]
  const stored = [...rows, ...others].map(([operation, ...resource_ids], n) => {
    return { stored_at: `${day} 09:00:00.${100 + n}Z`, operation, resource_ids, request_id: operation }
  })
  await store(clinic, ...stored)
  await seal(clinic)
  const found = async (patient_id: string, limit: number) =>
    (await walked(clinic, { patient_id, limit })).rows.map((row) => (row as { operation: string }).operation)
  for (const isPacked of [false, true]) {
    if (isPacked) await packDays(owner, now)
    const expected = rows.map(([operation]) => operation).reverse()
    for (const limit of [100, 3]) assert.deepEqual(await found('p1', limit), expected, `packed: ${isPacked}`)
    assert.deepEqual(await found('p2', 100), ['webhooks.deliver', 'appointments.list'])
  }
})
