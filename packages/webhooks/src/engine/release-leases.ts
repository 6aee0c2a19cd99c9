// Releases leases that no worker uses: their deliveries are due again at once, not only when the leases expire.
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { LEASE_MS } from '../subscriptions/leases.ts'

/** While the database cannot be reached: the interval of attempts to release what a lost claim may hold. */
const RELEASE_AGAIN_MS = 500

/** Releases all leases after a restart of the only dispatcher. Call this only where no other dispatcher can be at work. */
export async function releaseAllLeases(database: Database): Promise<void> {
  const clinics = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct clinic_id from delivery where status = 'pending' and lease_until is not null`)
  for (const { clinic_id } of clinics) {
    await database.write(utcSession(clinic_id), async (tx) => {
      tx.send(sql`update lane set leases = '{}' where clinic_id = ${clinic_id} and leases <> '{}'`)
      await tx.query(sql`update delivery set lease_id = null, lease_until = null
        where clinic_id = ${clinic_id} and status = 'pending' and lease_until is not null`)
    })
  }
}

/** Releases some claims: those whose answers were lost, or whose holder has died. @returns whether they held anything. */
export function releaseLeases(database: Database, clinic_id: string, lease_ids: readonly string[]): Promise<boolean> {
  return database.write(utcSession(clinic_id), async (tx) => {
    tx.send(sql`update lane set leases = leases - ${lease_ids}::text[]
      where clinic_id = ${clinic_id} and leases ?| ${lease_ids}::text[]`)
    const { rowCount } = await tx.query(sql`update delivery set lease_id = null, lease_until = null
      where clinic_id = ${clinic_id} and status = 'pending' and lease_until is not null and lease_id = any(${lease_ids}::text[])`)
    return rowCount > 0
  })
}

interface Lost {
  readonly clinic_id: string
  readonly lease_id: string
  readonly isGivenUp: () => boolean
}

/**
 * If the answer of a claim is lost, the claim may be committed all the same. Without this nobody would send its deliveries. It is tried until the
 * lease has ended. @returns whether it held anything.
 */
export async function releaseLost(database: Database, { clinic_id, lease_id, isGivenUp }: Lost): Promise<boolean> {
  for (let ms = 0; ms < LEASE_MS && !isGivenUp(); ms += RELEASE_AGAIN_MS) {
    try {
      return await releaseLeases(database, clinic_id, [lease_id])
    } catch {
      await delay(RELEASE_AGAIN_MS)
    }
  }
  return false
}
