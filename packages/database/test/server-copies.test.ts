// Tests what the server tells of its archive. (Its standbys: `test/failover`.)
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { until } from '@clinic-data/testing/until'
import { openDatabase, sql } from '../src/database.ts'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { archiveFails } from '../src/server-copies.ts'

test('a server tells whether its last attempt to archive its log failed, and of no failure where it archives none', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'server-copies-'))
  t.after(() => rm(dataDir, { recursive: true }))
  copyKept(dataDir)
  /** Asks with a server that has the settings. */
  const having = async (
    settings: Record<string, string>,
    ask: (owner: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>,
  ) => {
    const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings })
    const owner = await openDatabase({ url: ownerUrl })
    await ask(owner).finally(() => owner.close().then(stop))
  }
  // The command runs in the folder of the server's files.
  await having({ archive_mode: 'on', archive_command: 'test -e room' }, async (owner) => {
    assert.equal(await archiveFails(owner), false, 'nothing was tried yet')
    await owner.query(sql`select pg_switch_wal()`)
    await until(
      async () => (await archiveFails(owner)) === true,
      () => 'a command that fails is not told',
      30_000,
    )
  })
  await having({}, async (owner) => assert.equal(await archiveFails(owner), false))
  await having({ archive_mode: 'on', archive_command: 'test -e room' }, async (owner) => {
    assert.equal(await archiveFails(owner), true, 'the failure is not forgotten')
    await writeFile(join(dataDir, 'pg', 'room'), '')
    // The next part of the log wakes what would try again in a minute.
    await owner.query(sql`select pg_switch_wal() from pg_logical_emit_message(false, 'test', 'some')`)
    await until(
      async () => (await archiveFails(owner)) === false,
      () => 'a command that works again is not told',
    )
  })
})
