// The nightly base backup of `deploy/`, with the lines of its unit, on Debian's PostgreSQL: it can be restored as docs/operate.md says.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import {
  accountOfServer,
  as,
  asking,
  DEBIAN_15,
  serveFolder,
  servers,
} from '@clinic-data/testing/programs/plain-server'

const FOLDER = '/var/backups/postgresql'
const unit = await readFile(join(import.meta.dirname, '../../../deploy/clinicd-base-backup.service'), 'utf8')
const { skip, start } = servers['PostgreSQL 15']

/** The line of the unit that makes the backup, as systemd gives it to a shell. */
function backupScript(folder: string): string {
  const [, script = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? assert.fail('the unit runs no shell')
  return script.replaceAll('$$', '$').replaceAll('%%', '%').replace(FOLDER, folder)
}

test('a base backup brings back what was there when it began', { skip }, async (t) => {
  const server = await start()
  t.after(() => server.stop())
  await asking(server.url, (database) =>
    database.maintain((tx) => tx.script('create table kept as select 42 as value')),
  )
  const account = accountOfServer()
  const folder = await mkdtemp(join(tmpdir(), 'base-backup-'))
  t.after(() => rm(folder, { recursive: true }))
  if (account) await chown(folder, account.uid, account.gid)
  const { username, password, port } = new URL(server.url)
  const env = {
    PATH: `${DEBIAN_15}:/usr/bin:/bin`,
    PGHOST: '127.0.0.1',
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  }
  const made = spawnSync('sh', ['-c', backupScript(folder)], { env, ...account, encoding: 'utf8' })
  assert.deepEqual([made.status, made.stderr], [0, ''])

  const [name = ''] = await readdir(folder)
  assert.match(name, /^\d{4}-\d\d-\d\dT\d{6}Z$/)
  assert.deepEqual((await readdir(join(folder, name))).sort(), ['backup_manifest', 'base.tar.gz', 'pg_wal.tar.gz'])
  const restored = join(folder, 'restored')
  const steps = [
    ['install', '-d', '-m', '700', restored],
    ['tar', '-xzf', join(folder, name, 'base.tar.gz'), '-C', restored],
    ['tar', '-xzf', join(folder, name, 'pg_wal.tar.gz'), '-C', join(restored, 'pg_wal')],
  ] as const
  for (const [program, ...argv] of steps) execFileSync(program, argv, { ...account })
  const { port: newPort, stop } = await serveFolder(restored, folder)
  t.after(stop)
  const url = Object.assign(new URL(as(server.url, username, password, 'postgres')), { port: String(newPort) }).href
  const { rows } = await asking(url, (database) => database.query<{ value: number }>(sql`select value from kept`))
  assert.deepEqual(rows, [{ value: 42 }])
})
