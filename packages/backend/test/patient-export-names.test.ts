// Whose a name is in the export of one person: leads and documents carry names, and no id.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNameOf, partsOf } from '@clinic-data/records/persons/whose'
import type { Person } from '../src/patient-export/person.ts'

const clinic = {
  clinic_id: 'springfield',
  time_zone: 'UTC',
  currency: 'ILS',
  country: 'IL',
  week_start: 0 as const,
  min_visit_minutes: 15,
}

function personNamed(first_name: string | null, last_name: string | null): Person {
  const none = new Set<string>()
  const known = { payments: none, appointments: none, id_number: null, withDoubtful: false }
  return { clinic, patient_id: 'p1', name: partsOf(first_name, last_name), ...known }
}

test('a name is the person’s when one of the two has all parts of the other, however it is written', () => {
  const noa = personNamed('Noa', 'Ben-Ami')
  for (const [first, last] of [
    ['noa', 'BEN AMI'],
    ['Noa', null],
    ['Ben-Ami', 'Noa'],
    ['Noa Ruth', 'Ben-Ami'],
  ] as const)
    assert.ok(isNameOf(noa, partsOf(first, last)), `${first} ${last}`)
  const hebrew = personNamed('נֹעָה', 'לוי')
  assert.ok(isNameOf(hebrew, partsOf('נעה', null)))
})

test('a relative’s name, another script and no name at all are nobody’s', () => {
  const noa = personNamed('Noa', 'Levi')
  for (const [first, last] of [
    ['Dan', 'Levi'],
    ['Noa', 'Cohen'],
    ['נועה', 'לוי'],
    ['', ''],
    [null, null],
  ] as const)
    assert.ok(!isNameOf(noa, partsOf(first, last)), `${first} ${last}`)
  assert.ok(!isNameOf(personNamed(null, null), partsOf('Noa', 'Levi')))
  assert.ok(!isNameOf(personNamed(null, null), partsOf(null)))
})
