// The export of one person: who received their data, what a person must look at first, and exports that do not come about.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { listActivity } from '@clinic-data/administration/pages/activity'
import { appendAudit } from '@clinic-data/audit/audit'
import { closeClinic } from '@clinic-data/backend/offboarding/close-clinic'
import { sql } from '@clinic-data/database'
import { END_SIGNALS } from '@clinic-data/disk/end-signals'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ask, emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { unzipSync } from 'fflate'
import { DOUBTFUL, movePayment, OTHER, OWN, twoPatients } from './two-patients.ts'

const program = await clinicdProgram()
const { owner, ownerUrl } = await testDatabase()
const service = await startParts()
after(() => service.close())
const folder = await mkdtemp(join(tmpdir(), 'patient-recipients-'))
after(() => rm(folder, { recursive: true }))

const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
const clinicd = (...argv: string[]) => operator.run(argv, environment)
const listIn = (archive: Uint8Array, name: string) =>
  JSON.parse(Buffer.from(unzipSync(archive)[name] ?? []).toString('utf8'))

let number = 0
async function exported(clinic_id: string, ...more: string[]) {
  const file = join(folder, `${++number}.zip`)
  const result = await clinicd('patients', 'export', OWN, '--clinic', clinic_id, '--to', file, ...more)
  assert.equal(result.code, 0, result.errors)
  return { ...result, archive: readFileSync(file) }
}

/** As child processes do it, which a test can kill. */
function begin(clinic_id: string, to: string) {
  const child = spawn(process.execPath, [program, 'patients', 'export', OWN, '--clinic', clinic_id, '--to', to], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, errors: text(child.stderr), ended: once(child, 'exit').then(([code]) => code) }
}

test('the recipients are whoever read or was sent the data, with their integration, and no row names another', async () => {
  const { clinic, key } = await twoPatients(service)
  await ask(service, key, '/v1/patients?limit=10')
  await ask(service, key, `/v1/patients/${OTHER}`)
  const sent = { clinic_id: clinic.clinic_id, operation: 'webhooks.deliver', surface: 'webhook', count: 1 } as const
  const delivery = { key_id: 'wh_crm', request_id: 'evt_1', address: 'crm.example.com', at: new Date().toISOString() }
  await appendAudit(owner, [
    { ...sent, ...delivery, status: 504, resource_ids: [`${OWN}-call`, `${OTHER}-call`], patient_ids: [OWN, OTHER] },
    { ...sent, ...delivery, status: 204, resource_ids: [`${OTHER}-call`], patient_ids: [OTHER] },
  ])
  await ask(service, await keyOf(owner, clinic, ['calls:read'], null, 'Refused'), `/v1/patients/${OWN}`)
  const { archive } = await exported(clinic.clinic_id)
  const recipients = listIn(archive, 'recipients.json') as {
    who: { kind: string; name: string; integration: string | null }
    times: number
    refused: number
    operations: { operation: string; times: number }[]
  }[]
  const shown = recipients.map(({ who, times, refused, operations }) => [
    who.kind,
    who.kind === 'operator' ? 'operator' : who.name,
    who.integration,
    times,
    refused,
    operations.map(({ operation, times }) => `${operation} ${times}`).sort(),
  ])
  assert.deepEqual(shown, [
    ['operator', 'operator', null, 1, 0, ['operator.patients.export 1']],
    ['key', 'Refused', 'Refused', 0, 1, ['patients.get 1']],
    ['webhook', 'crm.example.com', 'Harbor CRM', 1, 0, ['webhooks.deliver 1']],
    ['key', 'Reader', 'Reader', 3, 0, ['patients.get 1', 'patients.list 1', 'payments.create 1']],
  ])
  const log = listIn(archive, 'access_log.json') as object[]
  assert.equal(log.length, 6)
  assert.ok(!JSON.stringify([log, recipients]).includes(OTHER))
})

