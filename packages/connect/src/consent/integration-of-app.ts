// Which integration a new connection belongs to: that of the app's earlier ones, if nobody chooses another. While one of the app is stopped,
// nobody connects it anew: otherwise the partner would go on after Stop.
import { type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { lockIntegrations, stoppedChoice } from '@clinic-data/webhooks/integrations/integration'
import type { App } from '../apps/app.ts'

export interface IntegrationOfApp {
  id: string
  name: string
  is_stopped: boolean
}

/** Its latest one, or one that is stopped. */
export function latestOfApp({ clinic_id }: ClinicSession, app: Pick<App, 'id'>): Statement {
  return sql`select i.id, i.name, i.stopped_at is not null as is_stopped
    from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
    where c.clinic_id = ${clinic_id} and c.app_id = ${app.id}
    order by is_stopped desc, c.id desc limit 1`
}

/**
 * @returns the id of the latest one, null when the app has none.
 * @throws Problem 409 while the app is stopped in the clinic.
 */
export async function integrationOfApp(tx: Transaction, clinic: ClinicSession, app: App): Promise<string | null> {
  await lockIntegrations(tx, clinic.clinic_id)
  const [latest] = (await tx.query<IntegrationOfApp>(latestOfApp(clinic, app))).rows
  if (latest?.is_stopped) throw stoppedChoice()
  return latest?.id ?? null
}
