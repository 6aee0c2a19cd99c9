// The look-up of a patient in the console: by the beginning or the sound of a name, a phone or an id, and who was shown is on record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { audited, openConsole, send } from './console-ground.ts'
import { inRole, type SignedPerson } from './people-ground.ts'

const { owner, openForConsole } = await ownDatabase()
const opened = await openConsole(await openForConsole())

async function clinicOf(names: Readonly<Record<string, readonly [first: string, last: string]>>) {
  const noa = await inRole(opened, owner, 'owner')
  for (const [id, [first_name, last_name]] of Object.entries(names))
    await insertPatient(owner, noa.clinic, { id, first_name, last_name }, [`+97250111${id}`])
  return noa
}

async function found({ cookie }: SignedPerson, words: string): Promise<string[]> {
  const { status, json } = await send(opened, '/activity/patients', { cookie, body: { words } })
  assert.equal(status, 200)
  return json.data.map(({ id }: { id: string }) => id)
}

test('a patient is found by the sound of a name in another script, behind those whose name is written so', async () => {
  const noa = await clinicOf({
    1001: ['Dana', 'Cohen'],
    1002: ['דנה', 'כהן'],
    1003: ['Дана', 'Коэн'],
    1004: ['Noa', 'Levi'],
  })
  assert.deepEqual(await found(noa, 'כהן'), ['1002', '1001', '1003'])
  assert.deepEqual(await found(noa, 'Cohen'), ['1001', '1003', '1002'])
  assert.deepEqual(await found(noa, 'כהן דנה'), ['1002', '1001', '1003'])
  assert.deepEqual(await found(noa, 'לוי'), ['1004'])
  assert.deepEqual(await found(noa, 'Peretz'), [])
})

test('an id comes before a phone, and nobody of another clinic is found; each look-up names whom it showed', async () => {
  const other = await clinicOf({ 3001: ['Gil', 'Amar'] })
  const noa = await clinicOf({ 2001: ['Gil', 'Amar'], 2002: ['Tal', 'Gilboa'] })
  assert.deepEqual(await found(noa, '050-111-2002'), ['2002'])
  assert.deepEqual(await found(noa, ' 2001 '), ['2001'])
  assert.deepEqual(await found(noa, 'gil'), ['2001', '2002'])
  assert.deepEqual(await found(noa, '3001'), [])
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.patients.find')
  assert.deepEqual(
    rows.map(({ patient_ids }) => patient_ids),
    [['2002'], ['2001'], ['2001', '2002'], []],
  )
  assert.deepEqual(await found(other, 'gil'), ['3001'])
})
