// An owner gives a patient what is held about them, and erases them: who may, what is on record, and what a second person approves.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { heldKinds } from '@clinic-data/console-contract/patient-operations'
import { sql, utcSession } from '@clinic-data/database'
import { markBackup } from '@clinic-data/operator/backup/last-backup'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { unzipSync } from 'fflate'
import { PatientArchives } from '../src/patients/patient-archive.ts'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { approvalGround, codesOf, WAITS } from './approval-ground.ts'
import { audited, HOST, OWN_PAGE, openConsole, send } from './console-ground.ts'
import { rightsOver, storePatient, storeRest } from './patient-ground.ts'
import { inRole, type SignedPerson } from './people-ground.ts'

const { owner, ownerUrl, openForConsole } = await ownDatabase()
const { dataDir, patientRights } = await rightsOver(owner, ownerUrl)
const opened = await openConsole(await openForConsole(), { patientRights })
const { clinicOfTwo, post, listed, latest, decide } = approvalGround(owner, opened)

const ONLY_THEIRS = { include_doubtful: false }
/** The file system has a clock of its own. */
const CLOCKS_MS = 60_000
const PATIENT = 'pat_1'

/** An owner of a clinic with one patient. */
async function ownerWithPatient(): Promise<SignedPerson> {
  const noa = await inRole(opened, owner, 'owner')
  await storePatient(owner, noa.clinic, PATIENT)
  return noa
}

const look = (who: SignedPerson, id = PATIENT) => post(who, `/patients/${id}/erasure`, { body: ONLY_THEIRS })
const erase = (who: SignedPerson, body = ONLY_THEIRS) => post(who, `/patients/${PATIENT}/erase`, { body })

/** As the page sends it. */
async function exported({ cookie }: SignedPerson, id = PATIENT, body = ONLY_THEIRS, app = opened.app) {
  const headers = { host: HOST, ...OWN_PAGE, cookie, 'content-type': 'application/json' }
  const url = `${CONSOLE_API}/patients/${id}/export`
  const {
    statusCode,
    headers: sent,
    rawPayload,
  } = await app.inject({ method: 'POST', url, headers, payload: JSON.stringify(body) })
  const files = statusCode === 200 ? unzipSync(rawPayload) : {}
  const text = (name: string) => Buffer.from(files[name] ?? []).toString()
  return { status: statusCode, headers: sent, names: Object.keys(files), text }
}

async function nameOf({ clinic }: SignedPerson): Promise<string | null | undefined> {
  const rows = await owner.read<{ first_name: string | null }>(
    utcSession(clinic.clinic_id),
    sql`select first_name from patient where clinic_id = ${clinic.clinic_id} and id = ${PATIENT}`,
  )
  return rows[0]?.first_name
}

/** The rows of the log about patients, as the operation, its status, and whom it names. */
async function rowsOf({ clinic }: SignedPerson) {
  const rows = await audited(owner, clinic)
  return rows
    .filter(({ operation }) => operation.startsWith('console.patients'))
    .map(({ operation, status, patient_ids }) => [
      operation.slice('console.patients.'.length),
      status,
      ...(patient_ids ?? []),
    ])
}

const counts = (list: { kind: string; count: number }[]) =>
  Object.fromEntries(list.map(({ kind, count }) => [kind, count]))

test('an owner gets the archive of one patient, with the row of that look in it, and nothing of another', async () => {
  const noa = await ownerWithPatient()
  const { status, headers, names, text } = await exported(noa)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/zip')
  assert.equal(headers['content-disposition'], 'attachment; filename="patient.zip"')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(names.at(-1), 'about.json')
  assert.match(text('patient.json'), /Rivka/)
  assert.match(text('appointments.json'), /Afraid/)
  assert.match(text('calls.json'), /Rang about pain/)
  assert.doesNotMatch(names.map(text).join(), /Azulay|Whose/)
  assert.match(text('recipients.json'), /console\.patients\.export/)
  assert.deepEqual(await rowsOf(noa), [['export', 200, PATIENT]])
  assert.match((await exported(noa, PATIENT, { include_doubtful: true })).text('calls.json'), /Whose/)
})

