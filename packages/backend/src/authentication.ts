// Whose a key is: one look-up by its hash, and the note of when it was last used.
import type { Clinic, Principal, Scope } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import type { Log } from './log.ts'

interface KeyRow extends Clinic {
  key_id: string
  scopes: Scope[]
  rate_limit: number | null
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** `last_used_at` of a key is written at most this often. */
const LAST_USED_MS = 60_000

const HASH = /^[0-9a-f]{64}$/

export function authenticator({ database, now, log }: { database: Database; now: () => Date; log: Log }) {
  const noting = new Set<string>()

  /** Beside the request, which does not wait for it. */
  function noteUse({ key_id, clinic_id, time_zone }: KeyRow, at: Date): void {
    if (noting.has(key_id)) return
    noting.add(key_id)
    const before = new Date(at.getTime() - LAST_USED_MS)
    database
      .write({ clinic_id, time_zone }, (tx) =>
        tx.query(sql`update api_key set last_used_at = ${at}
          where clinic_id = ${clinic_id} and id = ${key_id} and (last_used_at is null or last_used_at <= ${before})`),
      )
      .catch((error: unknown) =>
        log.warn({ err: error, clinic_id, key_id }, 'the last use of a key could not be noted'),
      )
      .finally(() => noting.delete(key_id))
  }

  return async (hash: string): Promise<Principal | null> => {
    if (!HASH.test(hash)) return null
    const [row] = await database.readByKeyHash<KeyRow>(
      hash,
      sql`select k.id as key_id, k.scopes, k.rate_limit, k.last_used_at, k.expires_at, k.revoked_at, c.clinic_id,
          c.time_zone, c.country, c.currency, c.week_start, c.min_visit_minutes
        from api_key k join clinic c on c.clinic_id = k.clinic_id where k.key_hash = ${hash}`,
    )
    const at = now()
    if (row === undefined || row.revoked_at !== null) return null
    const expires_at = row.expires_at === null ? null : epochMs(row.expires_at)
    if (expires_at !== null && expires_at <= at.getTime()) return null
    if (row.last_used_at === null || epochMs(row.last_used_at) <= at.getTime() - LAST_USED_MS) noteUse(row, at)
    const { clinic_id, time_zone, country, currency, week_start, min_visit_minutes } = row
    return {
      key_id: row.key_id,
      clinic: { clinic_id, time_zone, country, currency, week_start, min_visit_minutes },
      scopes: row.scopes,
      rate_limit: row.rate_limit,
      expires_at,
    }
  }
}

/** No clinic is known at the look-up, so the session prints in UTC. */
function epochMs(utc: string): number {
  return Date.parse(utc)
}
