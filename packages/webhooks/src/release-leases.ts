// After a restart of the only dispatcher: what the one before held is due again at once, not when its leases have run out.
import { type Database, sql } from '@clinic-data/database'

/** Only where no other dispatcher can be at work. */
export async function releaseLeases(database: Database): Promise<void> {
  const clinics = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct clinic_id from delivery where status = 'pending' and lease_until is not null`)
  for (const { clinic_id } of clinics) {
    await database.write({ clinic_id, time_zone: 'UTC' }, (tx) =>
      tx.query(sql`update delivery set lease_id = null, lease_until = null
        where clinic_id = ${clinic_id} and status = 'pending' and lease_until is not null`),
    )
  }
}
