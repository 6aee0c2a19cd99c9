// The last requests of a connection and their addresses, beside the connection itself.
import { latestUse } from '@clinic-data/audit/latest-use'
import type { Connection, ConnectionUse } from '@clinic-data/console-contract/connect-operations'
import type { ClinicDatabase, ClinicSession } from '@clinic-data/database'

/** @param mostSearched Default: some tens of milliseconds' rows. */
export async function useOf(
  database: ClinicDatabase,
  clinic: ClinicSession,
  connection: Connection,
  { now, mostSearched }: { now: Date; mostSearched?: number },
): Promise<ConnectionUse> {
  const { id, last_used_at } = connection
  const searched = { key_ids: [id], last_used_at, now, ...(mostSearched !== undefined && { mostSearched }) }
  return { ...connection, ...(await latestUse(database, clinic, searched)) }
}
