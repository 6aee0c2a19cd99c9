// A new access token and refresh token of a connection, as the app gets them. Only their hashes are stored.
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { sql, type Transaction } from '@clinic-data/database'
import { CLOCKS_APART_MS } from '@clinic-data/webhooks/subscriptions/leases'
import type { LockedConnection } from './connection-state.ts'
import { ACCESS_MS, earlier, later, REFRESH_MS } from './lifetimes.ts'

export interface TokenPair {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/**
 * An app refreshes once an hour, so these are days. They bound what one that refreshes without end stores; who holds an older one refreshes,
 * or is refused.
 */
const MOST_TOKENS = 200

/** The connection is locked. The tokens are good once the transaction is committed. */
export async function issuePair(tx: Transaction, connection: LockedConnection, now: Date): Promise<TokenPair> {
  const { clinic_id, id, scopes, expiresAt } = connection
  const [access_token, refresh_token] = [makeKey('oat_live_'), makeKey('ort_live_')]
  const accessUntil = earlier(later(now, ACCESS_MS), expiresAt)
  const rows = [
    [clinic_id, hashKey(access_token), 'access', id, now, accessUntil],
    [clinic_id, hashKey(refresh_token), 'refresh', id, now, earlier(later(now, REFRESH_MS), expiresAt)],
  ]
  // Those from a clock that was ahead go too: they are refused until that time comes, and would open again then.
  // On a cluster a deletion that searches by itself would hold up all clinics.
  const { rows: oldest } = await tx.query<{ token_hash: string }>(sql`select token_hash from (
      select token_hash, kind, created_at, row_number() over (partition by kind order by created_at desc) as number from connection_token
      where clinic_id = ${clinic_id} and connection_id = ${id} and kind in ('access', 'refresh')) numbered
    where number >= ${MOST_TOKENS} or (kind = 'access' and created_at > ${later(now, CLOCKS_APART_MS)})`)
  if (oldest.length > 0)
    tx.send(sql`delete from connection_token
      where clinic_id = ${clinic_id} and token_hash = any(${oldest.map(({ token_hash }) => token_hash)}::text[])`)
  tx.send(sql`insert into connection_token (clinic_id, token_hash, kind, connection_id, created_at, expires_at)
    values ${sql.values(rows)}`)
  const expires_in = Math.max(1, Math.floor((accessUntil.getTime() - now.getTime()) / 1000))
  return { access_token, token_type: 'Bearer', expires_in, refresh_token, scope: scopes.join(' ') }
}
