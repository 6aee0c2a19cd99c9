// The export of the activity: exactly what a search shows, in both forms, of packed and unpacked days alike, within its bounds and on record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packDays } from '@clinic-data/audit/pack-days'
import type { Clinic } from '@clinic-data/contract'
import { noLongerValid, onlyWhile } from '@clinic-data/surface/still-valid'
import { verified } from '@clinic-data/testing/grounds/exported-file'
import { dayBefore, makeDay, now, openForConsole, owner, seal, store } from '@clinic-data/testing/grounds/packed-ground'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { ActivityExports } from '../src/activity-export/export-activity.ts'
import { LIMITS } from '../src/activity-export/limits.ts'
import { listActivity } from '../src/pages/activity.ts'
import { audited, openConsole, type Person, person, signedIn } from './console-ground.ts'

const consoleDatabase = await openForConsole()
const opened = await openConsole(owner, { consoleDatabase })

/** Seals of two rows on two days long past: of p1, of p2 and of the console. Each clinic has days of its own, because a day is packed once. */
async function logged(age: number) {
  const noa = await person(owner)
  for (const one of [age, age - 1]) {
    const date = dayBefore(one)
    await makeDay(date)
    for (const hour of [10, 11, 12]) {
      const patient = hour === 11 ? 'p2' : 'p1'
      await store(
        noa.clinic,
        { stored_at: `${date} ${hour}:00Z`, resource_ids: ['a1', '', patient], request_id: `${one}-${hour}` },
        { stored_at: `${date} ${hour}:30Z`, resource_ids: ['a2', '', 'p3'], surface: hour === 11 ? 'console' : 'mcp' },
      )
      await seal(noa.clinic)
    }
  }
  return { noa, cookie: await signedIn(opened, owner, noa) }
}

const exportAs = async (cookie: string | null, body: object) => {
  const { app } = opened
  const headers = { host: 'console.clinic.example', 'x-console': '1', 'content-type': 'application/json' }
  const answer = await app.inject({
    method: 'POST',
    url: '/console/api/activity/export',
    headers: { ...headers, 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
    payload: JSON.stringify(body),
  })
  return { status: answer.statusCode, text: answer.payload, type: answer.headers['content-type'] }
}

/** The rows, and the last line. */
function rowsIn(text: string) {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { rows: lines.slice(0, -1), end: lines.at(-1) }
}

async function shown(clinic: Clinic, filters: object) {
  const rows: unknown[] = []
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = { ...filters, limit: 5, ...(cursor !== undefined && { cursor }) }
    const { data, meta } = await listActivity(consoleDatabase, clinic, page, now)
    rows.push(...data)
    cursor = meta.next_cursor
  }
  return rows
}

async function sound(text: string, expected: string | null = null) {
  const verdict = await verified(text, expected)
  assert.ok(verdict.sound, JSON.stringify(verdict))
  return verdict
}

/** Without the rows of the test itself. */
const to = dayBefore(1000)

const FILTERS = [
  { to },
  { patient_id: 'p1', to },
  { patient_id: 'p1', from: dayBefore(1210), to: dayBefore(1210) },
  { surface: 'integrations', to },
  { surface: 'mcp', outcome: 'done', to },
  { resource_id: 'a2', patient_id: 'p3', to },
  { actor: 'key_1', operation: 'patients.get', to },
  { integration: 'int_of_nobody', to },
  { patient_id: 'nobody', to },
]

test('both forms hold what the filter shows, all of it, of packed and unpacked days alike', async () => {
  const { noa, cookie } = await logged(1210)
  const sizes: (number | undefined)[][] = []
  for (const isPacked of [false, true]) {
    if (isPacked) await packDays(owner, now)
    for (const filters of FILTERS) {
      const told = JSON.stringify(filters)
      const list = await shown(noa.clinic, filters)
      const { status, text, type } = await exportAs(cookie, { as: 'rows', ...filters })
      assert.deepEqual([status, type], [200, 'application/x-ndjson; charset=utf-8'], text)
      const { rows, end } = rowsIn(text)
      assert.deepEqual(rows, list, told)
      assert.deepEqual(end, { end: { rows: list.length, records_only_until: null } })
      const proof = await exportAs(cookie, { as: 'proof', ...filters })
      const { clinic_id, selected, rows: held } = await sound(proof.text)
      assert.deepEqual([clinic_id, selected?.matching], [noa.clinic.clinic_id, list.length], told)
      sizes.push([list.length, held, selected?.seals])
    }
  }
  assert.deepEqual(sizes.slice(0, FILTERS.length), sizes.slice(FILTERS.length), 'packing changes nothing')
  assert.deepEqual(sizes.slice(0, 3), [
    [12, 12, 6],
    [4, 8, 4],
    [2, 4, 2],
  ])
})

