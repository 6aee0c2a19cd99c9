// The subscriptions that a key, a connection or an administrator made. They go on sending when a key is revoked, and end with a connection.
import { type ClinicDatabase, type ClinicSession, type Statement, sql } from '@clinic-data/database'

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

/**
 * A condition on the relation `subscription`: the connection of the app that made it has not expired. Nobody acts at that moment, and the
 * upkeep that ends these subscriptions comes later.
 */
export function makerLasts(clinic_id: string, now: Date): Statement {
  return sql`not exists (select from api_key maker where maker.clinic_id = ${clinic_id} and maker.id = subscription.made_by
    and maker.id like 'con\\_%' and maker.expires_at <= ${now})`
}
