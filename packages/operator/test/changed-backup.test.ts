// A backup that somebody has changed is not restored, and no file of a backup configures the server that is made from it.
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase, sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { operator } from '@clinic-data/testing/shared/operator'
import { tarEntry } from '@clinic-data/testing/tar-entry'
import { archiveOf, openBackup, verifyBackup } from '../src/backup/backup-file.ts'

const SEAL_BYTES = 32
const MB = 1024 * 1024
const folder = await mkdtemp(join(tmpdir(), 'changed-backup-'))
const DATA_DIR = join(folder, 'data')
const file = join(folder, 'whole.backup')
let whole: Buffer
/** The archive in it. */
let unpacked: Buffer
let secretKeys: string

before(async () => {
  copyKept(DATA_DIR)
  await succeed(['backup', file], DATA_DIR)
  whole = await readFile(file)
  unpacked = zstdDecompressSync(packedIn(whole))
  secretKeys = (await readFile(join(DATA_DIR, 'secret-keys'), 'utf8')).trim()
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function succeed(argv: readonly string[], dataDir: string): Promise<string> {
  const { code, errors } = await operator.run(argv, { DATA_DIR: dataDir })
  assert.equal(code, 0, errors)
  return errors
}

/** A folder to restore into, with nothing but secret keys. */
async function target(name: string, keys = secretKeys): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })
  await writeFile(join(path, 'secret-keys'), `${keys}\n`, { mode: 0o600 })
  return path
}

const otherKey = () => randomBytes(32).toString('base64')

const packedIn = (content: Buffer) => content.subarray(content.indexOf('\n') + 1, content.length - SEAL_BYTES)

/** The parts of the backup, each changed, as somebody can put them together who has no secret key. */
function changed(change: {
  line?: (manifest: Record<string, unknown>) => object
  archive?: (archive: Buffer) => Buffer
}): Buffer {
  const lineEnd = whole.indexOf('\n')
  const manifest = JSON.parse(whole.subarray(0, lineEnd).toString())
  const line = change.line === undefined ? manifest : change.line(manifest)
  const archive = change.archive === undefined ? packedIn(whole) : zstdCompressSync(change.archive(unpacked))
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), archive])
  return Buffer.concat([content, hash('sha256', content, 'buffer')])
}

/** Entries before the others: whoever unpacks does not replace a file. */
const planted =
  (...entries: Buffer[]) =>
  (archive: Buffer) =>
    Buffer.concat([...entries, without(archive, ['postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf'])])

