// The export of one person: everything of theirs, who received it, and no byte of anybody else.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { patientTables } from '@clinic-data/backend/patient-export/patient-tables'
import { sql } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { bytesOfFile } from '@clinic-data/records/file-bytes'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ask, emptyClinic, startParts } from '@clinic-data/testing/run/test-service'
import { operator } from '@clinic-data/testing/shared/operator'
import { unzipSync } from 'fflate'
import { correctPayment, DOUBTFUL, movePayment, OTHER, OWN, SECRET, twoPatients } from './two-patients.ts'

const { owner, ownerUrl } = await testDatabase()
const service = await startParts()
after(() => service.close())
const folder = await mkdtemp(join(tmpdir(), 'patient-export-'))
after(() => rm(folder, { recursive: true }))

const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
const clinicd = (...argv: string[]) => operator.run(argv, environment)

type Unpacked = Readonly<Record<string, Buffer>>
const unpack = (archive: Uint8Array): Unpacked =>
  Object.fromEntries(Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, Buffer.from(bytes)]))
const listIn = (unpacked: Unpacked, name: string) => JSON.parse(String(unpacked[name]))
const everythingIn = (unpacked: Unpacked) =>
  Object.entries(unpacked)
    .map(([name, bytes]) => `${name}\n${bytes.toString('latin1')}\n${bytes.toString('utf8')}`)
    .join('\n')

/** The log names people by ids alone. */
const exportedTables = Object.entries(patientTables).flatMap(([table, kept]) =>
  'file' in kept && table !== 'audit' ? [table] : [],
)

let number = 0
async function exported(clinic_id: string, ...more: string[]) {
  const file = join(folder, `${++number}.zip`)
  const result = await clinicd('patients', 'export', OWN, '--clinic', clinic_id, '--to', file, ...more)
  assert.equal(result.code, 0, result.errors)
  return { ...result, file, unpacked: unpack(readFileSync(file)) }
}

/** Columns of words and phones, and of forms to compare. What anybody has written stands in all others, and each of those has a mark. */
const UNMARKED = `
  call.clinic_phone call.direction call.from_phone call.handled_by_name call.patient_phone call.status call.to_phone call.transcript_status
  chat_conversation.clinic_phone chat_conversation.patient_phone
  chat_message.direction chat_message.from_phone chat_message.media_type chat_message.patient_phone chat_message.platform_content
  chat_message.status chat_message.to_phone chat_message.type
  event.type file.content_type lead.email_folded lead.phone_normal lead.source lead.status lead_activity.kind
  patient.country patient.gender patient.name_folded patient_contact.type patient_contact.value_normal
  payment.currency payment.method_type payment.status payment_document.type`

async function unmarkedColumns(marked: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await owner.query<{ place: string }>(sql`select relname || '.' || attname as place
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''
      and relname = any(${exportedTables}::text[]) and atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype)
      and attname !~ '(^|_)id$' order by 1`)
  return rows.map(({ place }) => place).filter((place) => !marked.has(place))
}

/** What the service keeps of a row beside what was said: forms to compare, names on the platform. */
const NOT_SHOWN = /^(name_folded|open_.*|.*_normal|email_folded|platform_.*|clinic_id|.*_minor)$/

