// A clinic leaves: its archive holds everything, then it is gone, and nothing of another clinic is touched.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { listActivity } from '@clinic-data/administration/pages/activity'
import { tables } from '@clinic-data/backend/migrations'
import { clinicTables } from '@clinic-data/backend/offboarding/clinic-tables'
import { closeClinic } from '@clinic-data/backend/offboarding/close-clinic'
import { deleteClinic, deleteRows } from '@clinic-data/backend/offboarding/delete-clinic'
import { sql, utcSession } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { halfSent } from '@clinic-data/testing/half-sent'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ask, emptyClinic, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'
import { filledClinic } from './filled-clinic.ts'

const program = await clinicdProgram()
const { owner, ownerUrl } = await testDatabase()
const service = await startParts()
after(() => service.close())
const folder = await mkdtemp(join(tmpdir(), 'clinic-archive-'))
after(() => rm(folder, { recursive: true }))

const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
const clinicd = (...argv: string[]) => operator.run(argv, environment)
const close = (clinic_id: string) =>
  closeClinic(owner, clinic_id, { now: new Date(), beside: () => undefined }, async () => undefined)
async function countsOf(clinic_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of Object.keys(clinicTables)) {
    const { rows } = await owner.query<{ count: number }>(
      sql`select count(*)::integer as count from ${sql.identifier(table)} where clinic_id = ${clinic_id}`,
    )
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}

const STAYS = Object.entries(clinicTables).flatMap(([table, { stays }]) => (stays === undefined ? [] : [table]))
/** Made by the dispatcher alone. */
const SEALS = [
  ...['audit_seal', 'audit_former_seal', 'audit_head', 'audit_segment', 'audit_segment_names'],
  'audit_export_place',
]
/** The days that are packed for all clinics. */
const OF_NO_CLINIC = 'audit_packed_day'

function assertGone(counts: Readonly<Record<string, number>>): void {
  for (const [table, count] of Object.entries(counts)) if (!STAYS.includes(table)) assert.equal(count, 0, table)
}

test('every table says what becomes of its rows, and every column with a secret is left out of the archive', async () => {
  const ofClinics = tables.filter(({ kind, table }) => kind !== 'local' && table !== OF_NO_CLINIC)
  assert.deepEqual(Object.keys(clinicTables).sort(), ofClinics.map(({ table }) => table).sort())
  const { rows } = await owner.query<{ table: string; column: string }>(sql`
    select relname as table, attname as column from pg_class c join pg_attribute on attrelid = c.oid
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and relname = any(${Object.keys(clinicTables)}::text[])
      and (atttypid = 'bytea'::regtype or attname ~ 'hash|secret|password|openid|mint_request|token|mac|public_key|credential')`)
  const open = rows.filter(({ table, column }) => {
    const { leftOut, secret = [] } = clinicTables[table] ?? {}
    return leftOut === undefined && !secret.includes(column)
  })
  assert.deepEqual(open, [])
})

test('an archive holds every row and every byte of a clinic, no secret, and nothing of another', async () => {
  const [leaving, other] = [await filledClinic(service), await smallClinic(service)]
  const { clinic_id } = leaving.clinic
  const before = await countsOf(clinic_id)
  for (const [table, count] of Object.entries(before))
    if (!SEALS.includes(table)) assert.ok(count > 0, `no row in ${table}`)
  const file = join(folder, `${clinic_id}.tar.gz`)
  const { code, out, errors } = await clinicd('clinics', 'export', file, '--clinic', clinic_id)
  assert.equal(code, 0, errors)
  assert.match(out, /It holds patients in the clear/)
  const unpacked = await mkdtemp(join(folder, 'unpacked-'))
  assert.equal(spawnSync('tar', ['-xzf', file, '-C', unpacked]).status, 0)
  const contents = JSON.parse(readFileSync(join(unpacked, 'contents.json'), 'utf8'))
  const exported = Object.entries(clinicTables).filter(([, { leftOut }]) => leftOut === undefined)
  assert.deepEqual(Object.keys(contents.rows).sort(), exported.map(([table]) => table).sort())
  for (const [table] of exported) {
    const lines = globSync(`tables/${table}/*.jsonl`, { cwd: unpacked })
      .sort()
      .flatMap((part) => readFileSync(join(unpacked, part), 'utf8').trimEnd().split('\n'))
    // The export itself has rows in the audit log.
    if (table === 'audit') assert.ok(lines.length > (before.audit ?? 0))
    else assert.equal(lines.length, before[table], table)
    assert.equal(contents.rows[table], lines.length, table)
    for (const line of lines) assert.equal(JSON.parse(line).clinic_id, clinic_id)
  }
  const stored = await owner.read<{ id: string; bytes: Buffer }>(
    utcSession(clinic_id),
    sql`
    select file_id as id, string_agg(content, '' order by position) as bytes from file_piece where clinic_id = ${clinic_id} group by file_id`,
  )
  assert.ok(stored.length > 0)
  const numbers = new Map(contents.files.map(({ id, number }: { id: string; number: number }) => [id, number]))
  for (const { id, bytes } of stored)
    assert.deepEqual(readFileSync(join(unpacked, 'files', String(numbers.get(id)))), bytes)
  assert.equal(contents.files.length, stored.length)
  const texts = globSync('**/*.{jsonl,json,txt}', { cwd: unpacked }).map((name) =>
    readFileSync(join(unpacked, name), 'utf8'),
  )
  for (const text of texts)
    for (const secret of [...leaving.secrets, other.clinic.clinic_id]) assert.ok(!text.includes(secret))
  const patients = await owner.read<{ id: string }>(
    utcSession(clinic_id),
    sql`select id from patient where clinic_id = ${clinic_id}`,
  )
  for (const { id } of patients) {
    const { data } = await listActivity(
      owner,
      leaving.clinic,
      { patient_id: id, operation: 'operator.clinics.export', limit: 5 },
      new Date(),
    )
    assert.equal(data.length, 1, 'the search for each patient finds the export')
  }
  const again = await clinicd('clinics', 'export', file, '--clinic', clinic_id)
  assert.equal(again.code, 2)
  assert.match(again.errors, /exists already/)
})

