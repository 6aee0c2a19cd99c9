// Releases leases that no worker uses: their deliveries are due again at once, not only when the leases expire.
import { type Database, sql, utcSession } from '@clinic-data/database'

/** Releases all leases after a restart of the only dispatcher. Call this only where no other dispatcher can be at work. */
export async function releaseLeases(database: Database): Promise<void> {
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

/** Releases the lease of one claim whose answer was lost. @returns whether there was one. */
export function releaseLease(database: Database, clinic_id: string, lease_id: string): Promise<boolean> {
  return database.write(utcSession(clinic_id), async (tx) => {
    tx.send(
      sql`update lane set leases = leases - ${lease_id}::text where clinic_id = ${clinic_id} and leases ? ${lease_id}`,
    )
    const { rowCount } = await tx.query(sql`update delivery set lease_id = null, lease_until = null
      where clinic_id = ${clinic_id} and status = 'pending' and lease_until is not null and lease_id = ${lease_id}`)
    return rowCount > 0
  })
}
