// Deletes the rows of a closed clinic. The audit log stays, with the names in it.
import { type Database, type Statement, sql, utcSession } from '@clinic-data/database'
import { clinicTables } from '../clinic-tables.ts'
import { type KeyColumn, primaryKeysOf } from './primary-key.ts'

/** Rows of a table per transaction: each ends well within its time, also where a row is a piece of a file. */
const DELETED_AT_ONCE = 1_000

/**
 * Marks a closed clinic as deleted and deletes its rows, table by table. What fails or is killed goes on with the next call, and with
 * the dispatcher's next round.
 *
 * @param onProgress hears how many rows are gone.
 * @returns the deleted rows by table.
 */
export async function deleteClinic(
  owner: Database,
  clinic_id: string,
  now: Date,
  onProgress?: (rows: number) => void,
): Promise<Record<string, number>> {
  const { rows } = await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`update clinic set deleted_at = coalesce(deleted_at, ${now})
      where clinic_id = ${clinic_id} and closed_at is not null returning clinic_id`),
  )
  if (rows.length === 0) throw new Error(`the clinic ${clinic_id} is not closed`)
  return deleteRows(owner, clinic_id, onProgress)
}

/** Deletes the rows of a clinic that is marked as deleted, until no table holds one. @returns the deleted rows by table. */
export async function deleteRows(
  owner: Database,
  clinic_id: string,
  onProgress: (rows: number) => void = () => undefined,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  let total = 0
  for (
    let held = await tablesWithRows(owner, clinic_id);
    held.length > 0;
    held = await tablesWithRows(owner, clinic_id)
  ) {
    for (const [table, key] of await primaryKeysOf(owner, held)) {
      const first = clinicTables[table]?.first
      for (const which of first === undefined ? [sql`true`] : [first, sql`true`]) {
        for await (const rows of deletedRows(owner, clinic_id, { table, key, which })) {
          deleted[table] = (deleted[table] ?? 0) + rows
          total += rows
          onProgress(total)
        }
      }
    }
  }
  return deleted
}

/** One statement: each deleted clinic is asked about every hour. @returns them in the order of deletion. */
async function tablesWithRows(owner: Database, clinic_id: string): Promise<string[]> {
  const leaving = Object.keys(clinicTables).filter((table) => clinicTables[table]?.stays === undefined)
  const holds = leaving.map(
    (table) => sql`exists (select from ${sql.identifier(table)} where clinic_id = ${clinic_id})`,
  )
  const [row] = await owner.read<{ held: boolean[] }>(
    utcSession(clinic_id),
    sql`select array[${sql.join(holds)}] as held`,
  )
  return leaving.filter((_, n) => row?.held[n])
}

interface Deleted {
  readonly table: string
  readonly key: readonly KeyColumn[]
  readonly which: Statement
}

async function* deletedRows(owner: Database, clinic_id: string, { table, key, which }: Deleted) {
  const columns = sql.join(['clinic_id', ...key.map(({ name }) => name)].map(sql.identifier))
  const statement = sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic_id} and (${columns}) in (
    select ${columns} from ${sql.identifier(table)} where clinic_id = ${clinic_id} and ${which} limit ${DELETED_AT_ONCE})`
  for (;;) {
    const { rowCount } = await owner.write(utcSession(clinic_id), (tx) => {
      // A command and a dispatcher may be at it at once. Neither may take a table for empty whose rows the other is deleting.
      tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} deletion`}, 0))`)
      return tx.query(statement)
    })
    if (rowCount > 0) yield rowCount
    if (rowCount < DELETED_AT_ONCE) return
  }
}
