// `clinicd audit export` and `clinicd audit verify --file`, as an operator and an inspector run them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import { planSelection, writeSelection } from '@clinic-data/audit/export/selection'
import { namedIn } from '@clinic-data/audit/stored-ids'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { sql, utcSession } from '@clinic-data/database'
import { newClinic } from '@clinic-data/testing/grounds/ground'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'

// Its own: one test lets the audit log refuse every row.
const base = await ownGround(schema)
const { url, owner } = base
const program = await clinicdProgram()
const SECRET_KEYS = newSecretKeys()
const folder = await mkdtemp(join(tmpdir(), 'audit-export-'))
after(() => rm(folder, { recursive: true }))

/** The day before yesterday, of UTC, the same for the whole file. */
const DAY = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
let monotonic = 0
const keys = signingKeys(parseSecretKeys(SECRET_KEYS), 'audit-head')
const sealer = new AuditSealer({ keys, now: () => new Date(), monotonic: () => monotonic })

/** A seal for each of these times. */
async function sealedClinic(...times: string[]): Promise<Clinic> {
  const clinic = await newClinic(base)
  for (const stored_at of times) {
    await insert(owner, clinic, 'audit', {
      stored_at,
      at: stored_at,
      key_id: 'key_1',
      operation: 'patients.get',
      surface: 'rest',
      resource_ids: ['p1', '', 'p1'],
      count: 1,
      status: 200,
      request_id: 'req_1',
      address: '192.0.2.1',
    })
    for (let round = 0; round < 2; round++) {
      monotonic += 60_000
      await sealer.seal(owner, clinic.clinic_id)
    }
  }
  return clinic
}

let files = 0
const newFile = () => join(folder, `${files++}.log`)
const exporting = ({ clinic_id }: Clinic, ...argv: string[]) =>
  operator.run(['audit', 'export', '--clinic', clinic_id, ...argv], { DATABASE_URL: url, SECRET_KEYS })
/** In a process of its own: the export goes to standard output. */
const streaming = ({ clinic_id }: Clinic) => {
  const env = { PATH: process.env.PATH, DATABASE_URL: url, SECRET_KEYS }
  const argv = [program, 'audit', 'export', '--clinic', clinic_id]
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' })
  return { code: status, out: stdout, errors: stderr }
}
/** With no settings at all: an inspector has none. */
const verifying = (...argv: string[]) => operator.run(['audit', 'verify', ...argv], {})

test('an exported log is verified with its file and a head alone, and what was changed with an editor is found', async () => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`, `${DAY}T11:00Z`)
  for (const format of ['ndjson', 'csv', 'ocsf']) {
    const file = newFile()
    const written = await exporting(clinic, '--format', format, '--to', file)
    assert.equal(written.code, 0, written.errors)
    assert.match(written.out, /^Wrote .*: 0\.0 MB\. It names patients by their ids\.\nSeals 1 to 2 over 2 rows, from /)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const head = /^Head: (2\.[0-9a-f]{64})$/m.exec(written.out)?.[1] ?? assert.fail(written.out)
    const { code, out } = await verifying('--file', file, '--expect', head)
    assert.equal(code, 0, out)
    assert.match(out, new RegExp(`^Sound: the audit log of the clinic ${clinic.clinic_id}, exported at .*Z\\.\\n`))
    assert.match(out, /The expected head is in the chain\. It proves the rows up to seal 2\.\n$/)
    const other = await verifying('--file', file, '--expect', `2.${'0'.repeat(64)}`)
    assert.deepEqual([other.code, /another seal 2 is in its place/.test(other.out)], [1, true])
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('192.0.2.1', '192.0.2.9'))
    const changed = await verifying('--file', file)
    assert.deepEqual([changed.code, changed.errors], [1, ''])
    assert.match(changed.out, /^Not sound: line [23], seal 1: its fields say otherwise than its canonical text\.\n$/)
  }
})

test('an export of the console says what was searched for, what it does not prove, and prints the rows when they are asked for', async () => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`, `${DAY}T11:00Z`, `${DAY}T12:00Z`)
  const { clinic_id } = clinic
  const [first, , last] = await owner.read<{ id: number }>(
    utcSession(clinic_id),
    sql`select id from audit where clinic_id = ${clinic_id} order by id`,
  )
  const ids = [first?.id ?? 0, last?.id ?? 0]
  const plan = await planSelection(owner, clinic_id, { ids, firstStoredMs: Date.parse(`${DAY}T10:00Z`) })
  const filter = { ...{ key_ids: ['key_1'], integration: null, operation: null, surface: null }, outside_console: true }
  const searched = { ...filter, ...{ outcome: null, resource_id: null, patient_id: 'p1' } }
  const wanted = { ...plan, needed: [1, 3], matching: 2 }
  const parts = { filter: searched, period: { since: null, until: null }, program: '0.2.0', now: new Date() }
  const file = newFile()
  await writeFile(file, writeSelection(owner, clinic_id, wanted, parts))
  const { code, out } = await verifying('--file', file, '--rows')
  assert.equal(code, 0, out)
  assert.match(
    out,
    /^Searched for: patient_id p1; key_ids key_1; surface all but the console\.\nRows that match it: 2\. Seals that hold them, with all their other rows: 2\.$/m,
  )
  assert.match(out, /^Seals without their rows: 1\. That none of those rows matches, the file does not prove/m)
  assert.match(out, /^Checked: .* Not checked: whose file it is/m)
  assert.deepEqual([...out.matchAll(/patients\.get/g)].length, 2)
  const { out: json } = await verifying('--file', file, '--rows', '--json')
  assert.deepEqual(
    JSON.parse(json).rows_of_selection.map(({ id, seal }: Record<string, number>) => [id, seal]),
    [
      [ids[0], 1],
      [ids[1], 3],
    ],
  )
  const whole = newFile()
  await exporting(clinic, '--to', whole)
  const refused = await verifying('--file', whole, '--rows')
  assert.match(refused.errors, /--rows is for a file that the console's page Activity has exported/)
  await writeFile(file, (await readFile(file, 'utf8')).replace('192.0.2.1', '192.0.2.9'))
  const changed = await verifying('--file', file, '--rows')
  assert.deepEqual([changed.code, /patients\.get/.test(changed.out)], [1, false])
})

