// The subscriptions that a key or an administrator made. They go on sending when a key is revoked.
import { type ClinicDatabase, type ClinicSession, sql } from '@clinic-data/database'

export interface MadeSubscription {
  id: string
  url: string
  description: string | null
}

/** The enabled ones, in the order in which they were made. */
export function madeBy(database: ClinicDatabase, clinic: ClinicSession, maker_id: string): Promise<MadeSubscription[]> {
  return database.read<MadeSubscription>(
    clinic,
    sql`select id, url, description from subscription
      where clinic_id = ${clinic.clinic_id} and made_by = ${maker_id} and enabled order by created_at, id`,
  )
}
