// Finds the owner of a key or an access token: it by its hash, then its clinic. Also records when the key or connection was last used
// (docs/decisions/0002).
import type { Clinic, Principal, Scope } from '@clinic-data/contract'
import type { Audience } from '@clinic-data/contract/grant'
import { type Database, instant, sql, utcSession } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import { CLOCKS_APART_MS } from '@clinic-data/webhooks/subscriptions/leases'

interface KeyRow {
  id: string
  clinic_id: string
  scopes: Scope[]
  rate_limit: number | null
  networks: string[] | null
  last_used_at: string | null
  expires_at: string | null
  /** Revoked, or its integration is stopped. */
  refused_at: string | null
  tried_at: string | null
}

type EndedKey = Pick<KeyRow, 'id' | 'clinic_id' | 'tried_at'>

type UsedKey = Pick<KeyRow, 'id' | 'clinic_id' | 'last_used_at'>

interface TokenRow {
  clinic_id: string
  connection_id: string
  created_at: string
  expires_at: string
}

/** The minimum interval between two updates of a key's `last_used_at`, and of its `tried_at`. */
const LAST_USED_MS = 60_000

const HASH = /^[0-9a-f]{64}$/

export function authenticator({ database, now, log }: { database: Database; now: () => Date; log: Log }) {
  const noting = new Set<string>()

  /** The request does not wait for this. */
  function noteUse({ id, clinic_id }: UsedKey, at: Date): void {
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

  /** The key has ended. Its refusal has no row in the audit log, and the watch over the log looks at this (docs/decisions/0119). */
  function noteTry({ id, clinic_id, tried_at }: EndedKey, at: Date): void {
    if (noting.has(id) || (tried_at !== null && epochMs(tried_at) > at.getTime() - LAST_USED_MS)) return
    noting.add(id)
    database
      .write(utcSession(clinic_id), (tx) =>
        tx.query(sql`update api_key set tried_at = ${at} where clinic_id = ${clinic_id} and id = ${id}
          and coalesce(revoked_at, stopped_at) is not null`),
      )
      .catch((error: unknown) =>
        log.warn({ err: error, clinic_id, key_id: id }, 'recording that an ended key was tried failed'),
      )
      .finally(() => noting.delete(id))
  }

  function noteLateUse(key: UsedKey, at: Date): void {
    if (key.last_used_at === null || epochMs(key.last_used_at) <= at.getTime() - LAST_USED_MS) noteUse(key, at)
  }

  function refuseEnded(key: EndedKey, at: Date): null {
    noteTry(key, at)
    return null
  }

  /** A token has the scopes and the limit of its connection, so that a change of these holds for all its tokens. */
  async function ofToken(hash: string): Promise<Principal | null> {
    const [token] = await database.readByKeyHash<TokenRow>(
      hash,
      sql`select clinic_id, connection_id, created_at, expires_at from connection_token where token_hash = ${hash} and kind = 'access'`,
    )
    const at = now()
    if (token === undefined || epochMs(token.expires_at) <= at.getTime()) return null
    // A clock was ahead: the token would last longer than it may by as much.
    if (epochMs(token.created_at) > at.getTime() + CLOCKS_APART_MS) return null
    const { clinic_id, connection_id } = token
    const [found] = await database.read<Clinic & KeyRow & { audience: Audience | null }>(
      utcSession(clinic_id),
      sql`select clinic.clinic_id, clinic.name, time_zone, country, currency, week_start, min_visit_minutes, c.audience,
          k.id, k.scopes, k.rate_limit, k.networks, k.last_used_at, k.expires_at, k.tried_at,
          coalesce(k.revoked_at, k.stopped_at) as refused_at
        from connection c
          join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
          join clinic on clinic.clinic_id = ${clinic_id} and clinic.closed_at is null
        where c.clinic_id = ${clinic_id} and c.id = ${connection_id}`,
    )
    if (found === undefined) return null
    const {
      audience,
      id,
      scopes,
      rate_limit,
      networks,
      last_used_at,
      refused_at,
      tried_at,
      expires_at: ends_at,
      ...clinic
    } = found
    if (refused_at !== null) return refuseEnded({ id, clinic_id, tried_at }, at)
    const expires_at = Math.min(epochMs(token.expires_at), untilOf(ends_at))
    if (expires_at <= at.getTime()) return null
    noteLateUse({ id, clinic_id, last_used_at }, at)
    const bounds = { ...bound(networks), ...(audience !== null && { audience }) }
    return { key_id: id, clinic, scopes, rate_limit, expires_at, ...bounds }
  }

  return async (hash: string): Promise<Principal | null> => {
    if (!HASH.test(hash)) return null
    const [key] = await database.readByKeyHash<KeyRow>(
      hash,
      sql`select id, clinic_id, scopes, rate_limit, networks, last_used_at, expires_at,
          coalesce(revoked_at, stopped_at) as refused_at, tried_at from api_key
        where key_hash = ${hash}`,
    )
    // Only then: the look-up of a key stays one statement.
    if (key === undefined) return ofToken(hash)
    const at = now()
    if (key.refused_at !== null) return refuseEnded(key, at)
    const expires_at = untilOf(key.expires_at)
    if (expires_at <= at.getTime()) return null
    // A second look-up instead of a join: until the key's clinic is known, no clinic is visible.
    const [clinic] = await database.read<Clinic>(
      utcSession(key.clinic_id),
      sql`select clinic_id, name, time_zone, country, currency, week_start, min_visit_minutes from clinic
        where clinic_id = ${key.clinic_id} and closed_at is null`,
    )
    if (clinic === undefined) return null
    noteLateUse(key, at)
    const { id: key_id, scopes, rate_limit, networks } = key
    return { key_id, clinic, scopes, rate_limit, expires_at: finite(expires_at), ...bound(networks) }
  }
}

function bound(networks: string[] | null): Pick<Principal, 'networks'> {
  return networks === null ? {} : { networks }
}

/** Infinity: it does not expire. */
function untilOf(expires_at: string | null): number {
  return expires_at === null ? Number.POSITIVE_INFINITY : epochMs(expires_at)
}

function finite(expires_at: number): number | null {
  return Number.isFinite(expires_at) ? expires_at : null
}

function epochMs(text: string): number {
  return Date.parse(instant(text) ?? '')
}
