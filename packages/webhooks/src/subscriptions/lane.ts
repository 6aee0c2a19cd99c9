// Reads and writes a subscription's lane, the row that holds its circuit and what is held of its deliveries.
import { instant, sql, type Transaction } from '@clinic-data/database'
import { type Circuit, newCircuit } from './circuit.ts'
import type { Leases } from './leases.ts'

/** The circuit's columns, each of its field's name. */
const instants = ['last_success_at', 'failing_since', 'first_gone_at', 'last_gone_at', 'opened_at', 'probe_at'] as const
const counts = ['failed_attempts', 'exhausted_deliveries', 'failed_probes', 'at_once'] as const
const circuitColumns = [...instants, ...counts].map((name) => sql.identifier(name))

type InstantColumn = (typeof instants)[number]
type CountColumn = (typeof counts)[number]

/** The columns as PostgreSQL prints them. */
export type LaneRow = { subscription_id: string; leases: Leases } & Record<InstantColumn, string | null> &
  Record<CountColumn, number>

/** Columns of the relation `lane`. */
export const laneColumns = sql`lane.subscription_id, lane.leases, ${sql.join(circuitColumns.map((column) => sql`lane.${column}`))}`

export function renderCircuit(row: LaneRow): Circuit {
  const circuit: { [K in InstantColumn | CountColumn]: Circuit[K] } = { ...newCircuit }
  for (const name of instants) circuit[name] = dateOf(row[name])
  for (const name of counts) circuit[name] = row[name]
  return circuit
}

export interface Lane {
  readonly circuit: Circuit
  readonly leases: Leases
}

/**
 * Locks the lanes of these subscriptions, always in the same order, with the transaction's next statement.
 *
 * @returns a function for the lanes. It throws before a statement was awaited.
 */
export function lockLanes(
  tx: Transaction,
  clinic_id: string,
  subscription_ids: readonly string[],
): () => Map<string, Lane> {
  const locked = tx.send<LaneRow>(sql`select ${laneColumns} from lane
    where lane.clinic_id = ${clinic_id} and lane.subscription_id = any(${subscription_ids}::text[])
    order by lane.subscription_id for update`)
  return () =>
    new Map(locked().rows.map((row) => [row.subscription_id, { circuit: renderCircuit(row), leases: row.leases }]))
}

/** A lane's circuit, when its endpoint recovered, if it just did, and its leases, if they changed. */
export interface StoredLane {
  readonly subscription_id: string
  readonly circuit: Circuit
  readonly recovered_at: Date | null
  readonly leases: Leases | null
}

/**
 * Marks that deliveries of the subscription were requested: claims then look past its circuit. Call this before locking any of its
 * rows.
 */
export async function markUrgent(tx: Transaction, clinic_id: string, subscription_id: string): Promise<void> {
  await tx.query(sql`update lane set has_urgent = true
    where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}`)
}

/**
 * A condition on the relation `d`: requested by hand, or a test event before its first attempt. The index `delivery_urgent` uses
 * the same words.
 */
export const isUrgent = sql`d.status = 'pending' and (d.manual_from is not null or d.is_test and d.attempt_count = 0)`

/** Stores locked lanes, with the transaction's next statement. */
export function storeLanes(tx: Transaction, clinic_id: string, lanes: readonly StoredLane[]): void {
  if (lanes.length === 0) return
  const rows = lanes.map(({ circuit, leases, ...lane }) => ({
    ...circuit,
    ...lane,
    leases: leases && JSON.stringify(leases),
  }))
  tx.send(sql`
    update lane set ${sql.join(circuitColumns.map((column) => sql`${column} = input.${column}`))},
      recovered_at = coalesce(input.recovered_at, lane.recovered_at), leases = coalesce(input.leases::jsonb, lane.leases)
    from ${sql.input(rows, { text: ['subscription_id', 'leases'], timestamptz: [...instants, 'recovered_at'], int: counts })}
    where lane.clinic_id = ${clinic_id} and lane.subscription_id = input.subscription_id`)
}

/** Stores the leases of locked lanes after a claim, with the transaction's next statement. */
export function storeLeases(tx: Transaction, clinic_id: string, lanes: ReadonlyMap<string, Leases>): void {
  if (lanes.size === 0) return
  const rows = [...lanes].map(([subscription_id, leases]) => ({ subscription_id, leases: JSON.stringify(leases) }))
  tx.send(sql`update lane set leases = input.leases::jsonb from ${sql.input(rows, { text: ['subscription_id', 'leases'] })}
    where lane.clinic_id = ${clinic_id} and lane.subscription_id = input.subscription_id`)
}

export function dateOf(text: string | null): Date | null {
  const read = instant(text)
  return read === null ? null : new Date(read)
}
