// Tests that the ids of an audit row come back as they were stored, and a search by a patient finds it in nothing but the patients.
import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { namedIn, namesPatient, namesRecord, peopleIn, peopleNamed, storedIds } from '../src/stored-ids.ts'

const { owner } = await testDatabase()

const ids = fc.array(fc.constantFrom('17', 'p1', 'forbidden', 'payments:read', 'null', '{"a"}', "p'2"), {
  maxLength: 5,
})
const named = fc.record({
  resource_ids: ids,
  patient_ids: ids,
  refusal: fc.option(
    fc.record({ problem: fc.constant('forbidden' as const), required_scope: fc.constant('payments:read') }),
  ),
})

/** Whether the search for this patient finds a row of an operation that is not about patients themselves. */
async function isFound(stored: readonly string[], patient_id: string, operation = 'appointments.list', status = 200) {
  const { rows } = await owner.query<{
    is_found: boolean
  }>(sql`select ${namesPatient({ patient_id, records: {} })} as is_found
    from (select ${stored}::text[] as resource_ids, ${operation}::text as operation, ${status}::integer as status) row`)
  return rows[0]?.is_found === true
}

async function isRecordFound(stored: readonly string[], resource_id: string) {
  const { rows } = await owner.query<{ is_found: boolean }>(sql`select ${namesRecord(resource_id)} as is_found
    from (select ${stored}::text[] as resource_ids) row`)
  return rows[0]?.is_found === true
}

test('what is stored is read back, and each patient finds it, whatever record has the same id', async () => {
  await fc.assert(
    fc.asyncProperty(named, async ({ resource_ids, patient_ids, refusal }) => {
      const stored = storedIds({ resource_ids, patient_ids, ...refusal })
      const refused = refusal ?? { problem: null, required_scope: null }
      assert.deepEqual(namedIn(stored), { resource_ids, patient_ids, ...refused })
      for (const id of ['17', 'p1', 'forbidden', 'payments:read', "p'2"]) {
        const found = [await isFound(stored, id), await isRecordFound(stored, id)]
        const expected = [patient_ids, resource_ids].map((ids) => ids.some((one) => one === id))
        assert.deepEqual(found, expected, `${id} in ${JSON.stringify(stored)}`)
      }
    }),
    { seed: Number(process.env.TEST_SEED), numRuns: 60 },
  )
})

test('the people of a row are its patients, or the leads of a read of leads, in the table and outside of it', async () => {
  for (const [operation, people] of [
    ['leads.get', ['lead 17', `lead ${'x'.repeat(123)}`]],
    ['leads.create', ['p1']],
    ['calls.list', ['p1']],
  ] as const) {
    const resource_ids = storedIds({ resource_ids: ['17', 'x'.repeat(128)], patient_ids: ['p1'] })
    const { rows } = await owner.query<{ people: string[] }>(sql`select ${peopleIn} as people
      from (select ${resource_ids}::text[] as resource_ids, ${operation}::text as operation) row`)
    assert.deepEqual([rows[0]?.people, peopleNamed({ operation, resource_ids })], [people, people])
  }
})

test('an empty text among the ids, as of a path without a readable id, ends no list', () => {
  const { resource_ids, patient_ids } = namedIn(storedIds({ resource_ids: ['', 'a1'], patient_ids: ['p1', '', 'p2'] }))
  assert.deepEqual([resource_ids, patient_ids], [['a1'], ['p1', 'p2']])
  assert.equal(namedIn(storedIds({ resource_ids: [''] })).patient_ids, null)
})

test('of a row of an earlier version a search finds what is certain: a patient that was answered, or in the path of a refusal', async () => {
  const older = storedIds({ resource_ids: ['17', 'p1'] })
  assert.deepEqual(namedIn(older), {
    resource_ids: ['17', 'p1'],
    patient_ids: null,
    problem: null,
    required_scope: null,
  })
  const found = [
    await isFound(older, '17', 'patients.list'),
    await isFound(older, '17', 'treatments.list', 403),
    await isFound(older, '17', 'treatments.list'),
    await isFound(older, '17', 'appointments.get'),
  ]
  assert.deepEqual(found, [true, true, false, false])
})
