// A selection of the audit log as a file: it holds the whole seals in which found rows stand, leads to the head, and says how many rows match.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql, utcSession } from '@clinic-data/database'
import { day, ONE, owner, Rounds, row, THREE, TWO } from '@clinic-data/testing/grounds/audit-ground'
import { verified } from '@clinic-data/testing/grounds/exported-file'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import type { Period } from '../src/export/entries.ts'
import type { RowFilter } from '../src/export/row-filter.ts'
import { planSelection, writeSelection } from '../src/export/selection.ts'

const EVERYTHING: RowFilter = {
  key_ids: null,
  integration: null,
  operation: null,
  surface: null,
  outside_console: false,
  outcome: null,
  resource_id: null,
  patient_id: null,
}
const ALL: Period = { since: null, until: null }

/** Rows of the two differ in everything that a filter may name. */
const BY: Record<string, object> = {
  p1: { operation: 'patients.list', surface: 'rest', status: 200 },
  p2: { operation: 'patients.get', surface: 'console', status: 404 },
}

/** Four days with a seal each, of two rows: one of p1 and one of p2; on the second day of p2 alone. One row of p1 has no seal yet. */
async function fourSeals(): Promise<Clinic> {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  const of = (patient: string, stored_at: string) =>
    row(clinic, {
      stored_at,
      key_id: `key_of_${patient}`,
      resource_ids: [`a_of_${patient}`, '', patient],
      ...BY[patient],
    })
  for (const [date, ...patients] of [
    [ONE, 'p1', 'p2'],
    [TWO, 'p2', 'p2'],
    [THREE, 'p2', 'p1'],
    [day(2), 'p2', 'p2'],
  ] as [string, ...string[]][]) {
    for (const [hour, patient] of patients.entries())
      await insert(owner, clinic, 'audit', of(patient, `${date} ${10 + hour}:00Z`))
    await rounds.next(clinic)
    await rounds.next(clinic)
  }
  await insert(owner, clinic, 'audit', of('p1', `${day(1)} 10:00Z`), of('p2', `${day(1)} 11:00Z`))
  return clinic
}

async function selected(clinic: Clinic, filter: Partial<RowFilter>, condition = sql`true`, period = ALL) {
  const { clinic_id } = clinic
  const found = await owner.read<{ id: number; stored_at: string }>(
    utcSession(clinic_id),
    sql`select id, stored_at from audit where clinic_id = ${clinic_id} and ${condition} order by id`,
  )
  const [first] = found
  const firstStoredMs = first === undefined ? null : Date.parse(first.stored_at.replace(' ', 'T').replace(/\+00$/, 'Z'))
  const plan = await planSelection(owner, clinic_id, { ids: found.map(({ id }) => id), firstStoredMs })
  const parts = {
    period,
    program: '0.2.0',
    now: new Date('2026-07-12T06:30:00Z'),
    filter: { ...EVERYTHING, ...filter },
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of writeSelection(owner, clinic_id, plan, parts)) chunks.push(chunk)
  return { plan, text: Buffer.concat(chunks).toString() }
}

const ofP1 = sql`'p1' = any(resource_ids)`
const sound = async (text: string, expected: string | null = null) => {
  const verdict = await verified(text, expected)
  assert.ok(verdict.sound, JSON.stringify(verdict))
  return verdict
}

test('a selection holds the whole seals of its rows, the others without rows, and says how many rows match', async () => {
  const clinic = await fourSeals()
  const { plan, text } = await selected(clinic, { patient_id: 'p1' }, ofP1)
  assert.deepEqual([plan.needed, plan.rows, plan.seals, plan.unsealed.length], [[1, 3], 4, 4, 1])
  const { rows, unsealed_rows, outside, seals, selected: what, head, there } = await sound(text)
  assert.deepEqual([rows, unsealed_rows, outside, seals], [4, 1, 2, { first: 1, last: 4 }])
  assert.deepEqual([what?.matching, what?.seals, what?.filter.patient_id], [3, 2, 'p1'])
  assert.deepEqual([there?.since, there?.until], [ONE, THREE])
  assert.equal((await sound(text, head)).proven_to, 4)
})

test('a selection begins behind the seal before its first row, also where rows of before have other days', async () => {
  const clinic = await fourSeals()
  const { text } = await selected(clinic, { patient_id: 'p1' }, sql`${ofP1} and stored_at >= ${`${THREE} 00:00Z`}`, {
    since: `${THREE}T00:00:00.000Z`,
    until: null,
  })
  const { before, seals, rows, selected: what } = await sound(text)
  assert.deepEqual([before?.split('.')[0], seals, rows, what?.matching], ['2', { first: 3, last: 4 }, 2, 2])
})

test('a selection without rows is a sound file that says so', async () => {
  const clinic = await fourSeals()
  const { text } = await selected(clinic, { patient_id: 'nobody' }, sql`false`)
  const { rows, seals, selected: what, head } = await sound(text)
  assert.deepEqual([rows, seals, what?.matching, head?.split('.')[0]], [0, null, 0, '4'])
  const empty = await testClinic(owner)
  assert.equal((await sound((await selected(empty, {}, sql`false`)).text)).head, null)
})

