// Which rules of the watch stop the integration of the key that they called, as an owner chose it (docs/decisions/0126).
import { chooseRule, chosenRules } from '@clinic-data/audit/watch/stopping-rules'
import { type StoppingRule, type StopRule, stoppingRules } from '@clinic-data/console-contract/alert-operations'
import type { ClinicDatabase, Transaction } from '@clinic-data/database'
import type { ActiveSession } from '../sessions/sessions.ts'
import { findActors } from './actors.ts'

/** All that may, also those that only tell. */
export async function stopRules(database: ClinicDatabase, { clinic }: ActiveSession): Promise<StopRule[]> {
  const chosen = await chosenRules(database, clinic)
  const actorOf = await findActors(
    database,
    clinic,
    chosen.map(({ chosen_by }) => chosen_by),
  )
  return stoppingRules.map((rule) => {
    const found = chosen.find((one) => one.rule === rule)
    if (found === undefined) return { rule, chosen_at: null, chosen_by: null }
    const { chosen_at, chosen_by } = found
    return { rule, chosen_at, chosen_by: { id: chosen_by, name: actorOf(chosen_by).name ?? '' } }
  })
}

interface Choice {
  rule: StoppingRule
  stops: boolean
  now: Date
  beside: (tx: Transaction) => void
}

/** The same again changes nothing, and has its row. */
export async function setStopRule(
  database: ClinicDatabase,
  session: ActiveSession,
  { rule, stops, now, beside }: Choice,
): Promise<StopRule[]> {
  const { clinic, administrator } = session
  await database.write(clinic, async (tx) => {
    await chooseRule(tx, clinic.clinic_id, { rule, stops, by: administrator.id, now })
    beside(tx)
  })
  return stopRules(database, session)
}