test('another role, another clinic and an unknown patient get no archive, no count and no erasure', async () => {
  const noa = await ownerWithPatient()
  const stranger = await inRole(opened, owner, 'owner')
  const ada = await inRole(opened, owner, 'administrator', noa.clinic)
  for (const [who, status] of [
    [stranger, 404],
    [ada, 403],
  ] as const) {
    assert.equal((await exported(who)).status, status)
    assert.equal((await look(who)).status, status)
    assert.equal((await erase(who)).status, status)
  }
  assert.equal(await nameOf(noa), 'Rivka')
  assert.deepEqual(
    (await rowsOf(stranger)).map(([, status]) => status),
    [404, 404, 404],
  )
})

test('an owner sees what would go and what stays, and nothing is changed by looking', async () => {
  const noa = await ownerWithPatient()
  const { status, json } = await look(noa)
  assert.equal(status, 200)
  const { made_anonymous, doubtful, waiting_messages, erased_at, patient_id } = json.data
  assert.deepEqual([patient_id, waiting_messages, erased_at], [PATIENT, 0, null])
  assert.deepEqual(counts(made_anonymous), { patients: 1, appointments: 1, payments: 1, calls: 1 })
  assert.deepEqual(counts(doubtful), { calls: 1 })
  assert.equal(await nameOf(noa), 'Rivka')
  assert.deepEqual(await rowsOf(noa), [['look_at_erasure', 200, PATIENT]])
})

