// What a version that knows no erasures has brought back of an erased patient: the next erasure finds it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { insert } from '@clinic-data/testing/grounds/rows'
import { eraseGround } from './erase-ground.ts'
import { OWN } from './two-patients.ts'
import { everythingOf, foreignOf, marksOf, type Row, usedClinic } from './used-clinic.ts'

const { owner, service, clinicd, erase } = await eraseGround()

/** Puts rows of before into their tables again, as a version does that does not know of erasures. */
async function bringBack(clinic: Clinic, before: ReadonlyMap<string, Row[]>, tables: readonly string[]) {
  for (const table of tables) {
    const json = JSON.stringify(before.get(table)?.filter((row) => OF_OWN.test(JSON.stringify(row))))
    const session = utcSession(clinic.clinic_id)
    const stored = await owner.read<{ name: string }>(
      session,
      sql`select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    )
    const columns = stored.map(({ name }) => sql.identifier(name))
    const same = sql.join(columns.map((column) => sql`${column} = excluded.${column}`))
    const key = sql.join((KEYS[table] ?? ['id']).map((column) => sql.identifier(column)))
    await owner.query(sql`insert into ${sql.identifier(table)} (${sql.join(columns)})
      select ${sql.join(columns)} from jsonb_populate_recordset(null::${sql.identifier(table)}, ${json}::jsonb)
      on conflict (clinic_id, ${key}) do update set ${same}`)
  }
}

const CAME_BACK = [
  ...['patient', 'patient_contact', 'appointment', 'payment', 'file', 'file_piece', 'call'],
  ...['chat_conversation', 'chat_message', 'lead', 'lead_activity'],
]
const KEYS: Readonly<Record<string, readonly string[]>> = {
  patient_contact: ['patient_id', 'position'],
  file_piece: ['file_id', 'position'],
}
const OF_OWN = new RegExp(`"${OWN}[-"]|"out_1001"`)

for (const tables of [
  CAME_BACK,
  ['chat_conversation'],
  ['file', 'file_piece', 'call', 'chat_conversation', 'chat_message'],
  ['lead', 'lead_activity'],
  ['appointment'],
  ['payment'],
])
  test(`what has come back after an erasure is counted, erased again, and stays so: ${tables.join(', ')}`, async () => {
    const { clinic } = await usedClinic(service)
    const before = await everythingOf(owner, clinic)
    await erase(clinic, '--yes')
    await bringBack(clinic, before, tables)
    assert.notDeepEqual(marksOf(await everythingOf(owner, clinic)), [])
    const look = await clinicd('patients', 'erase', OWN, '--clinic', clinic.clinic_id)
    assert.match(look.out, /^The patient was erased at .*\. This has come back since/)
    assert.match(await erase(clinic, '--yes'), /^Erased what had come back of the patient/)
    const after = await everythingOf(owner, clinic)
    assert.deepEqual(marksOf(after), [])
    assert.deepEqual(foreignOf(after), foreignOf(before))
    assert.match(await erase(clinic, '--yes'), /Nothing was changed now/)
    assert.deepEqual(await everythingOf(owner, clinic), after)
  })

test('a message of the platform that was stored anew after an erasure is erased with the next one', async () => {
  const { clinic } = await usedClinic(service)
  await erase(clinic, '--yes')
  const anew = {
    id: 'in_77',
    direction: 'inbound',
    patient_phone: '+972501111111',
    text: `${OWN}-again`,
    status: 'received',
  }
  await insert(owner, clinic, 'chat_message', { ...anew, platform_message_id: `${OWN}-wamid` })
  assert.match(await erase(clinic, '--yes'), /Made anonymous: 1 chat message\./)
  const held = await everythingOf(owner, clinic)
  assert.deepEqual(marksOf(held), [])
  assert.match(await erase(clinic, '--yes'), /Nothing was changed now/)
})

test('a document that was printed again after an erasure names nobody, and the next erasure leaves its page', async () => {
  const { clinic, payment } = await usedClinic(service)
  const [{ id } = { id: '' }] = payment.documents
  await erase(clinic, '--yes')
  await documentFile(service.database, clinic, id, new Date())
  const printed = async () => (await everythingOf(owner, clinic)).get('payment_document')?.find((row) => row.id === id)
  const before = await printed()
  assert.notEqual(before?.file_id, null)
  await owner.query(
    sql`update patient set first_name = ${`${OWN}-again`} where clinic_id = ${clinic.clinic_id} and id = ${OWN}`,
  )
  const report = JSON.parse(await erase(clinic, '--yes', '--json'))
  assert.deepEqual(
    [report.made_anonymous.patients, report.made_anonymous.documents, report.removed],
    [1, undefined, {}],
  )
  assert.deepEqual(await printed(), before)
  assert.deepEqual(marksOf(await everythingOf(owner, clinic)), [])
})
