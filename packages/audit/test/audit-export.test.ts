// An exported audit log: what its file holds in each format, and that it verifies from the file alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { add, day, ONE, owner, Rounds, row, sealed, THREE, TWO } from '@clinic-data/testing/grounds/audit-ground'
import { exported, verified } from '@clinic-data/testing/grounds/exported-log'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { formatNames } from '../src/export/entries.ts'
import { AuditExport } from '../src/export/export-log.ts'
import { storedIds } from '../src/stored-ids.ts'

const sound = async (text: string, expected: string | null = null) => {
  const verdict = await verified(text, expected)
  assert.ok(verdict.sound, JSON.stringify(verdict))
  return verdict
}

const linesOf = (text: string) => text.trimEnd().split('\n')
const jsonOf = (text: string) => linesOf(text).map((line) => JSON.parse(line))

/** Ids that somebody chose to break a format: of a shell, a spreadsheet, a terminal, a line, a quote. */
const STRANGE = [
  'p"1,{}',
  "=cmd|' /C calc'!A0",
  'a;=1+1',
  'נועה ‮abc',
  'x\\u003b\\',
  'tab\tand\nline',
  '[,"[',
  '😀\u{e0041}',
  '"\r',
]

async function strangeLog(): Promise<Clinic> {
  const { clinic, rounds } = await sealed()
  const named = { resource_ids: STRANGE, patient_ids: [...STRANGE, '\u007f'], problem: 'not-found' as const }
  const stored = { ...row(clinic, { stored_at: `${THREE} 10:00Z` }), status: 404, key_id: '-1+1;=2', request_id: '' }
  await insert(owner, clinic, 'audit', { ...stored, resource_ids: storedIds(named) })
  const older = { ...stored, operation: 'x.constructor', address: '__proto__' }
  await insert(owner, clinic, 'audit', { ...older, resource_ids: storedIds({ resource_ids: STRANGE }) })
  await rounds.next(clinic)
  await rounds.next(clinic)
  await add(clinic, `${day(2)} 10:00Z`)
  return clinic
}

for (const format of formatNames)
  test(`an exported log verifies from its file alone, whatever its ids are: ${format}`, async () => {
    const clinic = await strangeLog()
    const text = await exported(clinic, format)
    const { rows, seals, unsealed_rows, there, head, before } = await sound(text)
    assert.deepEqual([rows, seals, unsealed_rows, before], [6, { first: 1, last: 3 }, 1, null])
    assert.deepEqual(there, { since: ONE, until: THREE, first: 1, last: 3 })
    assert.equal((await sound(text, head)).proven_to, 3)
    // Nothing in the file steers a terminal, or shows one text as another.
    assert.doesNotMatch(text.replaceAll(/\r?\n/g, '').replace('\uFEFF', ''), /[\p{Cc}\p{Cf}]/u)
  })

test('a line of NDJSON has the fields of a row by name, oldest first, and says which seal covers it', async () => {
  const [first, ...entries] = jsonOf(await exported(await strangeLog()))
  assert.deepEqual([first.type, first.format, first.before], ['export', 'ndjson', { number: 0, last_id: 0, hash: '' }])
  assert.deepEqual(
    entries.map(({ type, seal, number }) => [type, seal ?? number ?? null]),
    [
      ...[
        ['row', 1],
        ['row', 1],
        ['seal', 1],
        ['row', 2],
        ['row', 2],
        ['seal', 2],
      ],
      ...[
        ['row', 3],
        ['row', 3],
        ['seal', 3],
        ['row', null],
        ['end', null],
      ],
    ],
  )
  const { canonical, stored_at, id, ...fields } = entries[6]
  assert.deepEqual(fields, {
    type: 'row',
    seal: 3,
    at: '2026-07-12T06:30:00.123+00:00',
    key_id: '-1+1;=2',
    operation: 'patients.list',
    surface: 'rest',
    status: 404,
    problem: 'not-found',
    required_scope: null,
    count: 2,
    resource_ids: STRANGE,
    patient_ids: [...STRANGE, '\u007f'],
    request_id: '',
    address: '192.0.2.1',
  })
  assert.deepEqual(JSON.parse(canonical).slice(0, 2), [stored_at, id])
  assert.equal(entries[7].patient_ids, null)
})

