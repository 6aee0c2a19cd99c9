// The continuous export to files: what they hold, that they verify, that they may be renamed, and that a half line is no fault.
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { following, newClinics, placeOf, requestsIn, sealRows, sound } from '@clinic-data/testing/grounds/follow-ground'
import { FileDestination } from '../src/audit-export/file-destination.ts'

const above = await mkdtemp(join(tmpdir(), 'audit-export-'))
after(() => rm(above, { recursive: true }))
const folder = join(above, 'clinic', 'audit')
const destination = new FileDestination(folder, 'ndjson')
const fileOf = ({ clinic_id }: Clinic) => join(folder, `${clinic_id}.ndjson`)
const textOf = (clinic: Clinic) => readFile(fileOf(clinic), 'utf8')

// From then on clinics are new to the export, and their logs are exported from the beginning.
const [before] = (await newClinics(1)) as [Clinic]
const { round } = following(destination)
await round(before)

test('each clinic has a file of its own, which only the owner can read, and it verifies', async () => {
  const [one, other] = (await newClinics(2)) as [Clinic, Clinic]
  await round(one, other)
  const ids = await sealRows(one, 3)
  await round(one, other)
  assert.deepEqual(requestsIn(await textOf(one)).slice(-3), ids)
  for (const clinic of [one, other]) {
    assert.equal((await sound(await textOf(clinic))).clinic_id, clinic.clinic_id)
    assert.equal((await stat(fileOf(clinic))).mode & 0o777, 0o600)
  }
  assert.ok(!(await textOf(other)).includes(ids[0] ?? '?'))
})

test('a file that is renamed begins anew, and each of the two verifies by itself', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  await round(clinic)
  await rename(fileOf(clinic), `${fileOf(clinic)}.1`)
  await sealRows(clinic, 2)
  await round(clinic)
  const former = await sound(await readFile(`${fileOf(clinic)}.1`))
  const later = await sound(await textOf(clinic))
  assert.equal(later.before, former.head)
  await rm(`${fileOf(clinic)}.1`)
})

test('a half line that a killed process left is cut off, also a long one and an only one, and the rest of the file stays', async () => {
  const [clinic, fresh] = (await newClinics(2)) as [Clinic, Clinic]
  await round(clinic)
  const whole = await textOf(clinic)
  await appendFile(fileOf(clinic), `{"type":"follow"${'x'.repeat(200_000)}`)
  await writeFile(fileOf(fresh), '{"type":"fol')
  await sealRows(clinic, 2)
  await sealRows(fresh, 1)
  await round(clinic, fresh)
  assert.ok((await textOf(clinic)).startsWith(`${whole}{"type":"follow","version"`))
  assert.equal((await sound(await textOf(clinic))).repeated.seals, 0)
})

test('lines that cannot be handed over whole leave nothing behind', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  await round(clinic)
  const whole = await textOf(clinic)
  async function* broken() {
    yield ['{"a":1}']
    throw new Error('the database is away')
  }
  await assert.rejects(destination.send(clinic.clinic_id, broken(), new AbortController().signal), /is away/)
  assert.equal(await textOf(clinic), whole)
})

test('a folder that cannot be written to is told by its name, and nothing is lost', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  const inFile = join(above, 'file')
  await writeFile(inFile, '')
  await assert.rejects(
    following(new FileDestination(join(inFile, 'audit'), 'ndjson')).round(clinic),
    /the folder .*audit cannot be written to: /,
  )
  assert.equal(await placeOf(clinic), 0)
  await round(clinic)
  await sound(await textOf(clinic))
})

test('events of OCSF have files of their own names', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  await following(new FileDestination(folder, 'ocsf'), { format: 'ocsf' }).round(clinic)
  assert.ok((await readdir(folder)).includes(`${clinic.clinic_id}.ocsf.ndjson`))
  const { format, rows } = await sound(await readFile(join(folder, `${clinic.clinic_id}.ocsf.ndjson`)))
  assert.deepEqual([format, rows], ['ocsf', 2])
})
