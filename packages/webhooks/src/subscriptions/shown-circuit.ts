// A subscription's circuit as the contract shows it, from what its lane holds at that moment (docs/decisions/0153).
import type { Webhook } from '@clinic-data/contract/resources/webhook'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql } from '@clinic-data/database'
import { dateOf } from './lane.ts'

/** As PostgreSQL prints them. */
export interface CircuitTimes {
  opened_at: string | null
  probe_at: string | null
}

/**
 * A column for rows of the table `subscription`, which bears its own name. Null where it has no lane. The clinic is a value, so that Citus finds
 * both rows on one node.
 */
export function circuitColumn(clinic_id: string): Statement {
  return sql`(select json_build_object('opened_at', lane.opened_at::text, 'probe_at', lane.probe_at::text)
    from lane where lane.clinic_id = ${clinic_id} and lane.subscription_id = subscription.id) as circuit`
}

/** From the time of its probe on, a circuit is half open: one delivery decides, as soon as one is due. */
export function shownCircuit(
  { opened_at, probe_at }: CircuitTimes,
  now: Date,
): NonNullable<Static<typeof Webhook>['circuit']> {
  if (opened_at === null) return { state: 'closed', opened_at: null, next_attempt_at: null }
  const probe = dateOf(probe_at)
  if (probe === null || probe <= now)
    return { state: 'half_open', opened_at: instant(opened_at), next_attempt_at: null }
  return { state: 'open', opened_at: instant(opened_at), next_attempt_at: instant(probe_at) }
}
