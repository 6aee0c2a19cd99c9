// Stops every integration of a restored database: what was ended since the backup is open in it again (docs/decisions/0105).
import { listClinics } from '@clinic-data/administration/clinics'
import { listIntegrations } from '@clinic-data/administration/integrations/list-integrations'
import { stopIntegration } from '@clinic-data/administration/integrations/stop-integration'
import type { besideOperator } from '@clinic-data/audit/operator-audit'
import type { Database } from '@clinic-data/database'

export interface StoppedIntegration {
  readonly clinic_id: string
  readonly id: string
}

/** Nobody else may use the database. @returns those that were not stopped before. */
export async function stopAll(
  owner: Database,
  tell: (clinic_id: string, operation: 'operator.integrations.stop') => ReturnType<typeof besideOperator>,
): Promise<StoppedIntegration[]> {
  const now = new Date()
  const stopped: StoppedIntegration[] = []
  for (const clinic of await listClinics(owner)) {
    const { clinic_id } = clinic
    const record = tell(clinic_id, 'operator.integrations.stop')
    for (const { id, stopped_at } of await listIntegrations(owner, clinic, now)) {
      if (stopped_at !== null) continue
      // No process knows a key yet.
      await stopIntegration(owner, clinic, { id, by: null, now, wait: async () => undefined, record })
      stopped.push({ clinic_id, id })
    }
  }
  return stopped
}