test('no part of a CSV is a formula, also where ; takes lines apart, and its proofs stand in the last column', async () => {
  const text = await exported(await strangeLog(), 'csv')
  assert.match(text, /^\uFEFFtype,id,seal,stored_at,.*,address,proof\r\n/)
  for (const line of text.split('\r\n').slice(1)) {
    assert.doesNotMatch(line, /(^|[,;]|,")\s*[=+@-]/)
    assert.doesNotMatch(line, /[\r\n\t]/)
  }
})

test('an event of OCSF is an API Activity with what the class requires, and the rest unmapped', async () => {
  const events = jsonOf(await exported(await strangeLog(), 'ocsf'))
  const event = events[7]
  assert.deepEqual([event.class_uid, event.category_uid, event.type_uid, event.activity_id], [6003, 6, 600302, 2])
  assert.deepEqual([event.status_id, event.status_code, event.status_detail], [2, '404', 'not-found'])
  assert.equal(event.time, Date.parse('2026-07-12T06:30:00.123Z'))
  assert.deepEqual(event.actor, { user: { uid: '-1+1;=2', type_id: 4, type: 'Service' } })
  assert.deepEqual(event.src_endpoint, { ip: '192.0.2.1' })
  assert.equal(event.api.operation, 'patients.list')
  assert.equal(event.resources.filter(({ type }: { type?: string }) => type === 'patient').length, STRANGE.length + 1)
  assert.deepEqual([event.unmapped.seal, event.unmapped.resource_count, event.count], [3, 2, undefined])
  assert.deepEqual([events[0].class_uid, events[0].type_uid, events[3].class_uid], [0, 99, 0])
})

test('an event of OCSF says whether a person, an operator or the watch worked in the console', async () => {
  const { clinic, rounds } = await sealed()
  const ids = ['adm_1', 'operator:dana', 'watch']
  for (const key_id of ids)
    await insert(owner, clinic, 'audit', {
      ...row(clinic, { stored_at: `${THREE} 10:00Z` }),
      key_id,
      surface: 'console',
    })
  await rounds.next(clinic)
  await rounds.next(clinic)
  const users = jsonOf(await exported(clinic, 'ocsf')).flatMap(({ actor }) => (actor === undefined ? [] : [actor.user]))
  assert.deepEqual(
    users.filter(({ uid }) => ids.includes(uid)),
    [
      { uid: 'adm_1', type_id: 1, type: 'User' },
      { uid: 'operator:dana', type_id: 2, type: 'Admin' },
      { uid: 'watch', type_id: 3, type: 'System' },
    ],
  )
})

test('a period is widened to whole seals, begins behind an earlier seal, and still leads to the head', async () => {
  const clinic = await strangeLog()
  const whole = await sound(await exported(clinic))
  const first = JSON.parse(linesOf(await exported(clinic))[3] ?? '')
  const period = { since: `${TWO}T08:00:00.000Z`, until: `${TWO}T09:00:00.001Z` }
  const text = await exported(clinic, 'ndjson', period)
  const { rows, seals, there, outside, unsealed_rows, before, head } = await sound(text, whole.head)
  assert.deepEqual([rows, seals, outside, unsealed_rows], [2, { first: 2, last: 3 }, 1, 0])
  assert.deepEqual([there?.first, there?.last, there?.since], [2, 2, TWO])
  assert.deepEqual([before, head], [`1.${first.hash}`, whole.head])
  assert.deepEqual(jsonOf(text)[0].period, { ...period, widened_to: 'whole seals' })
  // The period holds one of two rows of the seal.
  const one = { since: `${ONE}T10:00:00.000Z`, until: `${ONE}T10:00:00.001Z` }
  assert.equal((await sound(await exported(clinic, 'csv', one))).rows, 2)
  // No seal holds a row of it, on a day with rows and on one without.
  for (const since of [`${TWO}T10:00:00.000Z`, `${day(1)}T00:00:00.000Z`]) {
    const none = await sound(await exported(clinic, 'ocsf', { since, until: `${since.slice(0, 10)}T23:00:00.000Z` }))
    assert.deepEqual([none.rows, none.there, none.head], [0, null, whole.head])
  }
  const unsealed = await sound(await exported(clinic, 'ndjson', { since: `${day(2)}T00:00:00.000Z`, until: null }))
  assert.deepEqual([unsealed.rows, unsealed.unsealed_rows, unsealed.seals], [0, 1, null])
})

test('a log of which nothing is sealed yet is exported with its rows, and one without rows too', async () => {
  const clinic = await testClinic(owner)
  assert.deepEqual((await sound(await exported(clinic))).head, null)
  await add(clinic, `${ONE} 10:00Z`)
  const { rows, unsealed_rows, head } = await sound(await exported(clinic, 'csv'))
  assert.deepEqual([rows, unsealed_rows, head], [0, 1, null])
})

test('days that the retention dropped keep their seals in the file, and the verification says where rows begin', async () => {
  const clinic = await strangeLog()
  const { clinic_id } = clinic
  const { head } = await sound(await exported(clinic))
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at < ${`${TWO}T00:00Z`}`)
  const kept = await sound(await exported(clinic), head)
  assert.deepEqual([kept.rows, kept.seals, kept.dropped?.last], [4, { first: 1, last: 3 }, 1])
  assert.deepEqual([kept.there?.since, kept.there?.first], [TWO, 2])
  await owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at < ${`${THREE}T23:00Z`}`)
  assert.deepEqual((await sound(await exported(clinic))).there, null)
})

test('rows that are gone from the middle of the log are found in its export', async () => {
  const clinic = await strangeLog()
  await owner.query(sql`delete from audit where clinic_id = ${clinic.clinic_id} and stored_at = ${`${TWO} 09:00Z`}`)
  const verdict = await verified(await exported(clinic))
  assert.ok(!verdict.sound)
  assert.deepEqual([verdict.seal, verdict.reason], [2, `its 2 rows of ${TWO} are gone, and those of ${ONE} are there`])
})

test('a row that was changed in the database is found in its export, which holds what is stored', async () => {
  const { clinic } = await sealed()
  await owner.query(
    sql`update audit set status = 403 where clinic_id = ${clinic.clinic_id} and stored_at = ${`${TWO} 09:00Z`}`,
  )
  const text = await exported(clinic)
  assert.equal(jsonOf(text).filter(({ status }) => status === 403).length, 2)
  const verdict = await verified(text)
  assert.ok(!verdict.sound && verdict.seal === 2 && /rows were changed/.test(verdict.reason))
})

test('an export is given out in pieces that do not grow with the log, and nothing before its own row is stored', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const long = row(clinic, {
    stored_at: `${ONE} 10:00Z`,
    resource_ids: Array.from({ length: 40 }, (_, n) => `${n}`.repeat(9)),
  })
  for (let n = 0; n < 4; n++) await insert(owner, clinic, 'audit', ...Array.from({ length: 600 }, () => long))
  await rounds.next(clinic)
  await rounds.next(clinic)
  const events: (readonly string[] | number)[] = []
  const audit = async (exported: readonly string[]) => void events.push(exported)
  const period = { since: null, until: null }
  const log = new AuditExport(owner, clinic.clinic_id, { format: 'ocsf', period, program: '0', now: new Date(), audit })
  for await (const chunk of log.content()) events.push(chunk.length)
  const [names, ...chunks] = events
  const verdict = log.verdict()
  assert.ok(verdict.sound && verdict.rows === 2_400)
  assert.deepEqual(names, [clinic.clinic_id, 'seals:1-1', verdict.head])
  assert.ok(chunks.length > 50)
  assert.ok(
    chunks.every((bytes) => Number(bytes) < 80_000),
    chunks.join(' '),
  )
})