test('an owner erases a patient: what was counted has gone, it is on record, and the list beside the keys names it', async () => {
  const noa = await ownerWithPatient()
  const { data: before } = (await look(noa)).json
  const { status, json } = await erase(noa)
  assert.equal(status, 200)
  const { erased_at, last_backup_at, ...done } = json.data
  const { waiting_messages: _, erased_at: __, ...counted } = before
  assert.deepEqual(done, counted)
  assert.equal(last_backup_at, null)
  assert.equal(await nameOf(noa), null)
  assert.deepEqual((await rowsOf(noa)).at(-1), ['erase', 200, PATIENT])
  const listed = (await readFile(join(dataDir, 'erased-patients'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [of] = listed.filter(({ clinic_id }) => clinic_id === noa.clinic.clinic_id)
  assert.deepEqual([of.patient_id, Date.parse(of.erased_at)], [PATIENT, Date.parse(erased_at)])
  const left = (await look(noa)).json.data
  assert.deepEqual([left.erased_at, left.removed, left.made_anonymous], [erased_at, [], []])
  const again = await erase(noa)
  assert.deepEqual([again.status, again.json.code], [409, 'conflict'])
  assert.deepEqual((await rowsOf(noa)).at(-1), ['erase', 409])
})

test('an erasure tells of the last backup that is known, which holds the patient on', async () => {
  const noa = await ownerWithPatient()
  await markBackup(dataDir, new Date().toISOString())
  const { erased_at, last_backup_at } = (await erase(noa)).json.data
  await rm(join(dataDir, 'last-backup'))
  assert.ok(Date.parse(last_backup_at) <= Date.parse(erased_at) + CLOCKS_MS, last_backup_at)
})

test('while a message to the patient is being sent nothing is erased, and the answer says why', async () => {
  const noa = await ownerWithPatient()
  const phone = '+972501111111'
  await insert(owner, noa.clinic, 'chat_conversation', { id: 'chat_1', patient_phone: phone })
  const queued = {
    direction: 'outbound',
    status: 'queued',
    conversation_id: 'chat_1',
    patient_phone: phone,
    to_phone: phone,
  }
  await insert(owner, noa.clinic, 'chat_message', { id: 'out_1', ...queued })
  const sending = { message_id: 'out_1', conversation_id: 'chat_1', position: 1, due_at: '2026-03-01T08:00:00.000Z' }
  await insert(owner, noa.clinic, 'chat_send', sending)
  const waiting = (await look(noa)).json.data.waiting_messages
  assert.equal(waiting, 1)
  const { status, json } = await erase(noa)
  assert.deepEqual([status, json.code], [409, 'conflict'])
  assert.match(json.detail, /^1 message to the patient is being sent/)
  assert.equal(await nameOf(noa), 'Rivka')
  assert.deepEqual((await rowsOf(noa)).at(-1), ['erase', 409])
})

test('where the clinic wants it, a second person approves exactly this erasure, which names nobody', async () => {
  const { noa, dan, tal } = await clinicOfTwo()
  await storePatient(owner, noa.clinic, PATIENT)
  assert.deepEqual(codesOf(await erase(noa)), WAITS)
  assert.equal(await nameOf(noa), 'Rivka')
  const asked = await latest(tal)
  assert.deepEqual(JSON.parse(asked.request), { params: { id: PATIENT }, body: ONLY_THEIRS, shown: { name: PATIENT } })
  assert.deepEqual(await decide(noa, asked, 'approve'), [403, 'forbidden'])
  assert.deepEqual(await decide(tal, asked, 'approve'), [200, 'approved'])
  assert.deepEqual(codesOf(await erase(noa, { include_doubtful: true })), WAITS, 'more than was approved')
  assert.deepEqual(codesOf(await erase(dan)), WAITS, 'by another person')
  assert.equal(await nameOf(noa), 'Rivka')
  assert.equal((await erase(noa)).status, 200)
  assert.equal(await nameOf(noa), null)
  const used = (await listed(tal)).data.find(({ id }: { id: string }) => id === asked.id)
  assert.equal(used.state, 'used')
})

test('a person who is disabled while an erasure waits erases nobody', async () => {
  const noa = await ownerWithPatient()
  const { clinic_id } = noa.clinic
  const rights: typeof patientRights = {
    ...patientRights,
    erase: async (clinic, parts) => {
      // The request has been looked at, and the transaction has not begun.
      await owner.query(
        sql`update administrator set disabled_at = now() where clinic_id = ${clinic_id} and id = ${noa.id}`,
      )
      return patientRights.erase(clinic, parts)
    },
  }
  const other = await openConsole(owner, { patientRights: rights })
  const path = `/patients/${PATIENT}/erase`
  const { status } = await send(other, path, { cookie: noa.cookie, body: ONLY_THEIRS })
  assert.equal(status, 401)
  assert.equal(await nameOf(noa), 'Rivka')
})

test('a person who is disabled while an archive is made gets no further file of it', async () => {
  const noa = await ownerWithPatient()
  const { clinic_id } = noa.clinic
  let asks = 0
  const disable = () =>
    owner.query(sql`update administrator set disabled_at = now() where clinic_id = ${clinic_id} and id = ${noa.id}`)
  const rights: typeof patientRights = {
    ...patientRights,
    archiveOf: (clinic, parts) =>
      patientRights.archiveOf(clinic, {
        ...parts,
        stillMay: async () => {
          if (++asks === 3) await disable()
          await parts.stillMay()
        },
      }),
  }
  const other = await openConsole(owner, { patientRights: rights })
  await assert.rejects(exported(noa, PATIENT, ONLY_THEIRS, other.app))
  assert.equal(asks, 3)
})

test('an archive that nobody reads to its end frees its place', async () => {
  const { clinic } = await ownerWithPatient()
  const archives = new PatientArchives()
  const nothing = async () => undefined
  const parts = { patient_id: PATIENT, withDoubtful: false, now: new Date(), audit: nothing, stillMay: nothing }
  const archive = await archives.make(patientRights, clinic, parts)
  await assert.rejects(archives.make(patientRights, clinic, parts), { slug: 'rate-limited' })
  archive.destroy()
  await once(archive, 'close')
  const again = await archives.make(patientRights, clinic, parts)
  again.destroy()
  await once(again, 'close')
  await assert.rejects(archives.make(patientRights, clinic, { ...parts, patient_id: 'pat_none' }), {
    slug: 'not-found',
  })
  const last = await archives.make(patientRights, clinic, parts)
  last.destroy()
  await once(last, 'close')
})

test('one archive is made at a time for a clinic, and the place is free again when it was read', async () => {
  const noa = await ownerWithPatient()
  const first = await exported(noa)
  assert.equal(first.status, 200)
  const [one, other] = await Promise.all([exported(noa), exported(noa)])
  assert.deepEqual([one.status, other.status].sort(), [200, 429])
  assert.equal((await exported(noa)).status, 200)
})

test('each kind that an erasure counts has its words in the console, and no other', async () => {
  const noa = await inRole(opened, owner, 'owner')
  await storePatient(owner, noa.clinic, PATIENT)
  await storeRest(owner, noa.clinic, PATIENT)
  const { removed, made_anonymous, doubtful } = (await look(noa)).json.data
  const found = [removed, made_anonymous].flat().map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(found.sort(), [...heldKinds].sort())
  for (const kind of Object.keys(counts(doubtful))) assert.ok((heldKinds as readonly string[]).includes(kind), kind)
})
