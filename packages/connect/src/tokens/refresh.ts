// A refresh token becomes a new pair, and is used up (RFC 9700, 4.14). An old one that comes back after the grace ends the connection.
import { allScopes, readScopes, type Scope } from '@clinic-data/contract'
import { hashKey, isWellFormedKey } from '@clinic-data/contract/key'
import { sql, type Transaction } from '@clinic-data/database'
import { OAuthError } from '../oauth-error.ts'
import { type AppCall, auditCall, invalidGrant } from './app-call.ts'
import { readResource } from './audience.ts'
import type { LockedConnection } from './connection-state.ts'
import { exchange } from './exchange.ts'
import { GRACE_MS } from './lifetimes.ts'
import { isOver, type StoredToken } from './stored-token.ts'
import { issuePair, type TokenPair } from './token-pair.ts'

export interface SentRefresh {
  readonly refresh_token: string
  readonly scope: string | undefined
  readonly resource: string | undefined
}

/** @throws OAuthError */
export async function refresh(call: AppCall, sent: SentRefresh): Promise<TokenPair> {
  if (!isWellFormedKey(sent.refresh_token, 'ort_live_')) throw invalidGrant()
  const token_hash = hashKey(sent.refresh_token)
  return exchange(call, {
    token_hash,
    kind: 'refresh',
    isReused: isUsedLongAgo,
    take: (tx, connection, stored, now) => {
      if (isOver(stored, now)) throw invalidGrant()
      refuseOther(call, connection, sent)
      return nextPair(tx, connection, token_hash, { call, now })
    },
  })
}

/** After a clock has jumped back, a use lies ahead. That is no use of long ago. */
export function isUsedLongAgo({ usedAt }: StoredToken, now: Date): boolean {
  return usedAt !== null && usedAt.getTime() <= now.getTime() - GRACE_MS
}

async function nextPair(
  tx: Transaction,
  connection: LockedConnection,
  token_hash: string,
  { call, now }: { call: AppCall; now: Date },
): Promise<TokenPair> {
  // The first use begins the grace. A use within it does not prolong it.
  tx.send(sql`update connection_token set used_at = coalesce(used_at, ${now})
    where clinic_id = ${connection.clinic_id} and token_hash = ${token_hash}`)
  const pair = await issuePair(tx, connection, now)
  auditCall(tx, connection, 'connect.refresh', call)
  return pair
}

/**
 * A token has the scopes of its connection, so that a person who takes one away takes it from all tokens. An app that asks for fewer is
 * answered with those that it has (RFC 6749, 3.3). It never gets more.
 */
function refuseOther({ parts }: AppCall, { scopes, audience }: LockedConnection, sent: SentRefresh): void {
  if (sent.scope !== undefined && sent.scope.trim() !== '') {
    const wanted = scopesNamed(sent.scope)
    if (!wanted.some((scope) => scopes.includes(scope)))
      throw new OAuthError(
        'invalid_scope',
        'The connection has none of these scopes. Leave scope out, or ask the person again.',
      )
  }
  if (sent.resource !== undefined && readResource(parts.baseUrl, [sent.resource]) !== audience)
    throw new OAuthError('invalid_target', 'resource is another one than in the authorization request.')
}

/** The scopes that a list with spaces names, in the contract's order. Other words are left out, as RFC 6749 allows. */
export function scopesNamed(list: string): readonly Scope[] {
  const words = new Set(list.split(' '))
  return allScopes.filter((scope) => words.has(scope) || (words.has('reads') && readScopes.includes(scope)))
}