test('an export has its row, which names the operator, the seals and the head, and stands in the file itself', async () => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`)
  const { clinic_id } = clinic
  const { code, out, errors } = streaming(clinic)
  assert.equal(code, 0, errors)
  assert.match(errors, /^Wrote to standard output: /m)
  const [row] = await owner.read<{ key_id: string; operation: string; resource_ids: string[] }>(
    utcSession(clinic_id),
    sql`select key_id, operation, resource_ids from audit where clinic_id = ${clinic_id} order by id desc limit 1`,
  )
  const head = /^Head: (.*)$/m.exec(errors)?.[1]
  assert.deepEqual([row?.key_id, row?.operation], [`operator:${userInfo().username}`, 'operator.audit.export'])
  assert.deepEqual(namedIn(row?.resource_ids ?? []).resource_ids, [clinic_id, 'seals:1-1', head])
  assert.deepEqual(namedIn(row?.resource_ids ?? []).patient_ids, [])
  const lines = out.trimEnd().split('\n')
  assert.deepEqual(lines.map((line) => [JSON.parse(line).type, JSON.parse(line).operation]).slice(-2), [
    ['row', 'operator.audit.export'],
    ['end', undefined],
  ])
})

test('without its row nothing is exported', async (t) => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`)
  await owner.query(sql`alter table audit add constraint no_more_rows check (false) not valid`)
  t.after(() => owner.query(sql`alter table audit drop constraint no_more_rows`))
  const file = newFile()
  assert.equal((await exporting(clinic, '--to', file)).code, 1)
  await assert.rejects(stat(file), /ENOENT/)
  const { code, out } = streaming(clinic)
  assert.deepEqual([code, out], [1, ''])
})

test('a day of a period is the clinic’s, and the period is told with what it was widened to', async () => {
  const clinic = await sealedClinic(`${DAY}T08:00Z`, `${DAY}T23:30Z`)
  await owner.query(sql`update clinic set time_zone = 'Asia/Jerusalem' where clinic_id = ${clinic.clinic_id}`)
  const next = new Date(Date.parse(DAY) + 86_400_000).toISOString().slice(0, 10)
  // The second row is of the next day in Jerusalem.
  const first = await exporting(clinic, '--until', DAY, '--json', '--to', newFile())
  assert.deepEqual([JSON.parse(first.out).rows, JSON.parse(first.out).outside], [1, 1], first.errors)
  const second = await exporting(clinic, '--since', next, '--to', newFile())
  assert.match(
    second.out,
    /The period is from .*T2[12]:00:00\.000Z to now, widened to whole seals\.\nSeals 2 to 2 over 1 rows/,
  )
  assert.match(second.out, /^Before the file: 1\.[0-9a-f]{64}$/m)
})

test('the log of a deleted clinic is exported', async () => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`)
  await owner.query(sql`update clinic set closed_at = now(), deleted_at = now() where clinic_id = ${clinic.clinic_id}`)
  const { code, out } = await exporting(clinic, '--json', '--to', newFile())
  assert.deepEqual([code, JSON.parse(out).rows], [0, 1])
})

test('a log that does not match its seals is exported as it is stored, and the command fails and says so', async () => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`)
  await owner.query(sql`update audit set status = 403 where clinic_id = ${clinic.clinic_id}`)
  const file = newFile()
  const { code, out, errors } = await exporting(clinic, '--to', file)
  assert.equal(code, 1)
  assert.match(out, /Not sound: line 3, seal 1: its rows were changed\./)
  assert.match(errors, /the log in the database does not match its seals/)
  assert.equal((await verifying('--file', file)).code, 1)
})

test('what is called wrongly says how to call it, and changes no file', async () => {
  const clinic = await sealedClinic(`${DAY}T10:00Z`)
  const file = newFile()
  await writeFile(file, 'kept')
  for (const [argv, reason] of [
    [['--to', file], /exists already: an export never replaces another file/],
    [['--since', 'yesterday'], /--since must be a day/],
    [['--since', DAY, '--until', '2020-01-01'], /--since must come before --until/],
    [['--format', 'xml'], /ndjson, csv, ocsf/],
  ] as const) {
    const { code, errors } = await exporting(clinic, ...argv)
    assert.equal(code, 2, errors)
    assert.match(errors, reason)
  }
  assert.equal(await readFile(file, 'utf8'), 'kept')
  for (const [argv, reason] of [
    [[], /either --clinic, .* or --file/],
    [['--file', file, '--clinic', clinic.clinic_id], /either --clinic/],
    [['--file', file, '--kept-since', DAY], /--kept-since is for --clinic/],
    [['--file', join(folder, 'none')], /there is no file/],
    [['--file', folder], /there is no file/],
    [['--file', file, '--expect', 'x'], /--expect must be a head/],
  ] as const) {
    const { code, errors } = await verifying(...argv)
    assert.equal(code, 2, errors)
    assert.match(errors, reason)
  }
  const { code, out, errors } = await verifying('--file', file)
  assert.deepEqual([code, out, errors], [1, 'Not sound: line 1: the file was cut off in the middle of it.\n', ''])
})