test('whoever read the lead that the patient was is a recipient, and is found for the patient also after the erasure', async () => {
  const { clinic, key } = await twoPatients(service)
  const { clinic_id } = clinic
  const caller = await keyOf(owner, clinic, ['leads:read'], null, 'Call centre')
  const reads = [`/v1/leads/${OWN}-lead`, '/v1/leads', `/v1/leads/${OTHER}-lead`]
  for (const path of reads) assert.equal((await ask(service, caller, path)).status, 200)
  const call = await ask(service, key, `/v1/calls/${OWN}-call`)
  assert.equal(call.status, 200)
  const { archive } = await exported(clinic_id)
  const recipients = listIn(archive, 'recipients.json') as { who: { name: string }; times: number }[]
  assert.equal(recipients.find(({ who }) => who.name === 'Call centre')?.times, 2)
  assert.ok(!JSON.stringify(listIn(archive, 'access_log.json')).includes(OTHER))
  const found = async (patient_id: string) => {
    const { data } = await listActivity(owner, clinic, { patient_id, limit: 50 }, new Date())
    return data
      .filter(({ who }) => who.name === 'Call centre')
      .map(({ operation, resource_ids }) => [operation, resource_ids.length])
  }
  const theirs = [
    ['leads.list', 4],
    ['leads.get', 1],
  ]
  assert.deepEqual(await found(OWN), theirs)
  assert.equal((await clinicd('patients', 'erase', OWN, '--clinic', clinic_id, '--yes')).code, 0)
  assert.deepEqual(await found(OWN), theirs)
  assert.equal((await found(OTHER)).length, 2)
})

test('an export of more rows of the log and more events than a page has them all', async () => {
  const { clinic } = await twoPatients(service)
  const { clinic_id } = clinic
  const row = { clinic_id, operation: 'patients.get', surface: 'rest', status: 200, count: 1, key_id: 'gone' } as const
  const said = { request_id: 'req_1', address: '203.0.113.9', resource_ids: [OWN], patient_ids: [OWN] }
  const at = new Date().toISOString()
  await appendAudit(
    owner,
    Array.from({ length: 450 }, () => ({ ...row, ...said, at })),
  )
  const body = JSON.stringify({ id: 'evt', type: 'patient.updated', created_at: at, data: { id: OWN } })
  const event = { type: 'patient.updated', body, created_at: at }
  const many = Array.from({ length: 2_100 }, (_, n) => ({ ...event, id: `evt_${n}`, position: 10_000 + n }))
  await insert(owner, clinic, 'event', ...many)
  const calls = Array.from({ length: 250 }, (_, n) => ({ id: `call_${n}`, patient_phone: '+972501111111' }))
  await insert(owner, clinic, 'call', ...calls)
  const { archive } = await exported(clinic_id)
  const { entries } = listIn(archive, 'about.json')
  assert.equal(listIn(archive, 'access_log.json').length, entries['access_log.json'])
  assert.ok(entries['access_log.json'] > 450)
  assert.ok(entries['events.json'] > 2_100)
  assert.equal(entries['calls.json'], 251)
  assert.equal(new Set(listIn(archive, 'calls.json').map(({ id }: { id: string }) => id)).size, 251)
})

test('what may be another person’s is in an export only when somebody says so, and still names nobody else', async () => {
  const two = await twoPatients(service)
  await movePayment(service, two)
  const { clinic_id } = two.clinic
  const left = await exported(clinic_id)
  assert.match(
    left.out,
    /Left out, because it may be another person's: .*1 in calls.* Look at it, and take --include-doubtful/,
  )
  const { archive, out } = await exported(clinic_id, '--include-doubtful')
  assert.doesNotMatch(out, /Left out/)
  assert.deepEqual(listIn(archive, 'about.json').left_out, {})
  for (const name of [
    'calls.json',
    'chat_conversations.json',
    'chat_messages.json',
    'leads.json',
    'lead_activities.json',
  ])
    assert.equal(listIn(archive, name).filter((row: object) => JSON.stringify(row).includes(DOUBTFUL)).length, 1, name)
  assert.equal(listIn(archive, 'events.json').filter((row: object) => JSON.stringify(row).includes(DOUBTFUL)).length, 2)
  const lists = Object.entries(unzipSync(archive)).filter(([name]) => name.endsWith('.json'))
  for (const [name, bytes] of lists) assert.ok(!Buffer.from(bytes).toString().includes(OTHER), name)
})

