// Backups from before an erasure hold the patient: what is told of them, and what a restore and the doctor say.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { readConfig } from '@clinic-data/installation/config'
import { asOwner, migrateStorage } from '@clinic-data/installation/database/storage'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { erasedPatients, listErased } from '../src/backup/erased-patients.ts'
import { examine } from '../src/doctor/examine.ts'

const { owner, ownerUrl } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'erase-backups-'))
after(() => rm(folder, { recursive: true }))

test('an erased patient whom a restore has brought back is named by the doctor until they are erased again', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const DATA_DIR = join(folder, 'listed')
  await mkdir(DATA_DIR)
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys(), DATA_DIR }
  const erase = () => operator.run(['patients', 'erase', 'p1', '--clinic', clinic_id, '--yes'], environment)
  const finding = async () => {
    const found = await examine(readConfig({ ...environment, PORT: '0', ADMIN_PORT: '0' }), 'dispatcher')
    return found.find(({ check }) => check === 'erasures')
  }
  assert.equal(await finding(), undefined)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa' })
  const { out, code, errors } = await erase()
  assert.equal(code, 0, errors)
  assert.match(out, /Backups made before .* hold the patient as long as you keep them/)
  assert.equal((await finding())?.state, 'ok')
  // As the tables are after a restore of a backup from before.
  await owner.query(sql`delete from erased_record where clinic_id = ${clinic_id}`)
  await owner.query(sql`update patient set first_name = 'Noa' where clinic_id = ${clinic_id}`)
  const again = await finding()
  assert.equal(again?.state, 'warning')
  assert.match(
    again?.detail ?? '',
    new RegExp(`1 erased patients .*clinicd patients erase p1 --clinic ${clinic_id} --yes`),
  )
  assert.equal((await erase()).code, 0)
  assert.equal((await finding())?.state, 'ok')
  assert.equal((await erasedPatients(DATA_DIR)).length, 1)
  assert.doesNotMatch(await readFile(join(DATA_DIR, 'erased-patients'), 'utf8'), /Noa/)
})

test('an erased patient of whom something has come back is named by the doctor until it is erased again', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const DATA_DIR = join(folder, 'come-back')
  await mkdir(DATA_DIR)
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys(), DATA_DIR }
  const erase = () => operator.run(['patients', 'erase', 'p1', '--clinic', clinic_id, '--yes'], environment)
  const state = async () => {
    const found = await examine(readConfig({ ...environment, PORT: '0', ADMIN_PORT: '0' }), 'dispatcher')
    return found.find(({ check }) => check === 'erasures')?.state
  }
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa' }, ['+972501111111'])
  await insert(owner, clinic, 'call', { id: 'c1', patient_phone: '+972501111111' })
  await erase()
  assert.equal(await state(), 'ok')
  const changes = [
    sql`update patient set first_name = 'Noa' where clinic_id = ${clinic_id}`,
    sql`update call set note = 'Noa asked' where clinic_id = ${clinic_id}`,
  ]
  for (const change of changes) {
    await owner.query(change)
    assert.equal(await state(), 'warning')
    assert.equal((await erase()).code, 0)
    assert.equal(await state(), 'ok')
  }
})

/** A process that lists one patient after another, from the moment on at which all are ready. It says whom it has listed. */
function lister(dataDir: string, name: string) {
  const program = `import { listErased } from ${JSON.stringify(import.meta.resolve('../src/backup/erased-patients.ts'))}
    const [dataDir, name] = process.argv.slice(1)
    console.log('ready')
    for await (const _ of process.stdin) break
    for (let n = 0; n < 200; n++) {
      const patient_id = \`\${name}-\${n}\`
      await listErased(dataDir, { clinic_id: 'springfield', patient_id, erased_at: '2026-03-01T08:00:00.000Z' })
      console.log(patient_id)
    }
    process.exit()`
  const argv = ['--input-type=module', '--eval', program, dataDir, name]
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
  const said: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line))
  return { child, said, exit: once(child, 'close') }
}

