// Databases with the tables of a set of migrations. A test file's own database is a copy of one, so that they are applied once a run.
import { hash } from 'node:crypto'
import { type Database, type Statement, sql } from '@clinic-data/database'
import type { Migration } from '@clinic-data/database/schema/migrate'

/** @returns null where the run has none, as on a cluster. */
export function templateOf(migrations: readonly Migration[]): string | null {
  const prefix = process.env.TEST_TEMPLATES
  return prefix === undefined ? null : templateName(prefix, migrations)
}

/** @param prefix - tells apart the runs on one server. */
export function templateName(prefix: string, migrations: readonly Migration[]): string {
  return `${prefix}_${hash('sha1', JSON.stringify(migrations)).slice(0, 8)}`
}

/**
 * Makes a database: a copy of the template where there is one, else an empty one. Its files are copied, and not each of its pages logged,
 * which takes ten times as long.
 *
 * @returns whether it has the tables already.
 */
export async function createDatabase(
  server: Database,
  name: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  const template = templateOf(migrations)
  const { rows } = await server.query(sql`select from pg_database where datname = ${template}`)
  const isCopy = template !== null && rows.length > 0
  const copied: Statement = isCopy ? sql` template ${sql.identifier(template)} strategy file_copy` : sql``
  await server.query(sql`create database ${sql.identifier(name)}${copied}`)
  return isCopy
}
