// Ends the connections of an app that the operator has disabled, in every clinic.
import { setTimeout as delay } from 'node:timers/promises'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction, utcSession } from '@clinic-data/database'
import { endWithin, untilRefused } from '../tokens/end-connection.ts'

export interface AppEnd {
  readonly app_id: string
  readonly clinic_ids: readonly string[]
  readonly now: Date
  /** Runs last in the transaction of a clinic, with the ids of the connections that ended. */
  readonly beside: (clinic_id: string) => (tx: Transaction, ids: readonly string[]) => void
  /** Waits until an ended connection is refused everywhere. Default: as long as that takes. */
  readonly wait?: (ms: number) => Promise<unknown>
}

/**
 * Call it after the app is disabled, so that no connection is made meanwhile that lasts. Resolves once all are refused, and what they were
 * writing is stored or undone. Repeated after a crash, it ends those that are left.
 *
 * @returns the number that ended.
 */
export async function endConnectionsOfApp(owner: ClinicDatabase, end: AppEnd): Promise<number> {
  const { clinic_ids, wait = delay } = end
  let ended = 0
  for (const clinic_id of clinic_ids) {
    const ids = await endThose(owner, clinic_id, end)
    // The wait until other processes know is the same for all clinics, and comes after the last.
    await untilRefused(owner, { clinic_id, ids, now: end.now }, async () => undefined)
    ended += ids.length
  }
  if (ended > 0) await wait(KEY_CACHE_MS)
  return ended
}

function endThose(owner: ClinicDatabase, clinic_id: string, { app_id, now, beside }: AppEnd): Promise<string[]> {
  return owner.write(utcSession(clinic_id), async (tx) => {
    const which = sql`app_id = ${app_id} and id in (select k.id from api_key k
      where k.clinic_id = ${clinic_id} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}))`
    const ids = await endWithin(tx, { clinic_id, which, reason: 'app_disabled', now })
    if (ids.length > 0) beside(clinic_id)(tx, ids)
    return ids
  })
}
