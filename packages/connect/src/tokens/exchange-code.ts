// A code becomes the first tokens of its connection, once (RFC 6749, 4.1.3, and RFC 7636). One that comes back ends the connection.
import { hash, timingSafeEqual } from 'node:crypto'
import { hashKey, isWellFormedKey } from '@clinic-data/contract/key'
import { sql, type Transaction } from '@clinic-data/database'
import { appUse } from '../apps/self-registered.ts'
import { OAuthError } from '../oauth-error.ts'
import { type AppCall, auditCall, invalidGrant } from './app-call.ts'
import { readResource } from './audience.ts'
import type { LockedConnection } from './connection-state.ts'
import { type Ended, untilRefused } from './end-connection.ts'
import { exchange } from './exchange.ts'
import { isOver, type StoredToken } from './stored-token.ts'
import { lockOlder, takePlace } from './take-place.ts'
import { issuePair, type TokenPair } from './token-pair.ts'

export interface SentCode {
  readonly code: string
  readonly code_verifier: string
  /** OAuth 2.1 leaves it out: PKCE ties the code to who asked for it. One that is sent is the one of the request. */
  readonly redirect_uri: string | undefined
  readonly resource: string | undefined
}

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** @throws OAuthError */
export async function exchangeCode(call: AppCall, sent: SentCode): Promise<TokenPair> {
  if (!isWellFormedKey(sent.code, 'oac_live_')) throw invalidGrant()
  const token_hash = hashKey(sent.code)
  let replaced: Ended = { clinic_id: '', ids: [], now: call.parts.now() }
  let hasOlder = false
  const pair = await exchange(call, {
    token_hash,
    kind: 'code',
    isReused: ({ usedAt }) => usedAt !== null,
    lockOthers: async (...place) => {
      hasOlder = await lockOlder(...place)
    },
    take: async (tx, connection, stored, now) => {
      if (isOver(stored, now)) throw invalidGrant()
      refuseOther(call, connection, stored, sent)
      const ids = hasOlder ? await takePlace(tx, connection, now) : []
      replaced = { clinic_id: connection.clinic_id, ids, now }
      return firstPair(tx, connection, { token_hash, call, now, replaced: ids })
    },
  })
  await endReplaced(call, replaced)
  return pair
}

/** The app has its tokens whatever becomes of this: its code is used up. What a failure leaves, the nightly upkeep ends. */
async function endReplaced({ parts: { database, log } }: AppCall, ended: Ended): Promise<void> {
  try {
    await untilRefused(database, ended, async () => undefined)
  } catch (error) {
    log.warn({ err: error, clinic_id: ended.clinic_id }, 'the writes of a replaced connection could not be waited for')
  }
}

/** A wrong one leaves the code as it is: whoever has stolen it must not use it up. */
function refuseOther(call: AppCall, connection: LockedConnection, stored: StoredToken, sent: SentCode): void {
  if (sent.redirect_uri !== undefined && sent.redirect_uri !== stored.redirectUri) throw invalidGrant()
  if (!VERIFIER.test(sent.code_verifier) || !isChallengeOf(stored.codeChallenge, sent.code_verifier)) {
    throw new OAuthError('invalid_grant', 'code_verifier is not the one whose S256 hash was the code_challenge.')
  }
  const { resource } = sent
  if (resource !== undefined && readResource(call.parts.baseUrl, [resource]) !== connection.audience)
    throw new OAuthError('invalid_target', 'resource is another one than in the authorization request.')
}

function isChallengeOf(challenge: string | null, verifier: string): boolean {
  const made = Buffer.from(hash('sha256', verifier, 'base64url'))
  const kept = Buffer.from(challenge ?? '')
  return made.length === kept.length && timingSafeEqual(made, kept)
}

/** Uses up the code, of an app or a device, whose connection is locked. */
export async function firstPair(
  tx: Transaction,
  connection: LockedConnection,
  {
    token_hash,
    call,
    now,
    replaced = [],
  }: { token_hash: string; call: AppCall; now: Date; replaced?: readonly string[] },
): Promise<TokenPair> {
  const { clinic_id, id } = connection
  tx.send(sql`update connection_token set used_at = coalesce(used_at, ${now})
    where clinic_id = ${clinic_id} and token_hash = ${token_hash}`)
  tx.send(sql`update connection
    set connected_at = coalesce(connected_at, ${now}), connected_from = coalesce(connected_from, nullif(${call.address}, ''))
    where clinic_id = ${clinic_id} and id = ${id}`)
  tx.send(appUse(connection.app_id, now))
  const pair = await issuePair(tx, connection, now)
  auditCall(tx, connection, 'connect.token', call, replaced)
  return pair
}
