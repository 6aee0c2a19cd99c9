// A subscription's lane: the row that holds its circuit, read and written.
import { instant, sql, type Transaction } from '@clinic-data/database'
import type { Circuit } from './circuit.ts'

/** As PostgreSQL prints it. */
export interface LaneRow {
  subscription_id: string
  last_success_at: string | null
  failing_since: string | null
  failed_attempts: number
  exhausted_deliveries: number
  first_gone_at: string | null
  last_gone_at: string | null
  opened_at: string | null
  probe_at: string | null
  failed_probes: number
  at_once: number
}

/** Of the relation `lane`. */
export const laneColumns = sql`lane.subscription_id, lane.last_success_at, lane.failing_since, lane.failed_attempts,
  lane.exhausted_deliveries, lane.first_gone_at, lane.last_gone_at, lane.opened_at, lane.probe_at, lane.failed_probes,
  lane.at_once`

export function renderCircuit(row: LaneRow): Circuit {
  return {
    last_success_at: dateOf(row.last_success_at),
    failing_since: dateOf(row.failing_since),
    failed_attempts: row.failed_attempts,
    exhausted_deliveries: row.exhausted_deliveries,
    first_gone_at: dateOf(row.first_gone_at),
    last_gone_at: dateOf(row.last_gone_at),
    opened_at: dateOf(row.opened_at),
    probe_at: dateOf(row.probe_at),
    failed_probes: row.failed_probes,
    at_once: row.at_once,
  }
}

/** The circuits of these subscriptions, locked in one order. */
export async function lockLanes(
  tx: Transaction,
  clinic_id: string,
  subscription_ids: readonly string[],
): Promise<Map<string, Circuit>> {
  const { rows } = await tx.query<LaneRow>(sql`select ${laneColumns} from lane
    where lane.clinic_id = ${clinic_id} and lane.subscription_id = any(${subscription_ids}::text[])
    order by lane.subscription_id for update`)
  return new Map(rows.map((row) => [row.subscription_id, renderCircuit(row)]))
}

/** A lane's circuit, and when its endpoint came back, if it just has. */
export interface StoredLane {
  readonly subscription_id: string
  readonly circuit: Circuit
  readonly recovered_at: Date | null
}

/** Deliveries of the subscription are asked for: they are looked for past its circuit. Before any of its rows is locked. */
export async function markUrgent(tx: Transaction, clinic_id: string, subscription_id: string): Promise<void> {
  await tx.query(sql`update lane set has_urgent = true
    where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}`)
}

/** Of the relation `d`: asked for by hand, or a test event before its first attempt. The words of the index `delivery_urgent`. */
export const isUrgent = sql`d.status = 'pending' and (d.manual_from is not null or d.is_test and d.attempt_count = 0)`

export async function storeLanes(tx: Transaction, clinic_id: string, lanes: readonly StoredLane[]): Promise<void> {
  if (lanes.length === 0) return
  const field = <K extends keyof Circuit>(name: K) => lanes.map(({ circuit }) => circuit[name])
  await tx.query(sql`
    update lane set last_success_at = given.last_success_at, failing_since = given.failing_since,
      failed_attempts = given.failed_attempts, exhausted_deliveries = given.exhausted_deliveries,
      first_gone_at = given.first_gone_at, last_gone_at = given.last_gone_at, opened_at = given.opened_at,
      probe_at = given.probe_at, failed_probes = given.failed_probes, at_once = given.at_once,
      recovered_at = coalesce(given.recovered_at, lane.recovered_at)
    from unnest(${lanes.map(({ subscription_id }) => subscription_id)}::text[], ${field('last_success_at')}::timestamptz[],
        ${field('failing_since')}::timestamptz[], ${field('failed_attempts')}::int[],
        ${field('exhausted_deliveries')}::int[], ${field('first_gone_at')}::timestamptz[],
        ${field('last_gone_at')}::timestamptz[], ${field('opened_at')}::timestamptz[], ${field('probe_at')}::timestamptz[],
        ${field('failed_probes')}::int[], ${field('at_once')}::int[],
        ${lanes.map(({ recovered_at }) => recovered_at)}::timestamptz[])
      as given (subscription_id, last_success_at, failing_since, failed_attempts, exhausted_deliveries, first_gone_at,
        last_gone_at, opened_at, probe_at, failed_probes, at_once, recovered_at)
    where lane.clinic_id = ${clinic_id} and lane.subscription_id = given.subscription_id`)
}

export function dateOf(text: string | null): Date | null {
  const read = instant(text)
  return read === null ? null : new Date(read)
}
