// A backup beside a migration: its manifest would name other tables than its files hold.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase, sql, type Transaction } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { operator } from '@clinic-data/testing/shared/operator'

const folder = await mkdtemp(join(tmpdir(), 'backup-while-migrating-'))
const DATA_DIR = join(folder, 'data')
const opened = new AsyncDisposableStack()
after(async () => {
  await opened.disposeAsync()
  await rm(folder, { recursive: true, force: true })
})

const lock = (tx: Transaction) => tx.query(sql`lock table schema_migration in access exclusive mode`)

/** Resolves when so many statements wait for the list of the applied migrations. */
async function untilWaiting(owner: Database, count: number): Promise<void> {
  for (let turn = 0; turn < 6_000; turn++) {
    const { rows } = await owner.query<{ count: number }>(sql`
      select count(*)::int as count from pg_locks where relation = 'schema_migration'::regclass and not granted`)
    if (rows[0]?.count === count) return
    await delay(10)
  }
  assert.fail(`there are never ${count} statements that wait`)
}

test('a backup during which the tables were migrated is refused and leaves no file', async () => {
  copyKept(DATA_DIR)
  const server = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: () => undefined })
  opened.defer(() => server.stop())
  const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
  opened.defer(() => owner.close())
  const place = join(folder, 'place')
  await mkdir(place)
  const backup = () => operator.run(['backup', join(place, 'file')], { DATA_DIR })

  // The backup reads the list, and before it reads it again the migration is applied: locks are given in the order of their requests.
  let running: ReturnType<typeof backup> | undefined
  let migrating: Promise<unknown> | undefined
  await owner.maintain(async (tx) => {
    await lock(tx)
    running = backup()
    await untilWaiting(owner, 1)
    migrating = owner.maintain(async (later) => {
      await lock(later)
      await later.query(sql`insert into schema_migration (id, checksum) values ('9999_later', 'x')`)
    })
    await untilWaiting(owner, 2)
  })
  await migrating
  const { code, errors = '' } = (await running) ?? {}
  assert.equal(code, 1, errors)
  // A slow machine tells its progress before.
  assert.match(errors, /^clinicd: the tables were migrated during the backup: repeat it\n$/m)
  assert.deepEqual(await readdir(place), [])

  assert.equal((await backup()).code, 0)
  assert.deepEqual(await readdir(place), ['file'])
})
