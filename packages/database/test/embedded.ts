// The database of a test file: its own embedded server, or the one that TEST_DATABASE_URL names (a cluster, say).

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asApplication } from '@clinic-data/testing/run/application'
import { type Database, openDatabase, sql } from '../src/database.ts'
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import type { DistributedTable } from '../src/schema/distribute-tables.ts'
import { migrate } from '../src/schema/migrate.ts'

export type TestDatabase = {
  owner: Database
  /** The database as the application opens it. */
  app: Database
  appUrl: string
  ownerUrl: string
  close: () => Promise<void>
}

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'clinic-data-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl, appUrl, stop } = await server()
  const owner = await openDatabase({ url: ownerUrl, statementTimeoutMs: 0 })
  await owner.maintain((tx) => tx.script(`drop table if exists test_note, test_key, test_audit, test_queue cascade`))
  await migrate(owner, [{ id: `test_${randomUUID()}`, statements: SCHEMA }], { log: () => undefined, tables: TABLES })
  const app = await openDatabase({ url: appUrl, ownerUrl })
  const close = async () => {
    await app.close()
    await owner.close()
    await stop()
  }
  return { owner, app, ownerUrl, appUrl, close }
}

async function server(): Promise<{ ownerUrl: string; appUrl: string; stop: () => Promise<void> }> {
  const configured = process.env.TEST_DATABASE_URL
  if (configured !== undefined)
    return { ownerUrl: configured, appUrl: asApplication(configured).url, stop: await aloneAt(configured) }
  const folder = await temporaryFolder()
  const embedded = await startEmbeddedPostgres({ dataDir: folder.path, log: () => undefined })
  const stop = async () => {
    await embedded.stop()
    await folder.remove()
  }
  return { ...embedded, stop }
}

/** Only one test file at a time uses a shared database. */
async function aloneAt(url: string): Promise<() => Promise<void>> {
  const gate = await openDatabase({ url, writeConnections: 1, statementTimeoutMs: 0 })
  await gate.query(sql`select pg_advisory_lock(${5150})`)
  return () => gate.close()
}

const TABLES: DistributedTable[] = [
  { table: 'test_key', kind: 'reference' },
  { table: 'test_note', kind: 'distributed' },
  { table: 'test_audit', kind: 'distributed' },
  { table: 'test_queue', kind: 'distributed' },
]

const SCHEMA = `
create table test_note (clinic_id text collate "C", id text collate "C", body text, primary key (clinic_id, id));
alter table test_note enable row level security;
alter table test_note force row level security;
create policy of_clinic on test_note using (clinic_id = current_setting('app.clinic_id', true));
create table test_audit (clinic_id text collate "C", id text collate "C", primary key (clinic_id, id));
alter table test_audit enable row level security;
alter table test_audit force row level security;
create policy of_clinic on test_audit for select using (clinic_id = current_setting('app.clinic_id', true));
create policy of_owner on test_audit for insert to current_user with check (true);
create table test_key (key_hash text collate "C" primary key, clinic_id text collate "C");
alter table test_key enable row level security;
alter table test_key force row level security;
create policy of_hash on test_key using (key_hash = current_setting('app.key_hash', true));
create table test_queue (clinic_id text collate "C" primary key);
alter table test_queue enable row level security;
alter table test_queue force row level security;
create policy of_clinic on test_queue using (clinic_id = current_setting('app.clinic_id', true));
create policy of_dispatcher on test_queue for select using (current_setting('app.dispatcher', true) = 'on');
grant select, insert, update, delete on test_note to clinic_data_app;
grant select on test_audit to clinic_data_app;
grant select on test_key, test_queue to clinic_data_app;`
