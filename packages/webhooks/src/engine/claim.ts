// Claims due deliveries: for each subscription as many as its circuit allows, oldest first, however many wait behind them. No
// transaction is open while they are sent (docs/decisions/0010).
import { type Database, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import { atOnce, MAX_AT_ONCE } from '../subscriptions/circuit.ts'
import { dateOf, isUrgent, type LaneRow, laneColumns, renderCircuit, storeLeases } from '../subscriptions/lane.ts'
import { heldNow, leaseEnd, withLease } from '../subscriptions/leases.ts'
import { makerLasts } from '../subscriptions/makers.ts'
import { type FormerSecret, signingSecrets } from '../subscriptions/rotate-secret.ts'
import { keptForEach, sharedOf } from './kept-places.ts'

/** A delivery that this process may attempt while its lease lasts. */
export interface Claimed {
  readonly clinic_id: string
  readonly subscription_id: string
  readonly event_id: string
  /** As PostgreSQL prints it. Together with the event's id it identifies the delivery. */
  readonly created_at: string
  /** The same instant as a Date, for calculations. */
  readonly emitted_at: Date
  readonly event_type: string
  /** The event's exact bytes. */
  readonly body: string
  readonly url: string
  /** Encrypted. */
  readonly secret: Uint8Array
  /** Those that sign beside it after a rotation, the latest first. */
  readonly former_secrets: readonly FormerSecret[]
  readonly lease_id: string
  readonly attempt_count: number
  readonly automatic_count: number
  /** Null when its schedule began with its creation. */
  readonly scheduled_from: string | null
  readonly manual_from: 'pending' | 'failed' | 'delivered' | null
  readonly scheduled_at: string | null
  readonly is_test: boolean
}

export interface ClaimOptions {
  readonly clinic_id: string
  /** The limit for all of the clinic's subscriptions together. */
  readonly most: number
  /** The limit for second and later attempts among them. Requested ones do not count. */
  readonly retries: number
  /** How many attempts of a subscription are under way in this process. Default: none. */
  readonly underWay?: (subscription_id: string) => number
  readonly lease_id: string
  readonly now: Date
}

export interface Claim {
  readonly claimed: readonly Claimed[]
  /** Subscriptions that have no room for more and may have more due. Ask again when one of their attempts has ended. */
  readonly full: readonly string[]
  /** Whether the other subscriptions may have more due than `most` or `retries`. */
  readonly isCut: boolean
}

/**
 * A lease lost in a crash of the server leaves a delivery that is due, so a claim does not wait for the disk. Later durable writes
 * make the lease durable too. Planning its statements over all days costs more than running them.
 */
const CLAIM_OPTIONS = { isDurable: false, plansOnce: true }

/** Several processes may claim at once. Each one skips a lane that another has locked. */
export function claimDue(database: Database, options: ClaimOptions): Promise<Claim> {
  return database.write(utcSession(options.clinic_id), (tx) => claim(tx, options), CLAIM_OPTIONS)
}

async function claim(tx: Transaction, options: ClaimOptions): Promise<Claim> {
  const ready = await readyLanes(tx, options)
  const urgent = await leaseUrgent(tx, options, ready)
  const lanes = withLess(ready, urgent)
  const open = lanes.filter(({ room }) => room > 0)
  const most = options.most - urgent.length
  const shared = sharedOf(
    most,
    lanes.map(({ kept }) => kept),
  )
  const due = await leaseDue(tx, options, open, { most, shared })
  const claimed = [...urgent, ...due]
  hold(tx, options, lanes, claimed)
  const taken = countByLane(due)
  const isCut = due.length === most || due.filter(isRetry).length >= options.retries || isShareCut(open, taken, shared)
  const left = (lane: Lane) => lane.room - (taken.get(lane.subscription_id) ?? 0)
  // If there was room for more, nothing is left from the outage: the recovery is over.
  const over = open.filter((lane) => !isCut && lane.recovered_at !== null && left(lane) > 0)
  await endRecoveries(tx, options, over)
  const full = lanes.filter((lane) => left(lane) <= 0).map(({ subscription_id }) => subscription_id)
  return { claimed, full, isCut }
}

/** Whether all that is shared is taken, and a lane that has all that is kept for it might have had more. */
function isShareCut(open: readonly Lane[], taken: ReadonlyMap<string, number>, shared: number): boolean {
  const counts = open.map(({ subscription_id, kept, room }) => ({ count: taken.get(subscription_id) ?? 0, kept, room }))
  const ofShared = counts.reduce((sum, { count, kept }) => sum + Math.max(0, count - kept), 0)
  return ofShared >= shared && counts.some(({ count, kept, room }) => count >= kept && count < room)
}

interface Lane extends LaneRow {
  url: string
  secret: Uint8Array
  former_secrets: FormerSecret[]
  recovered_at: string | null
  has_urgent: boolean
  /** As many as the circuit allows. Negative when more than that are being sent. */
  room: number
  /** As many as the endpoint may get if its circuit is ignored. */
  urgent_room: number
  /** Places of the clinic that are kept for this lane. */
  kept: number
}

/** Locks and returns the subscriptions that may be sent to now, with the room that running attempts leave to each. */
async function readyLanes(tx: Transaction, { clinic_id, now, underWay }: ClaimOptions): Promise<Lane[]> {
  const { rows } = await tx.query<Omit<Lane, 'room' | 'urgent_room' | 'kept'>>(sql`
    select ${laneColumns}, lane.recovered_at, lane.has_urgent, subscription.url, subscription.secret,
      subscription.former_secrets
    from lane join subscription on subscription.clinic_id = ${clinic_id} and subscription.id = lane.subscription_id
    where lane.clinic_id = ${clinic_id} and subscription.enabled and not lane.is_stopped and ${makerLasts(clinic_id, now)}
      and (lane.probe_at is null or lane.probe_at <= ${now} or lane.has_urgent)
    order by lane.subscription_id for update of lane skip locked`)
  const forEach = keptForEach(rows.length)
  return rows.map((row) => {
    const kept = Math.max(0, forEach - (underWay?.(row.subscription_id) ?? 0))
    const taken = heldNow(row.leases, now)
    const former_secrets = signingSecrets(row.former_secrets, now)
    return {
      ...row,
      former_secrets,
      kept,
      room: atOnce(renderCircuit(row), now) - taken,
      urgent_room: MAX_AT_ONCE - taken,
    }
  })
}

/** The same lanes with the room left after these claims. */
function withLess(lanes: readonly Lane[], claimed: readonly Claimed[]): readonly Lane[] {
  const taken = countByLane(claimed)
  return lanes.map((lane) => {
    const less = taken.get(lane.subscription_id) ?? 0
    return { ...lane, room: lane.room - less, kept: Math.max(0, lane.kept - less) }
  })
}

type LeasedRow = Pick<
  Claimed,
  | 'subscription_id'
  | 'event_id'
  | 'created_at'
  | 'event_type'
  | 'body'
  | 'attempt_count'
  | 'automatic_count'
  | 'scheduled_from'
  | 'manual_from'
  | 'scheduled_at'
  | 'is_test'
>

/** Claims requested deliveries. They bypass the circuit and come before the scheduled ones. */
async function leaseUrgent(tx: Transaction, options: ClaimOptions, ready: readonly Lane[]): Promise<Claimed[]> {
  const lanes = ready.filter(({ has_urgent }) => has_urgent)
  if (lanes.length === 0) return []
  const rooms = lanes.map(({ urgent_room }) => urgent_room)
  const { most } = options
  const shared = sharedOf(
    most,
    ready.map(({ kept }) => kept),
  )
  const claimed = await lease(tx, options, lanes, { rooms, most, shared, retries: most, which: isUrgent })
  const taken = countByLane(claimed)
  const quiet = lanes.map(({ subscription_id }) => subscription_id).filter((id) => !taken.has(id))
  if (quiet.length === 0) return claimed
  // Not while one is being attempted: if it is returned unstarted, it must be found again.
  await tx.query(sql`update lane set has_urgent = false
    where lane.clinic_id = ${options.clinic_id} and lane.subscription_id = any(${quiet}::text[])
      and not exists (select from delivery d
        where d.clinic_id = ${options.clinic_id} and d.subscription_id = lane.subscription_id and ${isUrgent})`)
  return claimed
}

/** Claims the oldest due deliveries of each lane, as many as there is room for. */
async function leaseDue(
  tx: Transaction,
  options: ClaimOptions,
  lanes: readonly Lane[],
  { most, shared }: Pick<Wanted, 'most' | 'shared'>,
) {
  if (lanes.length === 0 || most <= 0) return []
  const firstOnly = options.retries > 0 ? sql.empty : sql` and d.attempt_count = 0`
  return lease(tx, options, lanes, {
    rooms: lanes.map(({ room }) => room),
    most,
    shared,
    retries: options.retries,
    which: sql`d.status = 'pending'
      and (d.due_at <= ${options.now} or coalesce(d.last_attempt_at, d.created_at) < input.recovered_at)${firstOnly}`,
  })
}

interface Wanted {
  /** The maximum for each lane, in the order of the lanes. */
  readonly rooms: readonly number[]
  readonly most: number
  /** The maximum behind what is kept for the lanes. */
  readonly shared: number
  readonly retries: number
  /** A condition on the relations `d` (rows of `delivery`) and `input` (the lanes). */
  readonly which: Statement
}

async function lease(
  tx: Transaction,
  { clinic_id, now, lease_id }: ClaimOptions,
  lanes: readonly Lane[],
  { rooms, most, shared, retries, which }: Wanted,
): Promise<Claimed[]> {
  const wanted = lanes.map((lane, i) => ({ ...lane, room: Math.max(0, rooms[i] ?? 0) }))
  // The bounds and the limit of one event say nothing new. Without them the planner, which may know nothing of a day's deliveries,
  // reads all of the clinic's.
  const { rows } = await tx.query<LeasedRow>(sql`
    with picked as materialized (
      select found.subscription_id, found.created_at, found.event_id
      from (select numbered.*, sum((place > kept)::int) over (order by due_at, event_id, subscription_id) as shared
        from (select counted.*, row_number() over (partition by subscription_id order by due_at, event_id) as place
          from (select due.*, input.kept,
            sum((due.attempt_count > 0)::int) over (order by due.due_at, due.event_id, due.subscription_id) as retries
          from ${sql.input(wanted, { text: ['subscription_id'], int: ['room', 'kept'], timestamptz: ['recovered_at'] })}
            cross join lateral (
              select d.subscription_id, d.created_at, d.event_id, d.due_at, d.attempt_count from delivery d
              where d.clinic_id = ${clinic_id} and d.subscription_id = input.subscription_id and ${which}
                and (d.lease_until is null or d.lease_until <= ${now})
              order by d.due_at limit input.room for update skip locked) due) counted
          where attempt_count = 0 or retries <= ${retries}) numbered) found
      where found.place <= found.kept or found.shared <= ${shared}
      order by found.due_at limit ${most})
    update delivery d set lease_id = ${lease_id}, lease_until = ${leaseEnd(now)}
    from picked cross join lateral (select body from event
      where event.clinic_id = ${clinic_id} and event.created_at = picked.created_at and event.id = picked.event_id limit 1) event
    where d.clinic_id = ${clinic_id} and d.subscription_id = picked.subscription_id and d.created_at = picked.created_at
      and d.event_id = picked.event_id
      and d.created_at between (select min(created_at) from picked) and (select max(created_at) from picked)
      and d.created_at = any(array(select created_at from picked))
      and d.subscription_id = any(array(select subscription_id from picked)) and d.event_id = any(array(select event_id from picked))
    returning d.subscription_id, d.event_id, d.created_at, d.event_type, event.body, d.attempt_count, d.automatic_count,
      d.scheduled_from, d.manual_from, d.scheduled_at, d.is_test`)
  const targets = new Map(lanes.map((lane) => [lane.subscription_id, lane]))
  return rows.flatMap((row) => {
    const target = targets.get(row.subscription_id)
    return target === undefined ? [] : [claimedOf(row, clinic_id, lease_id, target)]
  })
}

function claimedOf(row: LeasedRow, clinic_id: string, lease_id: string, lane: Lane): Claimed {
  const { url, secret, former_secrets } = lane
  return { ...row, clinic_id, lease_id, url, secret, former_secrets, emitted_at: dateOf(row.created_at) ?? new Date(0) }
}

/** Whether it is a second or later attempt that nobody requested. */
export const isRetry = ({ attempt_count, manual_from }: Claimed) => attempt_count > 0 && manual_from === null

function countByLane(claimed: readonly Claimed[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { subscription_id } of claimed) counts.set(subscription_id, (counts.get(subscription_id) ?? 0) + 1)
  return counts
}

/** The lanes' rows tell what is held of them. They are locked, so a claim that comes next sees this one. */
function hold(
  tx: Transaction,
  { clinic_id, lease_id, now }: ClaimOptions,
  lanes: readonly Lane[],
  claimed: readonly Claimed[],
): void {
  const taken = countByLane(claimed)
  const held = lanes.flatMap(({ subscription_id, leases }) => {
    const count = taken.get(subscription_id)
    return count === undefined ? [] : [[subscription_id, withLease(leases, lease_id, count, now)] as const]
  })
  storeLeases(tx, clinic_id, new Map(held))
}

async function endRecoveries(tx: Transaction, { clinic_id }: ClaimOptions, over: readonly Lane[]): Promise<void> {
  if (over.length === 0) return
  await tx.query(sql`update lane set recovered_at = null
    where clinic_id = ${clinic_id} and subscription_id = any(${over.map(({ subscription_id }) => subscription_id)}::text[])`)
}