function without(archive: Buffer, names: readonly string[]): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < archive.length; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8) || 0
    const end = at + 512 + Math.ceil(size / 512) * 512
    if (!names.includes(name)) kept.push(archive.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

const asVersionBefore = (manifest: Record<string, unknown>) => {
  const { mac_key: _, ...others } = manifest
  return { ...others, format: 'clinic-data backup 1' }
}

const archiving = (marker: string) =>
  tarEntry('postgresql.auto.conf', `archive_mode = 'on'\narchive_command = 'touch ${marker}; false'\n`)

/** The first page of a table or index: a function, a trigger or a password can stand there. */
function otherData(archive: Buffer): Buffer {
  const bytes = Buffer.from(archive)
  const at = bytes.indexOf('schema_migration')
  assert.ok(at > 0)
  bytes.write('schema_migratioN', at)
  return bytes
}

test('a backup that was changed is refused, although its checksum fits and whatever was changed', async () => {
  const refusing = await target('refusing')
  const marker = join(folder, 'ran')
  const flipped = Buffer.from(whole)
  flipped.writeUInt8((whole.at(-SEAL_BYTES - 1) ?? 0) ^ 1, whole.length - SEAL_BYTES - 1)
  const cases: Record<string, [Buffer, RegExp]> = {
    'a setting that runs a command': [
      changed({ archive: planted(archiving(marker)) }),
      /damaged, not whole or changed/,
    ],
    'other data': [changed({ archive: otherData }), /damaged, not whole or changed/],
    'what it says of itself': [
      changed({ line: (manifest) => ({ ...manifest, made_at: '2020-01-01T00:00:00.000Z' }) }),
      /damaged, not whole or changed/,
    ],
    'a key that nobody has': [
      changed({ line: (manifest) => ({ ...manifest, mac_key: 'z' }) }),
      /damaged, not whole or changed/,
    ],
    'a bit': [flipped, /damaged, not whole or changed/],
    'its end': [whole.subarray(0, -1), /damaged, not whole or changed/],
    'its form': [changed({ line: asVersionBefore }), /does not authenticate .*--unauthenticated/],
  }
  for (const [name, [content, reason]] of Object.entries(cases)) {
    const path = join(folder, 'changed.backup')
    await writeFile(path, content)
    const { code, errors } = await operator.run(['restore', path], { DATA_DIR: refusing })
    assert.notEqual(code, 0, name)
    assert.match(errors, reason, name)
    assert.deepEqual(await readdir(refusing), ['secret-keys'], name)
  }
  assert.equal(existsSync(marker), false)
})

test('a file that is exchanged after it was checked is not unpacked to its end', async () => {
  const path = join(folder, 'exchanged.backup')
  await writeFile(path, whole)
  const backup = await openBackup(path)
  const keys = parseSecretKeys(secretKeys)
  await verifyBackup(backup, keys)
  // With an empty megabyte it is shorter. A longer one would be cut where the first ends, and could not be unpacked anyway.
  const exchanged = changed({ archive: (archive) => otherData(archive).fill(0, MB, 2 * MB) })
  assert.ok(exchanged.length < whole.length)
  await writeFile(path, exchanged)
  await assert.rejects(async () => {
    for await (const _ of archiveOf(backup, keys));
  }, /damaged, not whole or changed/)
})

test('another secret key of the same name does not do', async () => {
  const other = await target('other-key', `a:${otherKey()}`)
  const { code, errors } = await operator.run(['restore', file], { DATA_DIR: other })
  assert.deepEqual([code, /lacks the secret key a .* or has another one of that name/.test(errors)], [2, true], errors)
  assert.deepEqual(await readdir(other), ['secret-keys'])
})

test('a backup of the version before is restored on demand, with a warning, and brings no configuration', async () => {
  const marker = join(folder, 'ran-too')
  const path = join(folder, 'before.backup')
  const names = ['standby.signal', 'recovery.signal', 'server.key', 'pg_tblspc/16999']
  const entries = [
    archiving(marker),
    tarEntry('pg_hba.conf', 'local all all trust\n'),
    tarEntry('pg_ident.conf', 'all all all\n'),
    tarEntry('pg_tblspc/', '', '5'),
    ...names.map((name) => tarEntry(name, '')),
  ]
  await writeFile(path, changed({ line: asVersionBefore, archive: planted(...entries) }))
  const restored = await target('restored')
  const output = await succeed(['restore', path, '--unauthenticated'], restored)
  assert.match(output, /nothing shows that nobody has changed/)

  const server = await startEmbeddedPostgres({ dataDir: restored, log: () => undefined })
  try {
    const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
    const { rows } = await owner.query(sql`
      select current_setting('archive_mode') as archive_mode,
        (select count(*)::integer from pg_settings where sourcefile like '%postgresql.auto.conf') as others,
        (select count(*)::integer from pg_hba_file_rules where auth_method <> 'scram-sha-256') as open_doors,
        (select count(*)::integer from pg_ident_file_mappings) as mappings`)
    await owner.close()
    assert.deepEqual(rows, [{ archive_mode: 'off', others: 0, open_doors: 0, mappings: 0 }])
  } finally {
    await server.stop()
  }
  assert.deepEqual(
    names.filter((name) => existsSync(join(restored, 'pg', name))),
    [],
  )
  assert.equal(existsSync(marker), false)
})