const ofP2 = sql`'p2' = any(resource_ids)`
const FILTERS: [filter: Partial<RowFilter>, condition: Statement][] = [
  [{}, sql`true`],
  [{ key_ids: ['key_of_p1', 'other'] }, ofP1],
  [{ key_ids: [], integration: 'int_1' }, sql`false`],
  [{ operation: 'patients.list' }, ofP1],
  [{ surface: 'rest' }, ofP1],
  [{ outside_console: true }, ofP1],
  [{ outcome: 'done' }, ofP1],
  [{ outcome: 'refused' }, ofP2],
  [{ outcome: 'failed' }, sql`false`],
  [{ resource_id: 'a_of_p1' }, ofP1],
  [{ resource_id: 'p1' }, sql`false`],
  [{ patient_id: 'p1' }, ofP1],
  [{ patient_id: 'p1', outcome: 'refused' }, sql`false`],
  [{ operation: 'a;"‮\u0007</script>' }, sql`false`],
]

test('the verification finds the rows of each filter again, whatever somebody wrote into it', async () => {
  const clinic = await fourSeals()
  for (const [filter, condition] of FILTERS) {
    const { plan, text } = await selected(clinic, filter, condition)
    const { selected: what } = await sound(text)
    assert.deepEqual([what?.matching, what?.filter], [plan.matching, { ...EVERYTHING, ...filter }])
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  }
})

/** As somebody makes the last line who knows how. */
function forged(text: string): string {
  const lines = text.trimEnd().split('\n')
  const before = lines
    .slice(0, -1)
    .map((line) => `${line}\n`)
    .join('')
  const last = (lines.at(-1) ?? '').replace(/"sha256":"[0-9a-f]{64}"/, '"sha256":""')
  return `${before}${last.replace('"sha256":""', `"sha256":"${hash('sha256', before + last)}"`)}\n`
}

test('a changed byte of a selection is found and named, and so are another filter, another number and a row less', async () => {
  const clinic = await fourSeals()
  const { text } = await selected(clinic, { patient_id: 'p1' }, ofP1)
  assert.ok((await verified(forged(text))).sound)
  for (let at = 0; at < text.length; at += 11) {
    const other = text[at] === '0' ? '1' : '0'
    const verdict = await verified(text.slice(0, at) + other + text.slice(at + 1))
    assert.ok(!verdict.sound && verdict.line > 0, text.slice(Math.max(0, at - 20), at + 20))
  }
  const lines = text.trimEnd().split('\n')
  const tampers: [file: string, reason: RegExp][] = [
    [text.replace('"patient_id":"p1"', '"patient_id":"p2"'), /made for 3 rows, 2 of its rows match its filter/],
    [text.replace('"matching":3', '"matching":2'), /made for 2 rows, 3 of its rows match/],
    [text.replace('"filter":{', '"filter":{"note":1,'), /neither a row nor a seal|says otherwise/],
    [text.replace(/"filter":\{.*\},"matching":3,/, ''), /neither a row nor a seal/],
    [text.replace('"type":"selection"', '"type":"export"'), /neither a row nor a seal/],
    [text.replace(lines[2] ?? '', '').replace('\n\n', '\n'), /covers 2 rows of .*, 1 are there/],
    [text.replace('"rows":"outside"', '"rows":"here"'), /its 2 rows of .* are gone/],
  ]
  for (const [file, reason] of tampers) {
    const verdict = await verified(forged(file))
    assert.match(verdict.sound ? 'it was found sound' : verdict.reason, reason)
  }
})

test('a selection that was cut off anywhere is not sound', async () => {
  const clinic = await fourSeals()
  const { text } = await selected(clinic, { patient_id: 'p1' }, ofP1)
  const lines = text.match(/[^\n]*\n/g) ?? []
  for (let kept = 0; kept < lines.length; kept++) {
    const verdict = await verified(lines.slice(0, kept).join(''))
    assert.ok(!verdict.sound)
    assert.match(verdict.reason, /cut off|empty/)
  }
})

test('a selection of large seals, with others between them, holds each row of its own seals once', async () => {
  const [clinic, rounds] = [await testClinic(owner), new Rounds()]
  for (const [n, patient] of ['p1', 'p2', 'p1', 'p2', 'p2', 'p1'].entries()) {
    const others = Array.from({ length: 900 }, () =>
      row(clinic, { stored_at: `${TWO} 1${n}:00Z`, resource_ids: ['a1', '', 'p2'] }),
    )
    await insert(
      owner,
      clinic,
      'audit',
      ...others,
      row(clinic, { stored_at: `${TWO} 1${n}:30Z`, resource_ids: ['a2', '', patient] }),
    )
    await rounds.next(clinic)
    await rounds.next(clinic)
  }
  const { plan, text } = await selected(clinic, { patient_id: 'p1' }, ofP1)
  assert.deepEqual(plan.needed, [1, 3, 6])
  const { rows, outside, selected: what } = await sound(text)
  assert.deepEqual([rows, outside, what?.matching, what?.seals], [3 * 901, 3, 3, 3])
})