test('an archive goes to standard output, with nothing else there, and whoever ends early has no archive', async () => {
  const { clinic_id } = await emptyClinic(owner)
  const begin = () => {
    const child = spawn(process.execPath, [program, 'clinics', 'export', '-', '--clinic', clinic_id], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { child, errors: text(child.stderr), ended: once(child, 'exit').then(([code]) => code) }
  }
  const whole = begin()
  const archive = await buffer(whole.child.stdout)
  assert.equal(await whole.ended, 0, await whole.errors)
  assert.match(await whole.errors, /^Wrote to standard output: \d+ files of the clinic /m)
  const listed = spawnSync('tar', ['-tzf', '-'], { input: archive, encoding: 'utf8' })
  assert.match(listed.stdout, /^contents\.json$/m)
  const cut = begin()
  cut.child.stdout.destroy()
  assert.equal(await cut.ended, 1)
  assert.match(await cut.errors, /^clinicd: the reader of standard output ended .* what it has is no archive/m)
})

test('a clinic is deleted only when it is named twice, and then whole: its ways in, its rows, nothing else', async () => {
  const [leaving, other] = [await filledClinic(service), await filledClinic(service)]
  const { clinic_id } = leaving.clinic
  const file = join(folder, `${clinic_id}.tar.gz`)
  const [before, others] = [await countsOf(clinic_id), await countsOf(other.clinic.clinic_id)]
  for (const [argv, line] of [
    [['--confirm', clinic_id], /--export <file>, or --no-export/],
    [['--export', file], new RegExp(`nothing was changed.*12 patients.*--confirm ${clinic_id}`)],
    [['--export', file, '--confirm', other.clinic.clinic_id], /nothing was changed/],
    [['--export', join(folder, 'none', 'a.tar.gz'), '--confirm', clinic_id], /there is no folder/],
    [['--export', '-', '--confirm', clinic_id], /the archive of a deletion goes into a file/],
  ] as const) {
    const { code, errors } = await clinicd('clinics', 'delete', '--clinic', clinic_id, ...argv)
    assert.equal(code, 2)
    assert.match(errors, line)
  }
  assert.deepEqual(await countsOf(clinic_id), before)
  assert.equal((await ask(service, leaving.key, '/v1/me')).status, 200)
  const late = await halfSent(service.gateway.app, {
    path: '/v1/leads',
    headers: { authorization: `Bearer ${leaving.key}` },
    body: JSON.stringify({ first_name: 'Noa', phone: '050-123-4567', source: 'website' }),
  })
  const done = await clinicd('clinics', 'delete', '--clinic', clinic_id, '--export', file, '--confirm', clinic_id)
  assert.equal(done.code, 0, done.errors)
  assert.match(
    done.out,
    /Deleted the clinic .*: \d+ rows\.\nIts audit log stays for ever: no AUDIT_RETENTION_DAYS is set/,
  )
  assert.equal((await late.rest()).status, 401)
  assert.equal((await ask(service, leaving.key, '/v1/me')).status, 401)
  assertGone(await countsOf(clinic_id))
  assert.ok(existsSync(file))
  assert.deepEqual(await countsOf(other.clinic.clinic_id), others)
  assert.equal((await ask(service, other.key, '/v1/me')).status, 200)
  const { rows: open } = await owner.query(sql`
    select id from api_key where clinic_id = ${clinic_id} and revoked_at is null
    union all select id from ingest_token where clinic_id = ${clinic_id} and revoked_at is null
    union all select id from administrator where clinic_id = ${clinic_id} and disabled_at is null`)
  assert.deepEqual(open, [])
  const log = await clinicd('audit', 'show', '--clinic', clinic_id)
  assert.match(log.out, /operator\.clinics\.delete/)
  for (const argv of [
    ['keys', 'mint', '--scopes', 'reads', '--clinic', clinic_id],
    ['clinics', 'update', '--name', 'Again', '--clinic', clinic_id],
    ['clinics', 'export', join(folder, 'again.tar.gz'), '--clinic', clinic_id],
  ]) {
    const { code, errors } = await clinicd(...argv)
    assert.equal(code, 2, argv.join(' '))
    assert.match(errors, /was deleted at /)
  }
  const made = await clinicd('clinics', 'create', '--id', clinic_id, '--name', 'Another')
  assert.match(made.errors, /there is or was a clinic with the id/)
})

test('a deletion says by which day the log of the clinic is dropped, where logs are not kept for ever', async () => {
  const { clinic_id } = await emptyClinic(owner)
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const earliest = dayIn(91)
  const argv = ['clinics', 'delete', '--clinic', clinic_id, '--no-export', '--confirm', clinic_id, '--json']
  const { out } = await operator.run(argv, { ...environment, AUDIT_RETENTION_DAYS: '90' })
  const { last_day } = JSON.parse(out).audit_log
  // The rows of today are kept for 90 days after it, and dropped on the next one.
  assert.ok([earliest, dayIn(91)].includes(last_day), last_day)
})

test('two that delete a clinic at once end both, and it is gone', async () => {
  const { clinic } = await filledClinic(service)
  const { clinic_id } = clinic
  await assert.rejects(deleteClinic(owner, clinic_id, new Date()), /is not closed/)
  await close(clinic_id)
  await Promise.all([deleteClinic(owner, clinic_id, new Date()), deleteClinic(owner, clinic_id, new Date())])
  assertGone(await countsOf(clinic_id))
})

test('the archive of a clinic without patients leaves a row, too', async () => {
  const { clinic_id } = await emptyClinic(owner)
  const file = join(folder, `${clinic_id}.tar.gz`)
  assert.equal((await clinicd('clinics', 'export', file, '--clinic', clinic_id)).code, 0)
  assert.match((await clinicd('audit', 'show', '--clinic', clinic_id)).out, /operator\.clinics\.export/)
})

test('a deletion that was cut off is ended by its repetition, which needs no archive and no confirmation', async () => {
  const { clinic } = await filledClinic(service)
  const { clinic_id } = clinic
  await close(clinic_id)
  await owner.query(sql`update clinic set deleted_at = now() where clinic_id = ${clinic_id}`)
  let seen = 0
  const cut = deleteRows(owner, clinic_id, (rows) => {
    seen = rows
    if (rows > 100) throw new Error('killed')
  })
  await assert.rejects(cut, /killed/)
  assert.ok(seen > 100 && (await countsOf(clinic_id)).patient !== 0)
  const { code, out, errors } = await clinicd('clinics', 'delete', '--clinic', clinic_id, '--json')
  assert.equal(code, 0, errors)
  assert.equal(JSON.parse(out).archive, null)
  assertGone(await countsOf(clinic_id))
})

test('the settings of a clinic are changed, with a row, and what does not suit changes nothing', async () => {
  const { clinic, key } = await smallClinic(service)
  const { clinic_id } = clinic
  const update = (...argv: string[]) => clinicd('clinics', 'update', '--clinic', clinic_id, ...argv)
  const settings = ['--name', 'Springfield', '--time-zone', 'Europe/Rome', '--country', 'IT', '--week-start', 'monday']
  const changed = await update(
    ...settings,
    '--min-visit-minutes',
    '20',
    '--slot-step-minutes',
    '10',
    '--ai-transcription',
    'on',
    '--sign-in',
    'passkey',
    '--approval',
    'on',
    '--json',
  )
  assert.equal(changed.code, 0, changed.errors)
  const { created_at: _, ...shown } = JSON.parse(changed.out)
  assert.deepEqual(shown, {
    clinic_id,
    name: 'Springfield',
    time_zone: 'Europe/Rome',
    country: 'IT',
    currency: 'ILS',
    week_start: 1,
    min_visit_minutes: 20,
    slot_step_minutes: 10,
    ai_transcription: true,
    sign_in_demand: 'passkey',
    needs_approval: true,
    closed_at: null,
    deleted_at: null,
  })
  assert.match((await clinicd('clinics', 'list')).out, new RegExp(`^${clinic_id} +Springfield .* IT +monday `, 'm'))
  assert.match((await clinicd('audit', 'show', '--clinic', clinic_id)).out, /operator\.clinics\.update/)
  for (const argv of [
    [],
    ['--time-zone', 'Mars/Olympus'],
    ['--country', 'XX'],
    ['--name', ' '],
    ['--min-visit-minutes', '0'],
    ['--slot-step-minutes', '7'],
    ['--sign-in', 'fingerprint'],
  ])
    assert.notEqual((await update(...argv)).code, 0, argv.join(' '))
  assert.equal((await ask(service, key, '/v1/me')).json.data.clinic_id, clinic_id)
  const [row] = await owner.read(
    utcSession(clinic_id),
    sql`select name, time_zone from clinic where clinic_id = ${clinic_id}`,
  )
  assert.deepEqual({ ...row }, { name: 'Springfield', time_zone: 'Europe/Rome' })
})
