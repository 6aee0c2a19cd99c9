// Files that nothing refers to: uploads whose call or message was never told, and what has been replaced since.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'

/** Time enough to tell what a file belongs to. */
const KEPT_HOURS = 24

/** Files looked at in one statement. */
const PAGE = 1_000

/** Of one transaction: a file can be 400 pieces, and each piece some hundred rows of its own. */
const REMOVED_AT_ONCE = 5

interface Place {
  created_at: string
  id: string
}

/**
 * Removes a clinic's files that are older than a day and referred to by nothing: no call, no message, no document.
 *
 * @returns How many.
 */
export async function removeUnusedFiles(database: Database, clinic: Clinic, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_HOURS * 3_600_000)
  let removed = 0
  let after: Place = { created_at: '-infinity', id: '' }
  for (;;) {
    const seen = await page(database, clinic, after, before)
    const unused = seen.filter(({ is_used }) => !is_used).map(({ id }) => id)
    for (let at = 0; at < unused.length; at += REMOVED_AT_ONCE) {
      removed += await remove(database, clinic, unused.slice(at, at + REMOVED_AT_ONCE))
    }
    const last = seen.at(-1)
    if (last === undefined || seen.length < PAGE) return removed
    after = last
  }
}

type Seen = Place & { is_used: boolean }

/** Oldest first. */
function page(database: Database, clinic: Clinic, after: Place, before: Date): Promise<Seen[]> {
  const { clinic_id } = clinic
  return database.read<Seen>(
    clinic,
    sql`select file.id, file.created_at,
      exists (select from call where clinic_id = ${clinic_id} and recording_file_id = file.id)
        or exists (select from chat_message where clinic_id = ${clinic_id} and media_file_id = file.id)
        or exists (select from payment_document where clinic_id = ${clinic_id} and file_id = file.id) as is_used
    from file where file.clinic_id = ${clinic_id} and file.created_at < ${before}
      and (file.created_at, file.id) > (${after.created_at}::timestamptz, ${after.id})
    order by file.created_at, file.id limit ${PAGE}`,
  )
}

/** One that a call or a message has come to refer to meanwhile fails the statement, by its foreign key. */
async function remove(database: Database, clinic: Clinic, ids: readonly string[]): Promise<number> {
  const { rowCount } = await database.write(clinic, (tx) =>
    tx.query(sql`delete from file where clinic_id = ${clinic.clinic_id} and id = any(${ids}::text[])`),
  )
  return rowCount
}
