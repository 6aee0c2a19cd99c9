// The last requests of keys and connections and their addresses, from the audit log.
//
// No index serves the rows of one key (each would make every request dearer), so a bounded number of the clinic's rows is searched. The
// search begins where they were used last: their latest requests are found however much others have asked since. Of packed days a bounded
// number of their own rows is read.
import { allOperations, type ProblemSlug } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { type ClinicDatabase, type ClinicSession, instant, sql } from '@clinic-data/database'
import type { LogRow } from './segments/log-row.ts'
import { EVERYWHERE, searchSegments } from './segments/read-segments.ts'
import { namedIn, refusedFor } from './stored-ids.ts'

/** Some fifteen milliseconds: two busy processors take several times as long. */
const MOST_SEARCHED = 20_000
/** Some tens of milliseconds more. */
const MOST_PACKED = 2_000
const MOST_ADDRESSES = 20
/** The work of administrators, and what is delivered to webhooks, is no use of a key. */
const OF_INTEGRATIONS = ['rest', 'mcp', 'file', 'ingest']
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
    const packed = await searchSegments(tx, clinic_id, {
      ...EVERYWHERE,
      sinceMs: since.getTime(),
      untilMs: until.getTime(),
      kinds: { key_ids, surfaces: OF_INTEGRATIONS },
      limit: MOST_PACKED,
    })
    return { ...(rows[0] ?? NOTHING), packed }
  })
  const { addresses, last_read, packed } = found
  const shown: LatestUse = {
    last_read: last_read && { ...last_read, at: instant(last_read.at) ?? '' },
    addresses: addresses.map((one) => ({ ...one, last_at: instant(one.last_at) ?? '' })),
  }
  return withPacked(shown, packed, clinic.time_zone)
}

const NOTHING: LatestUse = { last_read: null, addresses: [] }

/** @param packed the latest first. */
function withPacked({ last_read, addresses }: LatestUse, packed: readonly LogRow[], time_zone: string): LatestUse {
  const moment = ({ at_ms }: LogRow) => zonedInstant(new Date(at_ms), time_zone, 3)
  const all = new Map(addresses.map((one) => [one.address, one]))
  for (const row of packed) {
    const { address } = row
    const use = all.get(address) ?? { address, last_at: moment(row), requests: 0, refused: 0 }
    const last_at = row.at_ms > Date.parse(use.last_at) ? moment(row) : use.last_at
    const refused = use.refused + (isElsewhere(row) ? 1 : 0)
    all.set(address, { address, last_at, requests: use.requests + 1, refused })
  }
  const read = packed.find(({ status, operation }) => status < 400 && READS.includes(operation))
  const isLater = read !== undefined && (last_read === null || read.at_ms > Date.parse(last_read.at))
  const latest = [...all.values()].sort(
    (a, b) => Date.parse(b.last_at) - Date.parse(a.last_at) || (a.address < b.address ? -1 : 1),
  )
  return {
    last_read: isLater ? { at: moment(read), operation: read.operation, count: read.count } : last_read,
    addresses: latest.slice(0, MOST_ADDRESSES),
  }
}

/** As `refusedFor` finds it in the table. */
function isElsewhere({ status, resource_ids }: LogRow): boolean {
  const { problem, required_scope } = namedIn(resource_ids)
  return status >= 400 && problem === ('address-not-allowed' satisfies ProblemSlug) && required_scope === null
}
