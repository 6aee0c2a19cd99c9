// A code or a token becomes a new pair, under the lock of its connection. One that comes back when it should not ends the connection.
import { liesWithin } from '@clinic-data/contract/network'
import { sql, type Transaction, utcSession } from '@clinic-data/database'
import { type AppCall, auditCall, invalidGrant, notFromThere, stoppedForNow } from './app-call.ts'
import { type LockedConnection, lockedConnection, lockInTurn } from './connection-state.ts'
import { endWithin, untilRefused } from './end-connection.ts'
import { placeOfToken, type StoredToken, sendStoredToken, type TokenKind, type TokenPlace } from './stored-token.ts'
import type { TokenPair } from './token-pair.ts'

export interface Exchange {
  readonly token_hash: string
  readonly kind: TokenKind
  /** Somebody else has it too. */
  readonly isReused: (stored: StoredToken, now: Date) => boolean
  /** Locks the connections that `take` changes too, before this one. */
  readonly lockOthers?: (tx: Transaction, place: TokenPlace, now: Date) => Promise<void>
  /** Runs in the transaction, where the connection has not ended. Uses it up, or refuses. */
  readonly take: (
    tx: Transaction,
    connection: LockedConnection,
    stored: StoredToken,
    now: Date,
  ) => TokenPair | Promise<TokenPair>
}

/** @throws OAuthError */
export async function exchange(
  call: AppCall,
  { token_hash, kind, isReused, lockOthers, take }: Exchange,
): Promise<TokenPair> {
  const { database, now: clock, wait } = call.parts
  const place = await placeOfToken(database, token_hash, [kind])
  if (place === null) throw invalidGrant()
  const { clinic_id, id } = place
  const now = clock()
  const pair = await database.write(utcSession(clinic_id), async (tx) => {
    await lockOthers?.(tx, place, now)
    lockInTurn(tx, clinic_id, [id])
    const token = sendStoredToken(tx, clinic_id, token_hash)
    const connection = await lockedConnection(tx, place, now)
    const stored = token()
    if (connection === null || stored === null || connection.app_id !== call.app.id) throw invalidGrant()
    if (isReused(stored, now)) return endReused(tx, connection, call, now)
    if (connection.isStopped) throw stoppedForNow()
    if (!connection.isUsable) throw invalidGrant()
    if (connection.networks !== null && !liesWithin(call.address, connection.networks)) {
      auditCall(tx, connection, 'connect.elsewhere', call)
      return 'elsewhere'
    }
    return take(tx, connection, stored, now)
  })
  if (pair === 'elsewhere') throw notFromThere(call.address)
  if (pair !== null) return pair
  await untilRefused(database, { clinic_id, ids: [id], now }, wait)
  throw invalidGrant()
}

/** The console says why it ended. One that is stopped ends too: else whoever has stolen its tokens goes on with them when that is undone. */
async function endReused(
  tx: Transaction,
  { clinic_id, id, isUsable, isStopped }: LockedConnection,
  call: AppCall,
  now: Date,
): Promise<null> {
  if (!isUsable && !isStopped) throw invalidGrant()
  await endWithin(tx, { clinic_id, which: sql`id = ${id}`, reason: 'reused', now })
  auditCall(tx, { clinic_id, id }, 'connect.reused', call)
  return null
}
