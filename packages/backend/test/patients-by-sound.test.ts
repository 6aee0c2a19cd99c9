// Patients by the sound of their names, behind those found as they are written: in another script, and where none is found as it is
// written, in the same one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

const found = async (clinic: Clinic, query: object) => {
  const { data } = await ask(backend, clinic, 'patients.list', { query: { ...query } })
  return data.map(({ id }) => id)
}

/** A clinic of patients by id, with the parts of their names. */
async function clinicOf(people: Readonly<Record<string, string>>): Promise<Clinic> {
  const clinic = await testClinic(owner)
  for (const [id, name] of Object.entries(people)) {
    const [first_name = null, last_name = null] = name.split(' ')
    await insertPatient(owner, clinic, { id, first_name, last_name })
  }
  return clinic
}

const COHEN = { latin: 'David Cohen', hebrew: 'דוד כהן', arabic: 'دافيد كوهين', cyrillic: 'Давид Коэн' }
const MOHAMMED = { latin: 'Mohammed Khalil', hebrew: 'מוחמד חליל', arabic: 'محمد خليل', cyrillic: 'Мухаммад Халиль' }

test('a name in each of the four scripts is found in each of the others, behind the names of its own', async () => {
  const clinic = await clinicOf({ ...COHEN, other: 'Tal Shemesh', others: 'טל שמש' })
  const more = await clinicOf(MOHAMMED)
  for (const [script, name] of Object.entries(COHEN)) {
    const [first = '', last = ''] = name.split(' ')
    for (const query of [name, `${last} ${first}`, first, last]) {
      const [own, ...behind] = await found(clinic, { query })
      assert.deepEqual(
        [own, behind.sort()],
        [
          script,
          Object.keys(COHEN)
            .filter((other) => other !== script)
            .sort(),
        ],
        query,
      )
    }
  }
  for (const [script, name] of Object.entries(MOHAMMED)) {
    const [own, ...behind] = await found(more, { query: name })
    assert.deepEqual([own, behind.length], [script, 3], name)
  }
})

test('beside a name that is written so, a sound finds in other scripts only, and of a short one the whole part', async () => {
  const clinic = await clinicOf({
    levi: 'Noa Levi',
    lavi: 'Tal Lavi',
    hebrew: 'נעה לוי',
    levin: 'טל לבינגר',
    mohammed: 'محمد',
  })
  assert.deepEqual(await found(clinic, { query: 'levi' }), ['levi', 'hebrew'])
  assert.deepEqual((await found(clinic, { query: 'לוי' })).sort(), ['hebrew', 'lavi', 'levi'].sort())
  assert.deepEqual(await found(clinic, { query: 'moham' }), ['mohammed'])
  assert.deepEqual(await found(clinic, { query: 'mo' }), [])
  assert.deepEqual(await found(clinic, { query: 'levi noa' }), ['levi', 'hebrew'])
  assert.deepEqual(await found(clinic, { query: '77' }), [])
})

const MISHEARD = {
  fischer: 'Nina Fischer',
  lea: 'Lea Fischer',
  levi: 'Dana Levi',
  hebrew: 'דנה לוי',
  cohen: 'Yosef Cohen',
  rotem: 'Rotem',
  three: 'Anna-Maria Schmidt',
}

test('where no name is written so, one of the same script that sounds so is found', async () => {
  const clinic = await clinicOf(MISHEARD)
  const asked: readonly [query: string, ids: readonly string[]][] = [
    ['Nina Fisher', ['fischer']],
    ['fisher', ['lea', 'fischer']],
    ['Leah Fischer', ['lea']],
    ['Dana Levy', ['hebrew', 'levi']],
    ['דאנה לוי', ['hebrew', 'levi']],
    ['Josef Kohen', ['cohen']],
    ['roten', []],
    ['Rottem', ['rotem']],
    ['Rottem2', []],
    ['Mariah Ana Schmidt', ['three']],
    ['Mariah Ana Schmidt Nina', []],
    ['Maria Anna Shmidt', ['three']],
    // The first two as they are searched are written so, the third is not.
    ['Maria Ana Schmidt', ['three']],
    ['Maria Schmidt', ['three']],
    // Nobody has both names, but each is somebody's.
    ['Dana Fisher', []],
  ]
  for (const [query, ids] of asked) {
    assert.deepEqual(await found(clinic, { query }), ids, query)
    const changed = await found(clinic, { query, updated_since: '2020-01-01T00:00:00Z' })
    assert.deepEqual(changed.sort(), ids.toSorted(), query)
  }
})

