// The last requests of keys and connections and their addresses, from the audit log.
//
// No index serves the rows of one key (each would make every request dearer), so a bounded number of the clinic's rows is searched. The
// search begins where they were used last: their latest requests are found however much others have asked since.
import { allOperations } from '@clinic-data/contract'
import { type ClinicDatabase, type ClinicSession, instant, sql } from '@clinic-data/database'
import { refusedFor } from './stored-ids.ts'

/** Some fifteen milliseconds: two busy processors take several times as long. */
const MOST_SEARCHED = 20_000
const MOST_ADDRESSES = 20
const DAYS_MS = 7 * 24 * 60 * 60 * 1000
/** The last use is noted once a minute, and its rows may be stored a little later. */
const NOTED_LATE_MS = 2 * 60 * 1000

/** Operations that change nothing. */
export const READS: readonly string[] = allOperations.filter(({ effect }) => effect === 'none').map(({ id }) => id)

export interface LatestUse {
  last_read: { at: string; operation: string; count: number } | null
  /** The latest first. */
  addresses: { address: string; last_at: string; requests: number; refused: number }[]
}

interface Searched {
  readonly key_ids: readonly string[]
  readonly last_used_at: string | null
  readonly now: Date
  /** Default: some tens of milliseconds' rows. */
  readonly mostSearched?: number
}

export async function latestUse(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { key_ids, last_used_at, now, mostSearched = MOST_SEARCHED }: Searched,
): Promise<LatestUse> {
  if (last_used_at === null) return NOTHING
  const { clinic_id } = clinic
  const since = new Date(now.getTime() - DAYS_MS)
  const until = new Date(Date.parse(last_used_at) + NOTED_LATE_MS)
  const found = await database.write(clinic, async (tx) => {
    // The index gives the rows of a clinic in order. On a day without statistics the planner would read all to sort them.
    await tx.script('set local enable_sort to off')
    const { rows } = await tx.query<LatestUse>(sql`
      with theirs as materialized (
        select id, at, operation, count, status, address, ${refusedFor('address-not-allowed')} as is_elsewhere
        from (select id, at, key_id, operation, surface, count, status, resource_ids, address from audit
          where clinic_id = ${clinic_id} and stored_at >= ${since} and stored_at < ${until}
          order by id desc limit ${mostSearched}) searched
        where key_id = any(${key_ids}::text[]) and surface not in ('console', 'webhook'))
      select
        (select coalesce(jsonb_agg(one), '[]') from (
          select address, max(at)::text as last_at, count(*)::integer as requests,
            count(*) filter (where is_elsewhere)::integer as refused
          from theirs
          group by address order by max(at) desc, address limit ${MOST_ADDRESSES}) one) as addresses,
        (select to_jsonb(one) from (
          select at::text, operation, count from theirs
          where status < 400 and operation = any(${READS}::text[]) order by id desc limit 1) one) as last_read`)
    return rows[0]
  })
  const { addresses, last_read } = found ?? NOTHING
  return {
    last_read: last_read && { ...last_read, at: instant(last_read.at) ?? '' },
    addresses: addresses.map((one) => ({ ...one, last_at: instant(one.last_at) ?? '' })),
  }
}

const NOTHING: LatestUse = { last_read: null, addresses: [] }
