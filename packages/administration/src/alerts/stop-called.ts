// Stops the integrations whose keys were called by a rule that an owner chose for that (docs/decisions/0126). It is the Stop that a person has, and is
// undone like it.
import { hostname } from 'node:os'
import { type DueStop, dueStops, markStopped } from '@clinic-data/audit/watch/stopping-rules'
import { recordStop, WATCH } from '@clinic-data/audit/watch-audit'
import { type ClinicDatabase, type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { adoptWithin } from '@clinic-data/webhooks/integrations/adopt'
import { type Stopped, type Stopping, stopWithin, untilStopped } from '../integrations/stop-integration.ts'

/**
 * Resolves when all that it stopped is refused everywhere, also what a round that was killed had stopped.
 *
 * @param owner opened as the owner of the tables.
 * @returns the integrations that it stopped.
 */
export async function stopCalled(
  owner: ClinicDatabase,
  clinic: ClinicSession,
  { now, wait }: Pick<Stopping, 'wait'> & { now: () => Date },
): Promise<string[]> {
  await finishStops(owner, clinic, { now, wait })
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

/** Does what is left of a Stop whose process was killed before a write had ended that it had to wait for. */
async function finishStops(
  owner: ClinicDatabase,
  clinic: ClinicSession,
  { now, wait }: Pick<Stopping, 'wait'> & { now: () => Date },
): Promise<void> {
  const { clinic_id } = clinic
  for (const { id } of await owner.read<{ id: string }>(clinic, halfStopped(clinic))) {
    const keys = await owner.read<{ id: string }>(
      clinic,
      sql`select id from api_key where clinic_id = ${clinic_id} and integration_id = ${id}`,
    )
    await untilStopped(owner, clinic, { integrations: [id], ids: keys.map((key) => key.id), now: now(), wait })
  }
}

/** A process of the version before gives a webhook no integration: its maker says whose it is. */
function halfStopped({ clinic_id }: ClinicSession): Statement {
  return sql`select i.id from integration i where i.clinic_id = ${clinic_id} and i.stopped_at is not null
    and (exists (select from api_key k where k.clinic_id = ${clinic_id} and k.integration_id = i.id and k.stopped_at is null)
      or exists (select from subscription s left join api_key m on m.clinic_id = ${clinic_id} and m.id = s.made_by
        where s.clinic_id = ${clinic_id} and s.enabled and coalesce(s.integration_id, m.integration_id) = i.id))`
}

/** In turn with all who stop or resume: another dispatcher that waited finds nothing due any more. */
async function stopNext(
  tx: Transaction,
  clinic: ClinicSession,
  now: Date,
): Promise<(Pick<Stopped, 'integrations' | 'ids'> & { id: string }) | null> {
  const { clinic_id } = clinic
  await adoptWithin(tx, clinic_id)
  const { rows } = await tx.query<DueStop>(dueStops(clinic, now))
  const id = rows[0]?.integration_id ?? null
  if (id === null) return null
  const alerts = rows.filter(({ integration_id }) => integration_id === id).map((one) => one.id)
  const { integrations, ids } = await stopWithin(tx, clinic_id, { id, by: WATCH, now })
  await markStopped(tx, clinic_id, { ids: alerts, now })
  recordStop(tx, { clinic_id, ids: [...integrations, ...alerts], machine: hostname(), now })
  return { id, integrations, ids }
}