/** The marked texts of the first patient's rows, by table and column. */
async function heldTexts(clinic_id: string): Promise<{ place: string; value: string }[]> {
  const held: { place: string; value: string }[] = []
  for (const table of exportedTables) {
    const { rows } = await owner.query<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${sql.identifier(table)} t where clinic_id = ${clinic_id}`,
    )
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) {
        const texts = JSON.stringify(value ?? null).matchAll(new RegExp(`${OWN}-[a-z-]+`, 'g'))
        if (!NOT_SHOWN.test(column))
          for (const [found] of texts) held.push({ place: `${table}.${column}`, value: found })
      }
  }
  return held
}

test('an export holds every text and every byte of one patient, and nothing of another', async () => {
  const { clinic } = await twoPatients(service)
  const elsewhere = await emptyClinic(owner)
  await insertPatient(owner, elsewhere, { id: OWN, first_name: 'zqelsewhere' })
  const { unpacked, file } = await exported(clinic.clinic_id)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const everything = everythingIn(unpacked)
  const held = await heldTexts(clinic.clinic_id)
  assert.deepEqual(await unmarkedColumns(new Set(held.map(({ place }) => place))), UNMARKED.trim().split(/\s+/))
  const ids = new Set([
    'file.id',
    'file_piece.file_id',
    'file.file_name',
    'call.recording_file_id',
    'chat_message.media_file_id',
  ])
  const missing = held.filter(({ place, value }) => !ids.has(place) && !everything.includes(value))
  assert.deepEqual(missing, [])
  for (const foreign of [OTHER, DOUBTFUL, SECRET, 'zqelsewhere', 'in_3003', 'out_2002', '0502222222', '+972502222222'])
    assert.ok(!everything.includes(foreign), foreign)
  const about = listIn(unpacked, 'about.json')
  assert.deepEqual(about.left_out, {
    calls: 1,
    chat_conversations: 1,
    chat_messages: 1,
    leads: 1,
    lead_activities: 1,
    events: 2,
  })
  for (const [name, count] of Object.entries(about.entries)) assert.equal(listIn(unpacked, name).length, count, name)
  const files = Object.keys(unpacked).filter((name) => name.includes('/'))
  assert.equal(about.files, files.length)
  const [call] = listIn(unpacked, 'calls.json')
  assert.equal(String(unpacked[call.recording_file]), `${OWN}-recording-bytes`)
  const [message] = listIn(unpacked, 'chat_messages.json')
  assert.equal(String(unpacked[message.media_file]), `${OWN}-media-bytes`)
  assert.equal(Object.keys(unpacked).at(-1), 'about.json')
})

test('a file in an export has the extension of its type, whatever its name says', async () => {
  const { clinic } = await twoPatients(service)
  await owner.query(sql`update file set content_type = 'image/png', file_name = ${`${OWN}\u202egnp.exe`}
    where clinic_id = ${clinic.clinic_id}`)
  const { unpacked } = await exported(clinic.clinic_id)
  const endings = Object.keys(unpacked).flatMap((name) => /^(?:recordings|media)\/\d+(.*)/.exec(name)?.[1] ?? [])
  assert.deepEqual(endings, ['.png', '.png'])
})

test('what REST shows of one patient stands in the export as REST shows it', async () => {
  const { clinic, key } = await twoPatients(service)
  const { unpacked } = await exported(clinic.clinic_id)
  const { json } = await ask(service, key, `/v1/patients/${OWN}?response_format=detailed`)
  assert.deepEqual(listIn(unpacked, 'patient.json'), json.data)
  for (const [path, name] of [
    [`/v1/patients/${OWN}/appointments`, 'appointments.json'],
    [`/v1/patients/${OWN}/treatments`, 'treatments.json'],
    [`/v1/patients/${OWN}/payments`, 'payments.json'],
    [`/v1/patients/${OWN}/chat/messages`, 'chat_messages.json'],
  ] as const) {
    const { json } = await ask(service, key, path)
    const written = new Map(listIn(unpacked, name).map((row: { id: string }) => [row.id, row]))
    // A row that ties one patient to the other is shown without the other.
    const alone = json.data.filter(({ id }: { id: string }) => written.has(id) && !/-(pay|refund|at-other)$/.test(id))
    assert.ok(alone.length > 0, path)
    for (const row of alone) assert.partialDeepStrictEqual(written.get(row.id), row)
  }
})

test('a document is the page that the service serves, and one in another name is left out', async () => {
  const two = await twoPatients(service)
  const moved = await movePayment(service, two)
  const { clinic } = two
  const { unpacked } = await exported(clinic.clinic_id)
  const documents = listIn(unpacked, 'payments.json').flatMap((row: { documents: object[] }) => row.documents)
  const pages = new Map(documents.map(({ id, page }: { id: string; page: string | null }) => [id, page]))
  assert.equal(pages.get(moved), null)
  assert.equal(listIn(unpacked, 'about.json').left_out.documents, 1)
  const [[id, page]] = [...pages].filter(([, page]) => page !== null) as [[string, string]]
  const { file } = await documentFile(service.database, clinic, id, new Date())
  const pieces: Uint8Array[] = []
  for await (const piece of bytesOfFile(service.database, clinic.clinic_id, { ...file, id: file.file_id }))
    pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  assert.deepEqual(unpacked[page], bytes)
})

test('a document that names the patient by the name alone is in the export, however its payment was corrected', async () => {
  const two = await twoPatients(service)
  const document_id = await correctPayment(service, two)
  const { unpacked } = await exported(two.clinic.clinic_id)
  assert.deepEqual(
    listIn(unpacked, 'documents.json').map(({ id }: { id: string }) => id),
    [document_id],
  )
  assert.equal(listIn(unpacked, 'about.json').left_out.documents, undefined)
})

for (const [why, change, left_out] of [
  ['patient', sql`update patient set gender = null where id = ${OTHER}`, undefined],
  [
    'patient, but not where two have the number',
    sql`update patient set id_number = ${`${OWN}-number`} where id = ${OTHER}`,
    1,
  ],
  [
    'patient, but not in another name',
    sql`update patient set first_name = 'Another', last_name = 'Name' where id = ${OWN}`,
    1,
  ],
] as const)
  test(`a document in the patient’s name is in the export though its payment was corrected to another ${why}`, async () => {
    const { clinic, key } = await twoPatients(service)
    const { clinic_id } = clinic
    const body = { amount: 70, method_type: 'cash' }
    const { json } = await ask(service, key, `/v1/patients/${OWN}/payments`, { method: 'POST', body })
    const { id, documents } = json.data
    await owner.query(sql`update payment set patient_id = ${OTHER} where clinic_id = ${clinic_id} and id = ${id}`)
    // As an earlier version issued it.
    await owner.query(sql`update payment_document set named_patient_id = null where clinic_id = ${clinic_id}`)
    await owner.query(sql`${change} and clinic_id = ${clinic_id}`)
    const { unpacked } = await exported(clinic_id)
    assert.equal(listIn(unpacked, 'about.json').left_out.documents, left_out)
    const [found, ...others] = listIn(unpacked, 'documents.json')
    assert.deepEqual(others, [])
    const { unpacked: doubtful } = await exported(clinic_id, '--include-doubtful')
    const [shown] = listIn(doubtful, 'documents.json')
    assert.deepEqual(left_out === undefined ? shown : undefined, found)
    const { page, ...document } = shown
    assert.deepEqual(document, documents[0])
    assert.equal(doubtful[page]?.subarray(0, 5).toString(), '%PDF-')
  })
