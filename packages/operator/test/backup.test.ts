// `clinicd backup` and `clinicd restore` as an operator runs them: beside a service under load, on full disks, with damaged files, and
// killed in the middle.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import {
  assertChainSound,
  assertWhole,
  clinicToWriteTo,
  writeThroughCrashes,
} from '@clinic-data/testing/grounds/crash-load'
import { serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { NO_MOUNT } from '@clinic-data/testing/programs/power-cut'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'
import { type BackupManifest, backupContent, openBackup } from '../src/backup/backup-file.ts'

const program = await clinicdProgram()
const folder = await mkdtemp(join(tmpdir(), 'backup-'))
const DATA_DIR = join(folder, 'data')
copyKept(DATA_DIR)
after(async () => {
  await rm(folder, { recursive: true, force: true })
})

const run = (argv: readonly string[], dataDir = DATA_DIR) => operator.run(argv, { DATA_DIR: dataDir })

async function succeed(argv: readonly string[], dataDir = DATA_DIR): Promise<string> {
  const { code, out, errors } = await run(argv, dataDir)
  assert.equal(code, 0, errors)
  return out
}

/** A folder to restore into, which holds the installation's secret keys and nothing else. */
async function emptyFolder(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })
  await copyFile(join(DATA_DIR, 'secret-keys'), join(path, 'secret-keys'))
  return path
}

async function withOwner<T>(url: string, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = await openDatabase({ url, statementTimeoutMs: 0 })
  return work(owner).finally(() => owner.close())
}

async function onServerOf<T>(dataDir: string, work: (owner: Database) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  return withOwner(server.ownerUrl, work).finally(() => server.stop())
}

/** The rows of every table, and what else a database is made of. Passwords are made anew. */
async function contentOf(owner: Database): Promise<Record<string, unknown>> {
  const { rows: tables } = await owner.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)
  const content: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await owner.query(sql`
      select count(*), md5(string_agg(one::text, ',' order by one::text)) as sum from only ${sql.identifier(name)} as one`)
    content[name] = rows[0]
  }
  for (const [name, statement] of Object.entries({
    sequences: sql`select sequencename::text, last_value from pg_sequences order by 1`,
    roles: sql`select rolname::text, rolsuper, rolbypassrls, rolcanlogin from pg_roles order by 1`,
    policies: sql`select tablename::text, policyname::text, roles::text, qual, with_check from pg_policies order by 1, 2`,
    partitions: sql`select inhrelid::regclass::text, inhparent::regclass::text from pg_inherits order by 1, 2`,
    walls: sql`select relname::text, relrowsecurity, relforcerowsecurity, relacl::text from pg_class
      where relnamespace = 'public'::regnamespace order by 1`,
    objects: sql`select loid::text, md5(data) from pg_largeobject order by 1`,
  }))
    content[name] = (await owner.query(statement)).rows
  return content
}

const loaded = join(folder, 'loaded.backup')
const quiet = join(folder, 'quiet.backup')
let atRest: Record<string, unknown>
let clinic_id: string

