// The clinic to which an app is connected, by a code or token that it sends. Not yet a proof that it is the app: whoever has one was let in
// by a person, and is no stranger.
import type { AppRequest } from '@clinic-data/contract/app-request'
import { hashKey, isWellFormedKey, type KeyPrefix } from '@clinic-data/contract/key'
import { sql, utcSession } from '@clinic-data/database'
import type { ConnectParts } from '../connect-parts.ts'
import { placeOfToken } from './stored-token.ts'

const PREFIXES: readonly KeyPrefix[] = ['oac_live_', 'odc_live_', 'ort_live_', 'oat_live_']

/** Null: it sends none of this app, or the connection has ended. */
export async function connectedClinic(
  { database, now }: Pick<ConnectParts, 'database' | 'now'>,
  { code, device_code, refresh_token, token }: AppRequest['form'],
  app_id: string,
): Promise<string | null> {
  const sent = code ?? device_code ?? refresh_token ?? token ?? ''
  if (!PREFIXES.some((prefix) => isWellFormedKey(sent, prefix))) return null
  const place = await placeOfToken(database, hashKey(sent), ['code', 'device', 'refresh', 'access'])
  if (place === null) return null
  const { clinic_id, id } = place
  const lasting = await database.read(
    utcSession(clinic_id),
    sql`select c.id from connection c join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      where c.clinic_id = ${clinic_id} and c.id = ${id} and c.app_id = ${app_id} and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${now()})`,
  )
  return lasting.length === 0 ? null : clinic_id
}
