// Stops the integrations whose keys were called by a rule that an owner chose for that (docs/decisions/0126). It is the Stop that a person has, and is
// undone like it.
import { hostname } from 'node:os'
import { type DueStop, dueStops, markStopped } from '@clinic-data/audit/watch/stopping-rules'
import { recordStop, WATCH } from '@clinic-data/audit/watch-audit'
import type { ClinicDatabase, ClinicSession, Transaction } from '@clinic-data/database'
import { adoptWithin } from '@clinic-data/webhooks/integrations/adopt'
import { type Stopping, stopWithin, untilStopped } from '../integrations/stop-integration.ts'

/**
 * Resolves when all that it stopped is refused everywhere.
 *
 * @param owner opened as the owner of the tables.
 * @returns the integrations that it stopped.
 */
export async function stopCalled(
  owner: ClinicDatabase,
  clinic: ClinicSession,
  { now, wait }: Pick<Stopping, 'wait'> & { now: () => Date },
): Promise<string[]> {
  const stopped: string[] = []
  // In most rounds there is none, and nothing is locked.
  while ((await owner.read<DueStop>(clinic, dueStops(clinic, now()))).length > 0) {
    const moment = now()
    const next = await owner.write(clinic, (tx) => stopNext(tx, clinic, moment))
    if (next === null) return stopped
    await untilStopped(owner, clinic, { ...next, now: moment, wait })
    stopped.push(next.id)
  }
  return stopped
}

/** In turn with all who stop or resume: another dispatcher that waited finds nothing due any more. */
async function stopNext(
  tx: Transaction,
  clinic: ClinicSession,
  now: Date,
): Promise<{ id: string; ids: string[] } | null> {
  const { clinic_id } = clinic
  await adoptWithin(tx, clinic_id)
  const { rows } = await tx.query<DueStop>(dueStops(clinic, now))
  const id = rows[0]?.integration_id ?? null
  if (id === null) return null
  const alerts = rows.filter(({ integration_id }) => integration_id === id).map((one) => one.id)
  const { ids } = await stopWithin(tx, clinic_id, { id, by: WATCH, now })
  await markStopped(tx, clinic_id, { ids: alerts, now })
  recordStop(tx, { clinic_id, ids: [id, ...alerts], machine: hostname(), now })
  return { id, ids }
}