test('an export has its row before its first byte: who, in which form, by which filter, and the seals of a proof', async () => {
  const { noa, cookie } = await logged(1205)
  const { text } = await exportAs(cookie, { as: 'rows', patient_id: 'p1', outcome: 'done', to })
  assert.equal(rowsIn(text).rows.length, 4)
  const proof = await exportAs(cookie, { as: 'proof', operation: 'o'.repeat(200), to })
  const { head } = await sound(proof.text)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.activity.export')
  assert.deepEqual(
    rows.map(({ key_id, status, resource_ids, patient_ids }) => [key_id, status, resource_ids, patient_ids]),
    [
      [noa.id, 200, ['rows', 'outcome:done', `to:${to}`], ['p1']],
      [noa.id, 200, ['proof', `operation:${'o'.repeat(118)}`, `to:${to}`, head], []],
    ],
  )
  const unfiltered = rowsIn((await exportAs(cookie, { as: 'rows' })).text).rows
  assert.ok(unfiltered.every(({ request_id, operation }) => operation !== 'console.activity.export' || request_id))
  assert.equal(
    unfiltered.filter(({ operation }) => operation === 'console.activity.export').length,
    2,
    'not its own row',
  )
})

test('an export for a patient holds the rows of the lead that they were, and its proof says which records it means', async () => {
  const { noa, cookie } = await logged(1250)
  const { clinic } = noa
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa' }, ['+972501111111'])
  const lead = {
    first_name: 'Noa',
    phone: '050-1111111',
    phone_normal: '+972501111111',
    source: 'website',
    status: 'converted',
  }
  await insert(owner, clinic, 'lead', {
    id: 'l1',
    ...lead,
    created_at: '2026-01-01T08:00Z',
    updated_at: '2026-01-01T08:00Z',
  })
  await store(clinic, { stored_at: `${dayBefore(1248)} 10:00Z`, resource_ids: ['l1', ''], operation: 'leads.get' })
  await seal(clinic)
  const filters = { patient_id: 'p1', to }
  const { rows } = rowsIn((await exportAs(cookie, { as: 'rows', ...filters })).text)
  assert.deepEqual(rows, await shown(clinic, filters))
  assert.equal((rows[0] as { operation?: string }).operation, 'leads.get')
  const proof = await exportAs(cookie, { as: 'proof', ...filters })
  const { selected } = await sound(proof.text)
  assert.equal(selected?.matching, 5)
  assert.deepEqual(selected?.filter.records, { leads: ['l1'] })
  assert.match(proof.text, /^\{"type":"selection","version":2,/)
  // Whoever takes the lead out of the filter has another number of rows.
  const changed = proof.text.replace(',"records":{"leads":["l1"]}', '').replace('"version":2', '"version":1')
  assert.notEqual(changed, proof.text)
  assert.equal((await verified(changed, null)).sound, false)
})

test('an export for a patient tells up to when rows name records only, as the page does', async () => {
  const { noa, cookie } = await logged(1160)
  await store(noa.clinic, { stored_at: `${dayBefore(1160)} 13:00Z`, resource_ids: ['a1'] })
  const { end } = rowsIn((await exportAs(cookie, { as: 'rows', patient_id: 'p1', to })).text)
  assert.equal(Date.parse(end.end.records_only_until), Date.parse(`${dayBefore(1160)}T13:00:00Z`))
})

test('no row of another clinic is in an export, also of the same day, patient and key', async () => {
  const [{ noa, cookie }, other] = [await logged(1200), await person(owner)]
  await store(other.clinic, {
    stored_at: `${dayBefore(1200)} 10:15Z`,
    resource_ids: ['a1', '', 'p1'],
    request_id: 'theirs',
  })
  await seal(other.clinic)
  const theirs = await signedIn(opened, owner, other)
  for (const as of ['rows', 'proof']) {
    const mine = await exportAs(cookie, { as, patient_id: 'p1', to })
    assert.ok(mine.text.includes('1200-10') && !mine.text.includes('theirs'), as)
    const foreign = await exportAs(theirs, { as, patient_id: 'p1', to })
    assert.ok(foreign.text.includes('theirs') && !foreign.text.includes('1200-10'), as)
    assert.ok(!foreign.text.includes(noa.clinic.clinic_id))
  }
})

test('a changed byte of a proof is found with its line, and a proof that was cut off is not sound', async () => {
  const { cookie } = await logged(1195)
  const { text } = await exportAs(cookie, { as: 'proof', patient_id: 'p1', to })
  const { head } = await sound(text)
  assert.ok((await sound(text, head)).proven_to)
  const at = text.indexOf('1195-10')
  const changed = await verified(`${text.slice(0, at)}2${text.slice(at + 1)}`)
  assert.deepEqual([!changed.sound && changed.line, !changed.sound && changed.seal], [2, 1])
  const cut = await verified(text.slice(0, text.length / 2))
  assert.match(cut.sound ? '' : cut.reason, /cut off/)
})

const begin = (exports: ActivityExports, { clinic }: Person, body: object = {}, isGone = () => false) =>
  exports.begin(consoleDatabase, clinic, { as: 'proof', to, ...body }, { now, isGone, record: () => undefined })
const codeOf = async (refused: Promise<unknown>) => {
  const { status, members } = await refused.then(
    () => assert.fail('it was taken'),
    (error) => error,
  )
  return [status, members.errors?.[0]?.code ?? members.retry_after]
}

test('an export that is too large is refused before its first byte, and says how to mend it', async () => {
  const { noa } = await logged(1190)
  const within = (limits: Partial<typeof LIMITS>) => new ActivityExports(failingLog, { ...LIMITS, ...limits })
  assert.deepEqual(await codeOf(begin(within({ mostRows: 11 }), noa)), [422, 'too_many_rows'])
  assert.deepEqual(await codeOf(begin(within({ mostRowsOfProof: 11 }), noa)), [422, 'too_many_rows'])
  assert.deepEqual(await codeOf(begin(within({ mostSeals: 5 }), noa)), [422, 'too_many_seals'])
  const all = await begin(within({ mostRows: 12, mostRowsOfProof: 12, mostSeals: 6 }), noa)
  assert.equal((await sound((await all.toArray()).join(''))).selected?.matching, 12)
  await assert.rejects(begin(within({ mostRows: 11 }), noa), /Choose a shorter period or a narrower filter/)
})

test('a clinic has one export at a time, other clinics theirs, and a reader who leaves makes room', async () => {
  const [{ noa }, { noa: dan }] = [await logged(1185), await logged(1180)]
  const exports = new ActivityExports(failingLog)
  const first = await begin(exports, noa)
  assert.deepEqual(await codeOf(begin(exports, noa)), [429, 60])
  await (await begin(exports, dan)).toArray()
  const closed = new Promise((resolve) => first.once('close', resolve))
  first.destroy()
  await closed
  await assert.rejects(
    begin(exports, noa, {}, () => true),
    /Nobody waits/,
  )
  await (await begin(exports, noa)).toArray()
  await (await begin(exports, noa, { as: 'rows' })).toArray()
})

test('an export that lasts too long breaks off, without its last line', async () => {
  const { noa } = await logged(1175)
  const lines: string[] = []
  const log = { ...failingLog, warn: (_: object, line: string) => void lines.push(line) }
  const stream = await begin(new ActivityExports(log, { ...LIMITS, mostWritingMs: 1 }), noa)
  const failed = new Promise<Error>((resolve) => stream.once('error', resolve))
  assert.match((await failed).message, /took too long/)
  assert.deepEqual(lines, ['an export of the activity broke off'])
})

test('an export breaks off when the session of whoever asked ends meanwhile', async () => {
  const { noa } = await logged(1170)
  let isOver = false
  const valid = () => {
    if (isOver) throw noLongerValid()
  }
  const log = { ...failingLog, warn: () => undefined }
  for (const as of ['rows', 'proof'] as const) {
    isOver = false
    const exporting = { now, isGone: () => false, record: () => undefined }
    const database = onlyWhile(valid, consoleDatabase)
    const stream = await new ActivityExports(log).begin(database, noa.clinic, { as, to }, exporting)
    isOver = true
    await assert.rejects(stream.toArray(), /revoked or has expired/)
  }
})

test('a wrong form or filter is refused with its place, and nothing is exported without a form', async () => {
  const { cookie } = await logged(1165)
  for (const [body, pointer] of [
    [{}, '#/as'],
    [{ as: 'pdf' }, '#/as'],
    [{ as: 'rows', limit: 5 }, '#/limit'],
    [{ as: 'rows', outcome: 'maybe' }, '#/outcome'],
    [{ as: 'proof', from: 'yesterday' }, '#/from'],
  ] as const) {
    const { status, text } = await exportAs(cookie, body)
    assert.deepEqual([status, JSON.parse(text).errors[0].pointer], [400, pointer])
  }
  assert.equal((await exportAs(null, { as: 'rows' })).status, 401)
})
