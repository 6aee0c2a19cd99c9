// Brings a database's schema up to date. Each migration runs in one transaction and is recorded with its text's checksum.

import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Database, Transaction } from '../database.ts'
import { sql } from '../sql.ts'
import {
  APP_ROLE,
  type ApplicationLogin,
  CONSOLE_ROLE,
  closeApplicationLogins,
  dropApplicationLogins,
  ensureApplicationLogin,
  ensureApplicationRole,
} from './application-login.ts'
import { type DistributedTable, distributeTables } from './distribute-tables.ts'
import { checksumOf } from './form-of-rows.ts'

export type Migration = {
  /** Sorts after all earlier ids: `0001_clinics_and_keys`. */
  id: string
  /** Several SQL statements. */
  statements: string
}

export type MigrateOptions = {
  log: (line: string) => void
  /** How the tables are distributed on a cluster. Ignored on plain PostgreSQL. */
  tables?: readonly DistributedTable[]
  /** The login that serves requests. */
  login?: ApplicationLogin
}

/** An arbitrary number, the same for all who migrate this project's databases. */
const LOCK = 7_251_964_310

/**
 * These settings only matter on Citus. A change to a table on every machine and to those that reference it goes shard by shard. A
 * new table that references a reference table stays an ordinary PostgreSQL table until it is distributed. Otherwise Citus would
 * register it as a coordinator table, together with its parents, and those could not be distributed any more.
 */
const CITUS_SETTINGS = `
  set local citus.multi_shard_modify_mode to 'sequential';
  set local citus.enable_local_reference_table_foreign_keys to off`

/** Reads the `*.sql` files of a folder, in the order of their names. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ id: basename(file, '.sql'), statements: readFileSync(new URL(file, folder), 'utf8') }))
}

/** Runs as the owner of the schema. Safe to repeat, and to run on several machines at once. */
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
  if (login) await admitLogin(owner, login)
}

/** Makes the login if there is none, and lets it in. */
export function admitLogin(owner: Database, login: ApplicationLogin): Promise<void> {
  return alone(owner, (tx) => ensureApplicationLogin(tx, login))
}

/**
 * Drops the application's logins whose names begin with `prefix`, except those to keep, and ends their connections.
 *
 * @returns the dropped ones.
 */
export async function retireLogins(owner: Database, prefix: string, kept: readonly string[]): Promise<string[]> {
  // Committed first: no connection begins between the end of those that are open and the drop.
  const names = await alone(owner, (tx) => closeApplicationLogins(tx, prefix, kept))
  if (names.length > 0) await alone(owner, (tx) => dropApplicationLogins(tx, names))
  return names
}

/** The lock ends with the transaction, even if the process is killed. */
function alone<T>(owner: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return owner.maintain(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
    await tx.script(CITUS_SETTINGS)
    return work(tx)
  })
}

async function prepare(tx: Transaction): Promise<void> {
  for (const role of [APP_ROLE, CONSOLE_ROLE] as const) await ensureApplicationRole(tx, role)
  await tx.script(`create table if not exists schema_migration (
    id text collate "C" primary key, checksum text not null, applied_at timestamptz not null default now())`)
}

/** Returns true when the migration was new. */
async function apply(tx: Transaction, { id, statements }: Migration): Promise<boolean> {
  const checksum = hash('sha256', statements)
  const { rows } = await tx.query<{ checksum: string }>(sql`select checksum from schema_migration where id = ${id}`)
  const [recorded] = rows
  if (recorded !== undefined && checksumOf(recorded.checksum) === checksum) return false
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
