// Finds a key's owner: the key by its hash, then its clinic. Also records when the key was last used (docs/decisions/0002).
import type { Clinic, Principal, Scope } from '@clinic-data/contract'
import { type Database, instant, sql, utcSession } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'

interface KeyRow {
  id: string
  clinic_id: string
  scopes: Scope[]
  rate_limit: number | null
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** The minimum interval between two updates of a key's `last_used_at`. */
const LAST_USED_MS = 60_000

const HASH = /^[0-9a-f]{64}$/

export function authenticator({ database, now, log }: { database: Database; now: () => Date; log: Log }) {
  const noting = new Set<string>()

  /** The request does not wait for this. */
  function noteUse({ id, clinic_id }: KeyRow, at: Date): void {
    if (noting.has(id)) return
    noting.add(id)
    const before = new Date(at.getTime() - LAST_USED_MS)
    database
      .write(utcSession(clinic_id), (tx) =>
        tx.query(sql`update api_key set last_used_at = ${at}
          where clinic_id = ${clinic_id} and id = ${id} and (last_used_at is null or last_used_at <= ${before})`),
      )
      .catch((error: unknown) =>
        log.warn({ err: error, clinic_id, key_id: id }, 'recording the last use of a key failed'),
      )
      .finally(() => noting.delete(id))
  }

  return async (hash: string): Promise<Principal | null> => {
    if (!HASH.test(hash)) return null
    const [key] = await database.readByKeyHash<KeyRow>(
      hash,
      sql`select id, clinic_id, scopes, rate_limit, last_used_at, expires_at, revoked_at from api_key
        where key_hash = ${hash}`,
    )
    const at = now()
    if (key === undefined || key.revoked_at !== null) return null
    const expires_at = key.expires_at === null ? null : epochMs(key.expires_at)
    if (expires_at !== null && expires_at <= at.getTime()) return null
    // A second look-up instead of a join: until the key's clinic is known, no clinic is visible.
    const [clinic] = await database.read<Clinic>(
      utcSession(key.clinic_id),
      sql`select clinic_id, name, time_zone, country, currency, week_start, min_visit_minutes from clinic
        where clinic_id = ${key.clinic_id} and closed_at is null`,
    )
    if (clinic === undefined) return null
    if (key.last_used_at === null || epochMs(key.last_used_at) <= at.getTime() - LAST_USED_MS) noteUse(key, at)
    return { key_id: key.id, clinic, scopes: key.scopes, rate_limit: key.rate_limit, expires_at }
  }
}

function epochMs(text: string): number {
  return Date.parse(instant(text) ?? '')
}