test('a backup under load holds all that was answered before it, the service goes on writing, and a former secret key restores it', async () => {
  const service = await serveHere({ DATA_DIR })
  const urls = await findEmbeddedPostgres(DATA_DIR)
  assert.ok(urls)
  const idsBefore: string[] = []
  await withOwner(urls.ownerUrl, async (owner) => {
    const clinic = await clinicToWriteTo(owner)
    clinic_id = clinic.clinic_id
    const stored = () => owner.query<{ id: string }>(sql`select id from lead where clinic_id = ${clinic_id}`)
    const answers = await writeThroughCrashes({
      address: async () => service.address,
      key: clinic.key,
      rounds: 1,
      restMs: 60,
      kill: async () => {
        idsBefore.push(...(await stored()).rows.map(({ id }) => id))
        const out = await succeed(['backup', loaded])
        assert.match(
          out,
          /The secret keys are not in it\. No copy of .*secret-keys is known, .*: clinicd secrets copy <file> makes it/,
        )
      },
    })
    await assertWhole(owner, clinic_id, answers)
    await assertChainSound({ owner }, clinic_id, (await readFile(join(DATA_DIR, 'secret-keys'), 'utf8')).trim())
    await owner.query(sql`select lo_from_bytea(0, 'large')`)
  })
  await service.stop()
  assert.equal((await stat(loaded)).mode & 0o777, 0o600)

  const restored = await emptyFolder('restored-loaded')
  const later = `later:${randomBytes(32).toString('base64')}`
  await writeFile(join(restored, 'secret-keys'), `${later},${await readFile(join(DATA_DIR, 'secret-keys'), 'utf8')}`)
  const said = await succeed(['restore', loaded, '--stop-integrations'], restored)
  assert.match(said, /^These integrations were stopped\. /m)
  await onServerOf(restored, async (owner) => {
    assert.match(await succeed(['audit', 'verify', '--clinic', clinic_id], restored), /^(Sound|Nothing)/)
    const { rows } = await owner.query<{ id: string }>(sql`select id from lead where clinic_id = ${clinic_id}`)
    const ids = new Set(rows.map(({ id }) => id))
    assert.ok(idsBefore.length > 0)
    assert.deepEqual(
      idsBefore.filter((id) => !ids.has(id)),
      [],
    )
    const { rows: keys } = await owner.query(sql`select stopped_at is not null as is_stopped from api_key`)
    assert.deepEqual(keys, [{ is_stopped: true }])
  })
})

test('a backup never replaces a file, and one without a database makes none', async () => {
  const before = await readFile(loaded)
  const { code, errors } = await run(['backup', loaded])
  assert.deepEqual([code, /exists already/.test(errors)], [2, true])
  assert.deepEqual(await readFile(loaded), before)
  const nowhere = join(folder, 'nowhere')
  assert.equal((await run(['backup', join(folder, 'x')], nowhere)).code, 2)
  const homeless = await run(['backup', join(nowhere, 'x')])
  assert.deepEqual(
    [homeless.code, homeless.errors],
    [2, `clinicd: there is no folder ${nowhere} for a backup: make it first\n`],
  )
  const missing = await run(['restore', join(nowhere, 'x')], nowhere)
  assert.deepEqual([missing.code, missing.errors], [2, `clinicd: there is no file ${join(nowhere, 'x')}\n`])
  assert.equal(existsSync(nowhere), false)
})

interface Killed {
  argv: readonly string[]
  dataDir: string
  place: string
  /** How the name begins that it gives to what it has not finished. */
  begun: string
  made: string
}

