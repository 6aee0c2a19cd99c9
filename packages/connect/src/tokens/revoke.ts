// An app gives its tokens back (RFC 7009). A refresh token ends the connection; an access token alone is gone, and its connection goes on.
import { setTimeout as delay } from 'node:timers/promises'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { sql, utcSession } from '@clinic-data/database'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'
import { type AppCall, auditCall } from './app-call.ts'
import { lockConnection } from './connection-state.ts'
import { endWithin, untilRefused } from './end-connection.ts'
import { placeOfToken } from './stored-token.ts'

/** Resolves when the token is refused everywhere. @returns false for an unknown token and another app's: nothing is said, and nothing ends. */
export async function revoke(call: AppCall, token: string): Promise<boolean> {
  const { database, now: clock, wait } = call.parts
  const token_hash = hashKey(token)
  const place = await placeOfToken(database, token_hash, ['refresh', 'access'])
  if (place === null) return false
  const { clinic_id, id, kind } = place
  const now = clock()
  const isTheirs = await database.write(utcSession(clinic_id), async (tx) => {
    const connection = await lockConnection(tx, place, now)
    if (connection === null || connection.app_id !== call.app.id) return false
    if (kind === 'refresh') await endWithin(tx, { clinic_id, which: sql`id = ${id}`, reason: 'by_app', now })
    else await tx.query(sql`delete from connection_token where clinic_id = ${clinic_id} and token_hash = ${token_hash}`)
    auditCall(tx, connection, 'connect.revoke', call)
    return true
  })
  if (!isTheirs) return false
  if (kind === 'refresh') await untilRefused(database, { clinic_id, ids: [id], now }, wait)
  else {
    await untilWritesEnd(database, { clinic_id, id })
    await (wait ?? delay)(KEY_CACHE_MS)
  }
  return true
}
