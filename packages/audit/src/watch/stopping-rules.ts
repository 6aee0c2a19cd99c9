// The rules that may stop the integration whose key they called, where the clinic chose that (docs/decisions/0126).
import {
  type ClinicDatabase,
  type ClinicSession,
  type Statement,
  sql,
  type Transaction,
  withInstants,
} from '@clinic-data/database'
import { isRule, type Rule } from './facts.ts'

export interface ChosenRule {
  rule: Rule
  chosen_at: string
  /** The administrator's id. */
  chosen_by: string
}

/** Those that stop. By default none does. */
export async function chosenRules(database: ClinicDatabase, clinic: ClinicSession): Promise<ChosenRule[]> {
  const rows = await database.read<ChosenRule>(
    clinic,
    sql`select rule, chosen_at, chosen_by from stop_rule where clinic_id = ${clinic.clinic_id}`,
  )
  return rows.filter(({ rule }) => isRule(rule)).map((row) => withInstants(row, 'chosen_at'))
}

/** Choosing the same again changes nothing. @param choice of a rule that an owner may choose. */
export async function chooseRule(
  tx: Transaction,
  clinic_id: string,
  { rule, stops, by, now }: { rule: Rule; stops: boolean; by: string; now: Date },
): Promise<void> {
  await tx.query(
    stops
      ? sql`insert into stop_rule (clinic_id, rule, chosen_at, chosen_by) values (${clinic_id}, ${rule}, ${now}, ${by})
          on conflict (clinic_id, rule) do nothing`
      : sql`delete from stop_rule where clinic_id = ${clinic_id} and rule = ${rule}`,
  )
}

/** Nobody is helped by a Stop for what was told long ago. A round that fails comes again within minutes. */
const DUE_MS = 24 * 60 * 60 * 1000

export interface DueStop {
  id: string
  integration_id: string | null
}

/**
 * The alerts for which an integration is to be stopped: a chosen rule called them, nobody has looked at them, the key goes on, and nobody has
 * resumed the integration on their day or later. What somebody resumed is not stopped again for the use of the same day.
 */
export function dueStops({ clinic_id }: ClinicSession, now: Date): Statement {
  return sql`select a.id, k.integration_id from audit_alert a
    join stop_rule r on r.clinic_id = ${clinic_id} and r.rule = a.rule and r.chosen_at <= a.noticed_at
    join api_key k on k.clinic_id = ${clinic_id} and k.id = a.key_id and k.stopped_at is null and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${now})
    left join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
    where a.clinic_id = ${clinic_id} and a.seen_at is null and a.stopped_at is null
      and a.noticed_at > ${new Date(now.getTime() - DUE_MS)}
      and i.stopped_at is null and (i.resumed_at is null or i.resumed_at::date < a.day)
    order by a.noticed_at, a.id`
}

/** Marks those for which an integration was stopped. They are told again: who was told before must hear of it. */
export async function markStopped(
  tx: Transaction,
  clinic_id: string,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  await tx.query(sql`update audit_alert set stopped_at = ${now}, mailed_at = null, posted_at = null
    where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
}

/** Whoever undoes the Stop of a rule has looked at why: what it called counts as usual from then on. */
export async function markStopsSeen(
  tx: Transaction,
  clinic_id: string,
  { integration_id, by, now }: { integration_id: string; by: string; now: Date },
): Promise<void> {
  await tx.query(sql`update audit_alert set seen_at = ${now}, seen_by = ${by}
    where clinic_id = ${clinic_id} and stopped_at is not null and seen_at is null
      and key_id in (select id from api_key where clinic_id = ${clinic_id} and integration_id = ${integration_id})`)
}
