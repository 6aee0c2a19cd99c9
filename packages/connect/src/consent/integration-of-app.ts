// Which integration a new connection belongs to, if nobody chooses another: that of the app's earlier ones, else the one with the app's name.
// While one of these is stopped, nobody connects the app: otherwise the partner would go on after Stop.
import { type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { lockIntegrations, stoppedChoice } from '@clinic-data/webhooks/integrations/integration'
import { alikeOf, type NamedAlike, namesIn } from '@clinic-data/webhooks/integrations/same-name'
import type { App } from '../apps/app.ts'

type Read = (statement: Statement) => Promise<readonly NamedAlike[]>

/** Its latest one, or one that is stopped. */
function latestOfApp(clinic_id: string, app: Pick<App, 'id'>): Statement {
  return sql`select i.id, i.name, i.stopped_at is not null as is_stopped
    from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
    where c.clinic_id = ${clinic_id} and c.app_id = ${app.id}
    order by is_stopped desc, c.id desc limit 1`
}

/** Null: there is none. */
export async function findOfApp(read: Read, { clinic_id }: ClinicSession, app: App): Promise<NamedAlike | null> {
  const [latest] = await read(latestOfApp(clinic_id, app))
  const [alike] = alikeOf(await read(namesIn(clinic_id)), app.name)
  if (latest === undefined || alike?.is_stopped) return alike ?? null
  return latest
}

/**
 * @returns its id, null when there is none.
 * @throws Problem 409 while the app is stopped in the clinic.
 */
export async function integrationOfApp(tx: Transaction, clinic: ClinicSession, app: App): Promise<string | null> {
  await lockIntegrations(tx, clinic.clinic_id)
  const found = await findOfApp(async (statement) => (await tx.query<NamedAlike>(statement)).rows, clinic, app)
  if (found?.is_stopped) throw stoppedChoice()
  return found?.id ?? null
}
