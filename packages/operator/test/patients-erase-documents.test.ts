// The erasure of accounting documents whose page says too little of whom it was issued for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/run/test-service'
import { eraseGround } from './erase-ground.ts'
import { OTHER, OWN, twoPatients } from './two-patients.ts'
import { everythingOf } from './used-clinic.ts'

const { owner, service, erase } = await eraseGround()

const FORMER = { first_name: 'Another', last_name: 'Name' }
const NOT_CORRECTED = 'whose payment it has always been of'

for (const [what, whose, then, later, change] of [
  ['names nobody', NOT_CORRECTED, { first_name: null, last_name: null, id_number: null }, {}, null],
  [
    'names nobody, as an earlier version issued it',
    NOT_CORRECTED,
    { first_name: null, last_name: null, id_number: null },
    {},
    sql`update payment_document set named_patient_id = null`,
  ],
  ['has a former name', NOT_CORRECTED, { id_number: null }, FORMER, null],
  [
    'has a former name and the identity number',
    'for whom it was issued, though its payment was corrected to another',
    {},
    FORMER,
    sql`update payment set patient_id = ${OTHER}`,
  ],
] as const)
  test(`a document that ${what} is erased with the patient ${whose}`, async () => {
    const { clinic, key } = await twoPatients(service)
    const { clinic_id } = clinic
    const become = (row: Readonly<Record<string, string | null>>) =>
      Promise.all(
        Object.entries(row).map(([column, value]) =>
          owner.query(
            sql`update patient set ${sql.identifier(column)} = ${value} where clinic_id = ${clinic_id} and id = ${OWN}`,
          ),
        ),
      )
    await become(then)
    const body = { amount: 70, method_type: 'cash', description: `${OWN}-purpose` }
    const { json } = await ask(service, key, `/v1/patients/${OWN}/payments`, { method: 'POST', body })
    if (change !== null) await owner.query(sql`${change} where clinic_id = ${clinic_id}`)
    await become(later)
    await erase(clinic, '--yes')
    const held = await everythingOf(owner, clinic)
    const page = held.get('payment_document')?.find(({ payment_id }) => payment_id === json.data.id)
    assert.partialDeepStrictEqual(page?.content, { customer: { name: '', id_number: null }, description: null })
  })