test('processes that erase at once lose nobody of the list, also when one is killed meanwhile', async (t) => {
  const DATA_DIR = join(folder, 'at-once')
  await mkdir(DATA_DIR)
  const listers = ['one', 'other', 'killed'].map((name) => lister(DATA_DIR, name))
  t.after(() => listers.map(({ child }) => child.kill('SIGKILL')))
  const have = (count: number) =>
    until(
      async () => listers.every(({ said }) => said.length >= count),
      () => `not all have said ${count} lines`,
    )
  await have(1)
  for (const { child } of listers) child.stdin.write('go\n')
  await have(20)
  listers[2]?.child.kill('SIGKILL')
  await Promise.all(listers.map(({ exit }) => exit))
  const listed = (await erasedPatients(DATA_DIR)).map(({ patient_id }) => patient_id)
  for (const { said } of listers) assert.deepEqual(new Set(said.slice(1)).difference(new Set(listed)), new Set())
  assert.deepEqual(
    listers.slice(0, 2).map(({ said }) => said.length),
    [201, 201],
  )
})

test('a line that was broken off is nobody’s, and the next one is read; any other line that cannot be read is a fault', async () => {
  const DATA_DIR = join(folder, 'broken-off')
  await mkdir(DATA_DIR)
  const path = join(DATA_DIR, 'erased-patients')
  const erased = { clinic_id: 'springfield', patient_id: 'p1', erased_at: '2026-03-01T08:00:00.000Z' }
  const line = JSON.stringify(erased)
  for (const length of [1, 5, 30, line.length - 1]) {
    await writeFile(path, line.slice(0, length))
    assert.deepEqual(await erasedPatients(DATA_DIR), [])
    await listErased(DATA_DIR, { ...erased, patient_id: 'p2' })
    assert.deepEqual(await erasedPatients(DATA_DIR), [{ ...erased, patient_id: 'p2' }])
  }
  for (const other of ['rubbish', `{${line}`]) {
    await writeFile(path, other)
    await assert.rejects(erasedPatients(DATA_DIR))
  }
})

/** An embedded database of a clinic with three patients. */
async function withPatients(dataDir: string): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  try {
    return await asOwner(server, async (owner) => {
      await migrateStorage({ login: null }, owner, () => undefined)
      const clinic = await testClinic(owner)
      await insertPatient(owner, clinic, { id: 'before', first_name: 'Dan' })
      await insertPatient(owner, clinic, { id: 'waited', first_name: 'Noa' })
      // Nothing of this one stands in its own row.
      await insertPatient(owner, clinic, { id: 'nameless' })
      return clinic.clinic_id
    })
  } finally {
    await server.stop()
  }
}

test('a restore names whom to erase again by what it has restored, whatever the clocks said, and the doctor does before the start', async () => {
  const DATA_DIR = join(folder, 'data')
  copyKept(DATA_DIR)
  const backup = join(folder, 'one.backup')
  const run = async (dataDir: string, ...argv: string[]) => {
    const { code, out, errors } = await operator.run(argv, { DATA_DIR: dataDir })
    assert.equal(code, 0, errors)
    return out
  }
  const clinic_id = await withPatients(DATA_DIR)
  const erase = (dataDir: string, id: string) => run(dataDir, 'patients', 'erase', id, '--clinic', clinic_id, '--yes')
  await erase(DATA_DIR, 'before')
  // An erasure that began before the backup and was committed behind it. Of another one nothing was in the backup.
  const long_ago = '2000-01-01T00:00:00.000Z'
  await run(DATA_DIR, 'backup', backup)
  for (const patient_id of ['waited', 'nameless'])
    await listErased(DATA_DIR, { clinic_id, patient_id, erased_at: long_ago })
  await listErased(DATA_DIR, { clinic_id, patient_id: 'came-later', erased_at: '2999-01-01T00:00:00.000Z' })
  const restored = join(folder, 'restored')
  await mkdir(restored)
  for (const name of ['secret-keys', 'erased-patients'])
    if (existsSync(join(DATA_DIR, name))) await copyFile(join(DATA_DIR, name), join(restored, name))
  const out = await run(restored, 'restore', backup)
  const named = [...out.matchAll(/^clinicd patients erase (\S+) --clinic \S+ --yes$/gm)].map(([, id]) => id)
  assert.deepEqual(named, ['waited', 'nameless'])
  const finding = async () => {
    const found = await examine(readConfig({ DATA_DIR: restored, PORT: '0', ADMIN_PORT: '0' }), 'all')
    return found.find(({ check }) => check === 'erasures')
  }
  const before = await finding()
  assert.equal(before?.state, 'warning')
  assert.match(
    before?.detail ?? '',
    /2 erased patients are here again\. Erase them before you start it: .*erase waited/,
  )
  await erase(restored, 'waited')
  assert.match((await finding())?.detail ?? '', /^1 erased patients .*erase nameless/)
  await erase(restored, 'nameless')
  assert.equal(await finding(), undefined)
})
