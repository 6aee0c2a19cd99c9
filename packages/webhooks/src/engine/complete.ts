// Stores the outcomes of attempts: the deliveries' new states, the attempts, the circuits. Disables subscriptions that keep
// failing.
import { type Database, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import type { SentEvent } from '../events/event-body.ts'
import { addToHours, type CountedAttempt } from '../subscriptions/attempt-hours.ts'
import { afterAttempt } from '../subscriptions/circuit.ts'
import { disableFailing } from '../subscriptions/disable.ts'
import { dateOf, type Lane, lockLanes, type StoredLane, storeLanes } from '../subscriptions/lane.ts'
import { type Returned, withoutReturned } from '../subscriptions/leases.ts'
import type { Claimed } from './claim.ts'
import { nextAttemptAt } from './retry-schedule.ts'

/** The error of an attempt that failed on our side, because a secret cannot be opened, say. */
export const OWN_FAULT = 'internal'

/** One POST, sent or given up. */
export interface Attempted {
  readonly claimed: Claimed
  readonly started_at: Date
  readonly duration_ms: number
  readonly response_status: number | null
  /** The class of the failure. Null for 2xx. */
  readonly error: string | null
  readonly retry_after_seconds: number | null
}

/** A request that was written, at least in part: the receiver may have all of it, whatever became of the attempt. */
export interface HandedOver {
  readonly event: SentEvent
  readonly started_at: Date
  readonly duration_ms: number
  readonly response_status: number | null
}

/** The result of a claimed delivery. */
export type DeliveryOutcome = (Attempted | { readonly claimed: Claimed; readonly unstarted: true }) & {
  readonly handed_over?: HandedOver
}

/** Puts on record what was handed over to whom. The outcomes are stored when it has resolved. */
export type RecordHandedOver = (handed: readonly (HandedOver & { readonly claimed: Claimed })[]) => Promise<void>

export interface Completion {
  /** Outcomes whose lease had expired. Another worker has the delivery, so nothing was changed. */
  readonly stale: number
  readonly delivered: number
  readonly failed: number
  /** Subscriptions whose endpoints have recovered. */
  readonly recovered: readonly string[]
  readonly disabled: readonly string[]
}

export interface Clock {
  readonly now: Date
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Stores the outcomes of one clinic, in the order in which they arrived. */
export function complete(
  database: Database,
  clinic_id: string,
  outcomes: readonly DeliveryOutcome[],
  clock: Clock,
): Promise<Completion> {
  const attempted = outcomes.filter((outcome): outcome is Attempted => !('unstarted' in outcome))
  const unstarted = outcomes.filter((outcome) => 'unstarted' in outcome).map(({ claimed }) => claimed)
  const store = async (tx: Transaction): Promise<Completion> => {
    // Locks lanes before deliveries, like everywhere else. One order prevents deadlocks.
    const subscriptions = [...new Set(outcomes.map(({ claimed }) => claimed.subscription_id))].sort()
    const locked = lockLanes(tx, clinic_id, subscriptions)
    const urls = urlsOf(tx, clinic_id, subscriptions)
    const released = await release(tx, clinic_id, unstarted)
    const decided = attempted.map((outcome) => decide(outcome, clock))
    const valid = await storeStates(tx, clinic_id, decided, clock.now)
    storeAttempts(tx, clinic_id, valid)
    addToHours(tx, clinic_id, counted(valid))
    const lanes = locked()
    const present = urls()
    const ofPresent = valid.filter(({ outcome: { claimed } }) => present.get(claimed.subscription_id) === claimed.url)
    const judged = judge(lanes, ofPresent, clock)
    const returned = [...released, ...valid.map(({ outcome }) => outcome.claimed)]
    storeLanes(tx, clinic_id, returnHeld(lanes, judged, returned))
    return {
      stale: attempted.length - valid.length,
      delivered: valid.filter(({ outcome }) => outcome.error === null).length,
      failed: valid.filter(({ state }) => state.status === 'failed').length,
      recovered: judged.flatMap(({ subscription_id, recovered_at }) => (recovered_at ? subscription_id : [])),
      disabled: await disableFailing(tx, clinic_id, judged, clock.now),
    }
  }
  // Planning the statements over all days costs more than running them.
  return database.write(utcSession(clinic_id), store, { plansOnce: true })
}

/**
 * The subscriptions' addresses, with the transaction's next statement. A change of one holds its lane, so behind the lanes' lock they
 * are the present ones: an attempt at a former one says nothing about them.
 *
 * @returns a function for them. It throws before a statement was awaited.
 */
function urlsOf(tx: Transaction, clinic_id: string, subscription_ids: readonly string[]): () => Map<string, string> {
  const read = tx.send<{ id: string; url: string }>(sql`select id, url from subscription
    where clinic_id = ${clinic_id} and id = any(${subscription_ids}::text[])`)
  return () => new Map(read().rows.map(({ id, url }) => [id, url]))
}

/** @returns the lanes whose endpoints were attempted, as they are afterwards. */
function judge(lanes: ReadonlyMap<string, Lane>, valid: readonly Decided[], { now }: Clock): StoredLane[] {
  const judged = new Map<string, StoredLane>()
  for (const { outcome, state } of valid) {
    // This error says nothing about the receiver.
    if (outcome.error === OWN_FAULT) continue
    const { subscription_id } = outcome.claimed
    const before = judged.get(subscription_id)
    const circuit = before?.circuit ?? lanes.get(subscription_id)?.circuit
    if (circuit === undefined) continue
    const report = { ...outcome, exhausted: state.status === 'failed', is_urgent: wasUrgent(outcome.claimed) }
    const after = afterAttempt(circuit, report, now)
    const recovered_at = after.recovered ? now : (before?.recovered_at ?? null)
    judged.set(subscription_id, { subscription_id, circuit: after.circuit, recovered_at, leases: null })
  }
  return [...judged.values()]
}

/** @returns all lanes without these deliveries. */
function returnHeld(
  lanes: ReadonlyMap<string, Lane>,
  judged: readonly StoredLane[],
  returned: readonly Returned[],
): StoredLane[] {
  const known = new Map(judged.map((lane) => [lane.subscription_id, lane]))
  const bySubscription = Map.groupBy(returned, ({ subscription_id }) => subscription_id)
  return [...lanes].map(([subscription_id, { circuit, leases }]) => ({
    ...(known.get(subscription_id) ?? { subscription_id, circuit, recovered_at: null }),
    leases: withoutReturned(
      leases,
      (bySubscription.get(subscription_id) ?? []).map(({ lease_id }) => lease_id),
    ),
  }))
}

/** Whether it was claimed past its circuit. */
function wasUrgent({ manual_from, is_test, attempt_count }: Claimed): boolean {
  return manual_from !== null || (is_test && attempt_count === 0)
}

interface State {
  status: 'pending' | 'delivered' | 'failed'
  due_at: Date | string | null
  automatic_count: number
}

interface Decided {
  outcome: Attempted
  state: State
}

/** A failed manual attempt leaves the delivery as it was and does not use up the schedule. */
function decide(outcome: Attempted, { now, random }: Clock): Decided {
  const { claimed, error, response_status, retry_after_seconds } = outcome
  const { automatic_count, manual_from } = claimed
  if (error === null) {
    return {
      outcome,
      state: { status: 'delivered', due_at: null, automatic_count: automatic_count + (manual_from ? 0 : 1) },
    }
  }
  if (manual_from !== null) {
    const due_at = manual_from === 'pending' ? claimed.scheduled_at : null
    return { outcome, state: { status: manual_from, due_at, automatic_count } }
  }
  const attempts = automatic_count + 1
  const createdAt = dateOf(claimed.scheduled_from ?? claimed.created_at) ?? now
  const due_at = nextAttemptAt(
    { createdAt, attempts, responseStatus: response_status, retryAfterSeconds: retry_after_seconds },
    now,
    random,
  )
  return { outcome, state: { status: due_at === null ? 'failed' : 'pending', due_at, automatic_count: attempts } }
}

/** A value, so that the statement cannot match the index of pending deliveries. */
const PENDING = 'pending'

/** Only the holder of the lease changes a delivery. @returns the changed ones in the given order. */
async function storeStates(
  tx: Transaction,
  clinic_id: string,
  decided: readonly Decided[],
  now: Date,
): Promise<Decided[]> {
  if (decided.length === 0) return []
  const states = decided.map(({ outcome, state }, number) => ({ ...outcome.claimed, ...outcome, ...state, number }))
  const { rows } = await tx.query<{ number: number }>(sql`
    update delivery d set status = input.status, due_at = input.due_at, automatic_count = input.automatic_count,
      attempt_count = d.attempt_count + 1, lease_id = null, lease_until = null, manual_from = null, scheduled_at = null,
      last_attempt_at = input.started_at, delivered_at = case when input.status = 'delivered' then coalesce(d.delivered_at, ${now}::timestamptz) end,
      response_status = input.response_status, error = input.error
    from ${sql.input(states, {
      text: ['subscription_id', 'event_id', 'lease_id', 'status', 'error'],
      timestamptz: ['created_at', 'due_at', 'started_at'],
      int: ['automatic_count', 'response_status', 'number'],
    })}
    where ${byKey(clinic_id, states)} and d.lease_id = input.lease_id and d.status = ${PENDING}
    returning input.number`)
  const changed = new Set(rows.map(({ number }) => number))
  return decided.filter((_, number) => changed.has(number))
}

/** With the transaction's next statement, or with its commit. */
function storeAttempts(tx: Transaction, clinic_id: string, valid: readonly Decided[]): void {
  if (valid.length === 0) return
  const attempts = valid.map(({ outcome: { claimed, started_at, ...attempt } }) => ({
    ...claimed,
    ...attempt,
    attempted_at: started_at,
    number: claimed.attempt_count + 1,
    trigger: wasUrgent(claimed) ? 'manual' : 'automatic',
  }))
  tx.send(sql`
    insert into attempt (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms,
      response_status, error)
    select lane.clinic_id, lane.subscription_id, input.event_id, input.created_at, input.number, input.trigger,
      input.attempted_at, input.duration_ms, input.response_status, input.error
    from lane join ${sql.input(attempts, {
      text: ['subscription_id', 'event_id', 'trigger', 'error'],
      timestamptz: ['created_at', 'attempted_at'],
      int: ['number', 'duration_ms', 'response_status'],
    })} on input.subscription_id = lane.subscription_id
    where lane.clinic_id = ${clinic_id}`)
}

/** Our own faults say nothing about the receiver. */
function counted(valid: readonly Decided[]): CountedAttempt[] {
  return valid
    .filter(({ outcome }) => outcome.error !== OWN_FAULT)
    .map(({ outcome }) => ({ ...outcome, subscription_id: outcome.claimed.subscription_id }))
}

/** Returns claimed deliveries that were not sent, as if they had not been claimed. @returns those that were still held. */
async function release(tx: Transaction, clinic_id: string, claimed: readonly Claimed[]): Promise<readonly Returned[]> {
  if (claimed.length === 0) return []
  const { rows } = await tx.query<Returned>(sql`
    update delivery d set lease_id = null, lease_until = null
    from ${sql.input(claimed, { text: ['subscription_id', 'event_id', 'lease_id'], timestamptz: ['created_at'] })}
    where ${byKey(clinic_id, claimed)} and d.lease_id = input.lease_id
    returning input.subscription_id, input.lease_id`)
  return rows
}

/**
 * A condition on the relations `d` (rows of `delivery`) and `input` (the claimed). The bounds say nothing new. Without them the
 * planner, which may know nothing of a day's deliveries, reads all of the clinic's for each statement.
 */
function byKey(clinic_id: string, claimed: readonly Claimed[]): Statement {
  const times = claimed.map(({ emitted_at }) => emitted_at.getTime())
  // A Date has no microseconds.
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times) + 1)]
  const instants = [...new Set(claimed.map(({ created_at }) => created_at))]
  const subscriptions = [...new Set(claimed.map(({ subscription_id }) => subscription_id))]
  const events = [...new Set(claimed.map(({ event_id }) => event_id))]
  return sql`d.clinic_id = ${clinic_id}
    and d.subscription_id = input.subscription_id and d.created_at = input.created_at and d.event_id = input.event_id
    and d.created_at between ${first} and ${last} and d.created_at = any(${instants}::timestamptz[])
    and d.subscription_id = any(${subscriptions}::text[]) and d.event_id = any(${events}::text[])`
}