test('a name that is written so hides those of its script that sound so, whoever the other filters keep', async () => {
  const clinic = await testClinic(owner)
  const phones = ['+972501234567']
  const born = { birth_date: '1990-05-01' }
  await insertPatient(owner, clinic, { id: 'levi', first_name: 'Noa', last_name: 'Levi' })
  await insertPatient(owner, clinic, { id: 'lavi', first_name: 'Noa', last_name: 'Lavi', ...born }, phones)
  await insertPatient(owner, clinic, { id: 'hebrew', first_name: 'נעה', last_name: 'לוי', ...born }, phones)
  const filters = [
    { phone: '0501234567' },
    { birthday_from: '05-01', birthday_to: '05-01' },
    { updated_since: '2020-01-01T00:00:00Z', phone: '0501234567' },
  ]
  for (const filter of filters) {
    assert.deepEqual(await found(clinic, { query: 'Noa Levi', ...filter }), ['hebrew'])
    const heard = await found(clinic, { query: 'Noa Levy', ...filter })
    assert.deepEqual(heard.sort(), ['hebrew', 'lavi'])
  }
  assert.deepEqual(await found(clinic, { query: 'Noa Levi' }), ['levi', 'hebrew'])
  for (const [query, ids] of [
    ['Noa Levi', []],
    ['Noa Levy', ['lavi', 'levi']],
  ] as const) {
    // Behind the last name in another script.
    const after = ['\u{10ffff}L', '']
    const { data } = await ask(backend, clinic, 'patients.list', { query: { query }, after })
    assert.deepEqual(data.map(({ id }) => id).sort(), ids)
  }
})

test('a name in two scripts is found once, by each of its words and by words in two scripts', async () => {
  const clinic = await clinicOf({ mixed: 'דוד Cohen', latin: 'David Cohen', three: 'Ben-Zion כהן' })
  for (const query of ['david cohen', 'דוד כהן', 'דוד cohen', 'david כהן'])
    assert.deepEqual((await found(clinic, { query })).sort(), ['latin', 'mixed'], query)
  assert.deepEqual(await found(clinic, { query: 'ben zion cohen' }), ['three'])
  assert.deepEqual(await found(clinic, { query: 'כהן בן ציון' }), ['three'])
  assert.deepEqual(await found(clinic, { query: 'כהן בן שמעון' }), [])
  assert.deepEqual((await found(clinic, { query: 'cohen', updated_since: '2020-01-01T00:00:00Z' })).sort(), [
    'latin',
    'mixed',
    'three',
  ])
  assert.deepEqual(await found(clinic, { query: 'ben zion cohen', updated_since: '2020-01-01T00:00:00Z' }), ['three'])
  assert.deepEqual(await found(clinic, { query: 'zion כהן ben', updated_since: '2020-01-01T00:00:00Z' }), ['three'])
  assert.deepEqual(await found(clinic, { query: 'zion כהן dan', updated_since: '2020-01-01T00:00:00Z' }), [])
})

test('pages go on from those found as written to those found by sound, each once', async () => {
  const people: Record<string, string> = {}
  for (let n = 0; n < 24; n++)
    people[`p${n}`] = ['Dan Levi', 'דן לוי', 'Дан Леви', 'دان ليفي', 'דן Levi', 'Levi דן'][n % 6] ?? ''
  const clinic = await clinicOf(people)
  const other = await clinicOf(people)
  // The last ones are nobody's as they are written.
  for (const query of ['levi', 'לוי', 'dan levi', 'Дан Леви', 'ليفي', 'levy', 'Dann Levy', 'ליווי']) {
    const all = (await ask(backend, clinic, 'patients.list', { query: { query }, limit: 100 })).data
    assert.equal(all.length, 24, query)
    for (const limit of [1, 5, 7, 23, 24])
      assert.deepEqual(
        await walk(backend, clinic, 'patients.list', { query: { query }, limit }),
        all,
        `${query} by ${limit}`,
      )
  }
  await insertPatient(owner, other, { id: 'only here', first_name: 'רותם' })
  assert.deepEqual(await found(clinic, { query: 'rotem' }), [])
  assert.deepEqual(await found(other, { query: 'rotem' }), ['only here'])
})

test('other filters narrow those found by sound', async () => {
  const clinic = await testClinic(owner)
  const phones = ['+972501234567']
  await insertPatient(
    owner,
    clinic,
    { id: 'latin', first_name: 'Noa', last_name: 'Levi', birth_date: '1990-05-01' },
    phones,
  )
  await insertPatient(
    owner,
    clinic,
    { id: 'hebrew', first_name: 'נעה', last_name: 'לוי', birth_date: '1990-06-01' },
    phones,
  )
  await insertPatient(owner, clinic, { id: 'alone', first_name: 'טל', last_name: 'לוי' })
  const email = { position: 9, type: 'email', value: 'noa@example.com', value_normal: 'noa@example.com' }
  for (const patient_id of ['hebrew', 'alone']) await insert(owner, clinic, 'patient_contact', { patient_id, ...email })
  const phone = '0501234567'
  assert.deepEqual(await found(clinic, { query: 'levi', phone }), ['latin', 'hebrew'])
  assert.deepEqual(await found(clinic, { query: 'levi', email: 'noa@example.com' }).then((ids) => ids.sort()), [
    'alone',
    'hebrew',
  ])
  assert.deepEqual(await found(clinic, { query: 'levi', phone, email: 'noa@example.com' }), ['hebrew'])
  assert.deepEqual(await found(clinic, { query: 'levi', birthday_from: '06-01', birthday_to: '06-30' }), ['hebrew'])
  assert.deepEqual(await found(clinic, { query: 'levi', owes_more_than: 0 }), [])
  const walked = await walk(backend, clinic, 'patients.list', { query: { query: 'levi', phone }, limit: 1 })
  assert.deepEqual(
    walked.map(({ id }) => id),
    ['latin', 'hebrew'],
  )
})
