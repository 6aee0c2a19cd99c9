// Removes files that nothing refers to: uploads whose call or message never came, and replaced ones.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

/** Enough time to report the call or message that a file belongs to. */
const KEPT_HOURS = 24

/** Files checked per statement. */
const PAGE = 1_000

/** Files per transaction: a file can have 400 pieces, and each piece some hundred rows of its own. */
const REMOVED_AT_ONCE = 5

interface Place {
  stored_at: string
  id: string
}

/**
 * Removes a clinic's files that were stored more than a day ago and that no call, message or document refers to. How old the file
 * itself is does not matter: a recording of last year may arrive today, before its call.
 *
 * @returns the number of removed files.
 */
export async function removeUnusedFiles(database: Database, clinic: Clinic): Promise<number> {
  let removed = 0
  let after: Place = { stored_at: '-infinity', id: '' }
  for (;;) {
    const seen = await page(database, clinic, after)
    const last = seen.at(-1)
    if (last === undefined) return removed
    const ids = seen.map(({ id }) => id)
    const used = await usedOf(database, clinic, ids)
    const unused = ids.filter((id) => !used.has(id))
    for (let at = 0; at < unused.length; at += REMOVED_AT_ONCE) {
      removed += await remove(database, clinic, unused.slice(at, at + REMOVED_AT_ONCE))
    }
    after = last
  }
}

/** Oldest first. The database's clock wrote the times, so it also tells which are long ago. */
function page(database: Database, clinic: Clinic, after: Place): Promise<Place[]> {
  return database.read<Place>(
    clinic,
    sql`select id, stored_at from file
        where clinic_id = ${clinic.clinic_id} and stored_at < now() - make_interval(hours => ${KEPT_HOURS})
          and (stored_at, id) > (${after.stored_at}::timestamptz, ${after.id}) order by stored_at, id limit ${PAGE}`,
  )
}

/** By the ids of one page: with `exists`, every page would read all of a clinic's files. */
async function usedOf(database: Database, clinic: Clinic, ids: readonly string[]): Promise<Set<string>> {
  const { clinic_id } = clinic
  const rows = await database.read<{ id: string }>(
    clinic,
    sql`select recording_file_id as id from call
        where clinic_id = ${clinic_id} and recording_file_id = any(${ids}::text[])
      union all select media_file_id from chat_message
        where clinic_id = ${clinic_id} and media_file_id = any(${ids}::text[])
      union all select file_id from payment_document
        where clinic_id = ${clinic_id} and file_id = any(${ids}::text[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** If a call or a message has come to refer to a file meanwhile, its foreign key makes the statement fail. */
async function remove(database: Database, clinic: Clinic, ids: readonly string[]): Promise<number> {
  const { rowCount } = await database.write(clinic, (tx) =>
    tx.query(sql`delete from file where clinic_id = ${clinic.clinic_id} and id = any(${ids}::text[])`),
  )
  return rowCount
}