/** Kills the command as soon as it has begun to write into the place. One that was quicker is undone and run again. */
async function killInTheMiddle({ argv, dataDir, place, begun, made }: Killed): Promise<void> {
  for (;;) {
    const child: ChildProcess = spawn(process.execPath, [program, ...argv], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    while (child.exitCode === null && !(await readdir(place)).some((name) => name.startsWith(begun))) await delay(5)
    child.kill('SIGKILL')
    const [code, signal] = await ended
    if (signal === 'SIGKILL') return
    assert.equal(code, 0)
    await rm(join(place, made), { recursive: true })
  }
}

test('after SIGKILL there is no backup, and the next one and its restore are complete, in a folder of a killed restore too', async () => {
  const place = join(folder, 'place')
  await mkdir(place)
  await onServerOf(DATA_DIR, async (owner) => {
    const argv = ['backup', join(place, 'killed')]
    await killInTheMiddle({ argv, dataDir: DATA_DIR, place, begun: '.writing-', made: 'killed' })
    assert.equal(existsSync(join(place, 'killed')), false)
    atRest = await contentOf(owner)
    await succeed(['backup', quiet])
  })
  const restored = await emptyFolder('restored-quiet')
  const argv = ['restore', quiet]
  await killInTheMiddle({ argv, dataDir: restored, place: restored, begun: 'pg.new-', made: 'pg' })
  assert.equal(existsSync(join(restored, 'pg')), false)
  const said = await succeed(['restore', quiet], restored)
  assert.match(said, /^Keys, connections and sign-ins that were ended after that, .* are open again\. /m)
  assert.deepEqual(
    (await readdir(restored)).filter((name) => name.startsWith('pg')),
    ['pg'],
  )
  await onServerOf(restored, async (owner) => {
    assert.deepEqual(await contentOf(owner), atRest)
    const verified = await succeed(['audit', 'verify', '--clinic', clinic_id], restored)
    assert.match(verified, /^Sound: \d+ seals over \d+ rows\./)
  })
  const again = await run(['restore', quiet], restored)
  assert.deepEqual([again.code, /already holds a database/.test(again.errors)], [2, true])
})

test('a damaged file, one of a newer version and keys that do not fit change nothing', async () => {
  const whole = await readFile(quiet)
  const target = await emptyFolder('refused')
  const lineEnd = whole.indexOf('\n')
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at)
    return bytes
  }
  const secretKeys = parseSecretKeys((await readFile(join(target, 'secret-keys'), 'utf8')).trim())
  const { manifest: whatItSays } = await openBackup(quiet)
  const refusalOf = async (change: (manifest: BackupManifest) => BackupManifest) =>
    buffer(backupContent(change(structuredClone(whatItSays)), secretKeys, Readable.from([]), async () => undefined))
  const newer = (manifest: BackupManifest) =>
    Object.assign(manifest, { version: '99.0.0', migrations: [{ id: '9999_later', checksum: 'x' }] })
  const cases: [Buffer, RegExp][] = [
    [flipped(lineEnd + 1), /damaged/],
    [flipped(Math.floor(whole.length / 2)), /damaged/],
    [flipped(whole.length - 1), /damaged/],
    [whole.subarray(0, whole.length - 1), /damaged/],
    [whole.subarray(0, lineEnd + 10), /damaged/],
    [Buffer.alloc(0), /is not a backup/],
    [Buffer.from('{}\n'), /is not a backup/],
    [await refusalOf(newer), /clinicd 99\.0\.0 made the backup, a newer version/],
    [await refusalOf((manifest) => Object.assign(manifest, { format: 'clinic-data backup 3' })), /a newer version/],
    [await refusalOf((manifest) => Object.assign(manifest, { postgres: 17 })), /PostgreSQL 17/],
    [await refusalOf((manifest) => Object.assign(manifest, { secret_keys: { b: 'x' } })), /lacks the secret key b/],
  ]
  for (const [content, reason] of cases) {
    const file = join(folder, 'changed.backup')
    await writeFile(file, content)
    const { code, errors } = await run(['restore', file], target)
    assert.notEqual(code, 0, String(reason))
    assert.match(errors, reason)
    assert.deepEqual(await readdir(target), ['secret-keys'], String(reason))
  }
  await rm(join(target, 'secret-keys'))
  const without = await run(['restore', quiet], target)
  assert.deepEqual([without.code, /secret-keys is missing/.test(without.errors)], [2, true])
  assert.deepEqual(await readdir(target), [])
})

/** A disk that is soon full. Null when this account may not mount. */
function smallDisk(path: string, megabytes: number): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' })
    return () => execFileSync('umount', [path])
  } catch {
    return null
  }
}

test('on a full disk neither command leaves anything behind', async (t) => {
  const full = await emptyFolder('full')
  const unmount = smallDisk(full, 1)
  if (unmount === null) return t.skip(NO_MOUNT)
  t.after(unmount)
  const backup = await run(['backup', join(full, 'file')])
  assert.deepEqual([backup.code, /ENOSPC/.test(backup.errors)], [1, true], backup.errors)
  assert.deepEqual(await readdir(full), [])

  await copyFile(join(DATA_DIR, 'secret-keys'), join(full, 'secret-keys'))
  const restore = await run(['restore', quiet], full)
  assert.deepEqual([restore.code > 0, /ENOSPC|No space left/.test(restore.errors)], [true, true], restore.errors)
  assert.equal(
    (await readdir(full)).some((name) => name.startsWith('pg')),
    false,
  )
})
