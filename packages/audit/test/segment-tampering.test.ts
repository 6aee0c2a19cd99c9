// Tampering with a packed audit log: each changed segment, index and count is found, and named by the seal of its rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql, utcSession } from '@clinic-data/database'
import { app, dayBefore, makeDay, now, owner, sealedClinic, verify } from '@clinic-data/testing/grounds/packed-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { packDays } from '../src/segments/pack-days.ts'
import { EVERYWHERE, searchSegments } from '../src/segments/read-segments.ts'
import { Segment } from '../src/segments/segment.ts'
import { writeSegment } from '../src/segments/write-segment.ts'

const [FIRST, SECOND] = [dayBefore(1001), dayBefore(1000)]
for (const day of [FIRST, SECOND]) await makeDay(day)

/** Two packed days of two rows each, and so two seals and two segments. All clinics of this file share the days. */
const clinics = await Promise.all(
  Array.from({ length: 17 }, () =>
    sealedClinic(
      { stored_at: `${FIRST} 09:00Z` },
      { stored_at: `${FIRST} 10:00Z`, key_id: 'key_2' },
      { stored_at: `${SECOND} 09:00Z`, resource_ids: ['p2', '', 'p2'] },
      { stored_at: `${SECOND} 10:00Z` },
    ),
  ),
)
await packDays(owner, now)
const next = (): Clinic => clinics.pop() ?? assert.fail('no clinic is left')

async function contentOf({ clinic_id }: Clinic, day: string): Promise<Buffer> {
  const { rows } = await owner.query<{ content: Buffer }>(
    sql`select content from audit_segment where clinic_id = ${clinic_id} and day = ${day}`,
  )
  return rows[0]?.content ?? assert.fail('the day has no segment')
}

const setContent = ({ clinic_id }: Clinic, day: string, content: Buffer): Statement =>
  sql`update audit_segment set content = ${content} where clinic_id = ${clinic_id} and day = ${day}`

async function rewritten(clinic: Clinic, day: string, key_id: string): Promise<Statement> {
  const [first, ...others] = new Segment(await contentOf(clinic, day)).rows()
  return setContent(clinic, day, writeSegment([{ ...(first ?? assert.fail()), key_id }, ...others]))
}

const inSecond = (what: Statement) => (clinic: Clinic) =>
  sql`update audit_segment set ${what} where clinic_id = ${clinic.clinic_id} and day = ${SECOND}`

/** A compressed column begins with these. */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

type Tamper = (clinic: Clinic) => Statement | Promise<Statement>

const tampers: readonly [what: string, number: number, reason: RegExp, Tamper][] = [
  ['a changed row in a segment', 2, /rows were changed/, (clinic) => rewritten(clinic, SECOND, 'key_3')],
  [
    'a segment that is gone',
    2,
    /its 2 rows of .* are gone/,
    ({ clinic_id }) => sql`delete from audit_segment where clinic_id = ${clinic_id} and day = ${SECOND}`,
  ],
  [
    'the content of another day',
    1,
    /covers 2 rows of .*, 4 are there/,
    async (clinic) => setContent(clinic, SECOND, await contentOf(clinic, FIRST)),
  ],
  [
    'a byte of a segment',
    2,
    /segment of its rows cannot be read/,
    async (clinic) => {
      const content = await contentOf(clinic, SECOND)
      content.writeUInt8(0, content.indexOf(ZSTD))
      return setContent(clinic, SECOND, content)
    },
  ],
  [
    'a cut segment',
    2,
    /segment of its rows cannot be read/,
    async (clinic) => setContent(clinic, SECOND, (await contentOf(clinic, SECOND)).subarray(0, -1)),
  ],
  [
    'an empty segment',
    2,
    /segment of its rows cannot be read/,
    (clinic) => setContent(clinic, SECOND, Buffer.alloc(0)),
  ],
  ['a count', 2, /segment counts 3 rows and holds 2/, inSecond(sql`row_count = 3`)],
  ['the kinds', 2, /kinds of its segment were changed/, inSecond(sql`kinds = 'x'`)],
  ['the first number', 2, /first_id of its segment was changed/, inSecond(sql`first_id = first_id - 1`)],
  ['the first time', 2, /stored_from of its segment/, inSecond(sql`stored_from = '2000-01-01Z'`)],
  ['the last time', 2, /stored_to of its segment/, inSecond(sql`stored_to = '2100-01-01Z'`)],
  ['what names records only', 2, /records_only_to of its segment/, inSecond(sql`records_only_to = now()`)],
  [
    'names that are gone',
    2,
    /names of its segment were changed/,
    ({ clinic_id }) => sql`delete from audit_segment_names where clinic_id = ${clinic_id} and day = ${SECOND}`,
  ],
  [
    'names of another segment',
    2,
    /names of its segment were changed/,
    ({ clinic_id }) => sql`update audit_segment_names set fingerprints = other.fingerprints
      from audit_segment_names other where audit_segment_names.clinic_id = ${clinic_id} and audit_segment_names.day = ${SECOND}
        and other.clinic_id = ${clinic_id} and other.day = ${FIRST}`,
  ],
  [
    'a segment that no seal covers',
    3,
    /a segment has rows that no seal covers/,
    ({ clinic_id }) => sql`insert into audit_segment
      (clinic_id, first_id, last_id, day, row_count, stored_from, stored_to, kinds, content)
      select clinic_id, last_id + 1, last_id + 2, day, row_count, stored_from, stored_to, kinds, content
      from audit_segment where clinic_id = ${clinic_id} and day = ${SECOND}`,
  ],
  [
    'rows that are in the table again',
    1,
    /covers 2 rows of .*, 3 are there/,
    ({
      clinic_id,
    }) => sql`insert into audit (clinic_id, id, stored_at, at, key_id, operation, surface, resource_ids, count,
        status, request_id, address) overriding system value
      select clinic_id, first_id, stored_from, now(), 'key_1', 'patients.get', 'rest', '{}', 1, 200, 'r', 'a'
      from audit_segment where clinic_id = ${clinic_id} and day = ${FIRST}`,
  ],
]

for (const [what, number, reason, tamper] of tampers) {
  test(`found in a packed log, at the seal of its rows: ${what}`, async () => {
    const clinic = next()
    const sound = await verify(clinic)
    assert.ok(sound.sound && sound.rows === 4, JSON.stringify(sound))
    const { rowCount } = await owner.query(await tamper(clinic))
    assert.ok(rowCount > 0)
    const verdict = await verify(clinic)
    assert.ok(!verdict.sound, JSON.stringify(verdict))
    assert.deepEqual([verdict.number, reason.test(verdict.reason)], [number, true], verdict.reason)
  })
}

test('a segment that cannot be read fails a search with its number, and says nothing of its content', async () => {
  const [clinic, other] = [next(), await testClinic(owner)]
  await owner.query(setContent(clinic, SECOND, Buffer.from('patient-77')))
  const search = ({ clinic_id }: Clinic) =>
    app.write(utcSession(clinic_id), (tx) => searchSegments(tx, clinic_id, { ...EVERYWHERE, kinds: {}, limit: 9 }))
  await assert.rejects(search(clinic), (error: Error) => {
    assert.match(error.message, /^the segment \d+ of the audit log of the clinic \S+ cannot be read$/)
    return true
  })
  assert.deepEqual(await search(other), [])
})
