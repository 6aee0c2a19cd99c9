// Which integration a new connection belongs to: that of the app's earlier ones, if nobody chooses another. While one of the app is stopped,
// nobody connects it anew: otherwise the partner would go on after Stop.
import { type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { lockIntegrations, stopped } from '@clinic-data/webhooks/integrations/integration'
import type { App } from '../apps/app.ts'

/**
 * @returns the id of the latest one, null when the app has none.
 * @throws Problem 409 while the app is stopped in the clinic.
 */
export async function integrationOfApp(
  tx: Transaction,
  { clinic_id }: ClinicSession,
  app: App,
): Promise<string | null> {
  await lockIntegrations(tx, clinic_id)
  const { rows } = await tx.query<{ id: string; is_stopped: boolean }>(sql`
    select i.id, i.stopped_at is not null as is_stopped
    from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
    where c.clinic_id = ${clinic_id} and c.app_id = ${app.id}
    order by is_stopped desc, c.id desc limit 1`)
  const [latest] = rows
  if (latest?.is_stopped) throw stopped()
  return latest?.id ?? null
}
