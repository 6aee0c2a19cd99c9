// Brings a database's schema up to date. Each migration is one transaction and is recorded with its text's checksum.

import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  type ApplicationLogin,
  dropApplicationLogins,
  ensureApplicationLogin,
  ensureApplicationRole,
} from './application-login.ts'
import type { Database, Transaction } from './database.ts'
import { type DistributedTable, distributeTables } from './distribute-tables.ts'
import { sql } from './sql.ts'

export type Migration = {
  /** Sorts after all before it: `0001_clinic`. */
  id: string
  /** SQL, several statements. */
  statements: string
}

export type MigrateOptions = {
  log: (line: string) => void
  /** How the tables lie on a cluster; of no effect on a plain PostgreSQL. */
  tables?: readonly DistributedTable[]
  /** What requests are served as. */
  login?: ApplicationLogin
}

/** Any number, the same for all who migrate this project's databases. */
const LOCK = 7_251_964_310

/**
 * Of no meaning elsewhere. A change of a table on every machine and of those that point to it goes shard after shard. A
 * new table that points to a reference table stays PostgreSQL's own until it is distributed: it would be taken into Citus
 * as a table of the coordinator, its parents with it, and those could not be distributed any more.
 */
const CITUS_SETTINGS = `
  set local citus.multi_shard_modify_mode to 'sequential';
  set local citus.enable_local_reference_table_foreign_keys to off`

/** The `*.sql` files of a folder, in the order of their names. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ id: basename(file, '.sql'), statements: readFileSync(new URL(file, folder), 'utf8') }))
}

/** By the owner of the schema. Safe to run from several machines at once, and again. */
export async function migrate(
  owner: Database,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<void> {
  refuseDisorder(migrations)
  await alone(owner, prepare)
  for (const migration of migrations) {
    if (await alone(owner, (tx) => apply(tx, migration))) options.log(`applied migration ${migration.id}`)
  }
  const distributed = await alone(owner, (tx) => distributeTables(tx, options.tables ?? []))
  for (const table of distributed) options.log(`distributed table ${table}`)
  const { login } = options
  if (login) await alone(owner, (tx) => ensureApplicationLogin(tx, login))
}

/** Drops the logins of the application whose names begin so, but for those that are kept. @returns the dropped ones. */
export function retireLogins(owner: Database, prefix: string, kept: readonly string[]): Promise<string[]> {
  return alone(owner, (tx) => dropApplicationLogins(tx, prefix, kept))
}

/** The lock lasts as long as the transaction, whatever becomes of the process. */
function alone<T>(owner: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return owner.maintain(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
    await tx.script(CITUS_SETTINGS)
    return work(tx)
  })
}

async function prepare(tx: Transaction): Promise<void> {
  await ensureApplicationRole(tx)
  await tx.script(`create table if not exists schema_migration (
    id text collate "C" primary key, checksum text not null, applied_at timestamptz not null default now())`)
}

/** True when it was not applied before. */
async function apply(tx: Transaction, { id, statements }: Migration): Promise<boolean> {
  const checksum = hash('sha256', statements)
  const { rows } = await tx.query<{ checksum: string }>(sql`select checksum from schema_migration where id = ${id}`)
  const [recorded] = rows
  if (recorded?.checksum === checksum) return false
  if (recorded !== undefined) throw new Error(`migration ${id} was changed after it had been applied to this database`)
  await tx.script(statements)
  await tx.query(sql`insert into schema_migration (id, checksum) values (${id}, ${checksum})`)
  return true
}

function refuseDisorder(migrations: readonly Migration[]): void {
  migrations.forEach(({ id }, i) => {
    const before = migrations[i - 1]
    if (before !== undefined && before.id >= id) throw new Error(`migration ${id} stands after ${before.id}`)
  })
}
