// Ends the connections of an app that the operator has disabled, in every clinic.
import { setTimeout as delay } from 'node:timers/promises'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction, utcSession } from '@clinic-data/database'
import { untilWritesEnd } from '@clinic-data/surface/still-valid'

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
    for (const id of ids) await untilWritesEnd(owner, { clinic_id, id })
    ended += ids.length
  }
  if (ended > 0) await wait(KEY_CACHE_MS)
  return ended
}

function endThose(owner: ClinicDatabase, clinic_id: string, { app_id, now, beside }: AppEnd): Promise<string[]> {
  return owner.write(utcSession(clinic_id), async (tx) => {
    // A code or a refresh token that is exchanged at this moment comes first.
    await tx.query(sql`select id from connection where clinic_id = ${clinic_id} and app_id = ${app_id}
      order by id for update`)
    const { rows } = await tx.query<{ id: string }>(sql`
      update api_key k set revoked_at = ${now} from connection c
      where c.clinic_id = ${clinic_id} and c.app_id = ${app_id} and k.clinic_id = ${clinic_id} and k.id = c.id
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
      returning k.id`)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return ids
    await tx.query(sql`update connection set end_reason = 'app_disabled'
      where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
    beside(clinic_id)(tx, ids)
    return ids
  })
}