test('an export is on record before its first byte, also when it breaks off, and what is left of it is no archive', async () => {
  const { clinic } = await twoPatients(service)
  const { clinic_id } = clinic
  const rows = async () => {
    const search = { patient_id: OWN, operation: 'operator.patients.export', limit: 5 }
    const { data } = await listActivity(owner, clinic, search, new Date())
    return data.map(({ patient_ids, resource_ids }) => ({ patient_ids, resource_ids }))
  }
  const named = { patient_ids: [OWN], resource_ids: [OWN] }
  const whole = begin(clinic_id, '-')
  const archive = await buffer(whole.child.stdout)
  assert.equal(await whole.ended, 0, await whole.errors)
  assert.match(await whole.errors, /^Wrote to standard output: \d+ files of one patient/m)
  assert.equal(listIn(archive, 'about.json').patient_id, OWN)
  assert.deepEqual(await rows(), [named])
  // Twenty megabytes, which nobody reads.
  await insert(owner, clinic, 'file', { id: 'long', file_name: 'long.wav', size_bytes: 80 * 262_144 })
  for (let position = 0; position < 80; position++)
    await insert(owner, clinic, 'file_piece', { file_id: 'long', position, content: Buffer.alloc(262_144, position) })
  await owner.query(
    sql`update call set recording_file_id = 'long' where clinic_id = ${clinic_id} and id = ${`${OWN}-call`}`,
  )
  const cut = begin(clinic_id, '-')
  const [first] = await once(cut.child.stdout, 'data')
  cut.child.stdout.destroy()
  assert.equal(await cut.ended, 1)
  assert.match(await cut.errors, /the reader of standard output ended .* what it has is no export/m)
  assert.throws(() => unzipSync(first))
  assert.deepEqual(await rows(), [named, named])
  await owner.query(sql`delete from file_piece where clinic_id = ${clinic_id} and file_id = 'long' and position = 79`)
  const broken = await clinicd('patients', 'export', OWN, '--clinic', clinic_id, '--to', join(folder, 'broken.zip'))
  assert.equal(broken.code, 1)
  assert.match(broken.errors, /piece 79 of a file is missing/)
  assert.ok(!existsSync(join(folder, 'broken.zip')))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.writing')),
    [],
  )
  assert.equal((await rows()).length, 3)
})

test('a killed export leaves no file under its name, and what it leaves does not open', async () => {
  const { clinic } = await twoPatients(service)
  const { clinic_id } = clinic
  for (const signal of [...END_SIGNALS, 'SIGKILL'] as const) {
    const place = await mkdtemp(join(folder, 'killed-'))
    const parts = () => readdirSync(place).filter((name) => name.startsWith('.writing-'))
    // A document that nobody has opened is printed by the export, which waits for its row.
    await owner.write(clinic, async (tx) => {
      await tx.query(
        sql`select from payment_document where clinic_id = ${clinic_id} and content is not null for update`,
      )
      const begun = begin(clinic_id, join(place, 'a.zip'))
      await until(
        async () => parts().length > 0,
        () => 'the export has begun no file',
      )
      begun.child.kill(signal)
      await once(begun.child, 'exit')
    })
    assert.ok(!existsSync(join(place, 'a.zip')))
    assert.equal(parts().length, signal === 'SIGKILL' ? 1 : 0)
    for (const part of parts()) {
      assert.equal(statSync(join(place, part)).mode & 0o777, 0o600)
      assert.throws(() => unzipSync(readFileSync(join(place, part))))
    }
  }
})

test('an export that cannot be made says why, gives nothing out, and leaves no row', async () => {
  const [{ clinic }, other] = [await twoPatients(service), await emptyClinic(owner)]
  const { clinic_id } = clinic
  const there = join(folder, 'there.zip')
  assert.equal((await clinicd('patients', 'export', OWN, '--clinic', clinic_id, '--to', there)).code, 0)
  for (const [argv, line] of [
    [[OWN, '--clinic', clinic_id, '--to', there], /exists already: an export never replaces another file/],
    [[OWN, '--clinic', clinic_id, '--to', join(folder, 'none', 'a.zip')], /there is no folder .*: make it first/],
    [['nobody', '--clinic', clinic_id, '--to', join(folder, 'a.zip')], /no patient with this id; .*sc patients list/],
    [[OWN, '--clinic', other.clinic_id, '--to', join(folder, 'a.zip')], /no patient with this id/],
    [[OWN, '--clinic', 'nowhere', '--to', join(folder, 'a.zip')], /clinicd clinics list shows all/],
    [[OWN, '--clinic', clinic_id], /required option '--to <file>'/],
  ] as const) {
    const { code, errors } = await clinicd('patients', 'export', ...argv)
    assert.equal(code, 2, argv.join(' '))
    assert.match(errors, line)
  }
  assert.ok(!existsSync(join(folder, 'a.zip')))
  const search = { operation: 'operator.patients.export', limit: 5 }
  assert.equal((await listActivity(owner, clinic, search, new Date())).data.length, 1)
  assert.equal((await listActivity(owner, other, search, new Date())).data.length, 0)
})

test('a closed clinic still tells a patient what it holds', async () => {
  const { clinic } = await twoPatients(service)
  await closeClinic(owner, clinic.clinic_id, { now: new Date(), beside: () => undefined }, async () => undefined)
  const { archive } = await exported(clinic.clinic_id)
  assert.equal(listIn(archive, 'patient.json').id, OWN)
})
