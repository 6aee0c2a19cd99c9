// Decides whether a subscription's endpoint works, and so how many attempts it gets at once. A pure function of its attempts'
// outcomes.
//
// Up to 8 attempts of a subscription run at once and finish in any order. One rule keeps old news from overriding newer: an outcome
// overrides only a verdict that existed when its attempt started.
//
// - A failure is ignored when its attempt started before the last 2xx arrived.
// - A 2xx whose attempt started before the circuit opened clears the counters (the endpoint did answer) and leaves the circuit
// open: the probe decides, at most 5 s later.
// - A failure that arrives while the circuit is open, from an attempt that started earlier, is counted but is not a probe. The same
// holds for an attempt that somebody requested: the next probe keeps its time.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Attempts of one subscription at once: what a small receiver's server handles without queueing. */
export const MAX_AT_ONCE = 8

/** Failures in a row that open the circuit. */
export const OPENING_FAILURES = 5

/**
 * The times from the opening to the first probe, and from each failed probe to the next. The last one repeats. With a minute, an
 * endpoint that is back waits no longer for its backlog, and one that stays away is asked 1,440 times a day.
 */
export const PROBE_STEPS_MS = [5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE] as const

/** The longest wait for a probe. */
export const LONGEST_PROBE_MS = PROBE_STEPS_MS[3]

/** All three must hold. Disabling is final (specification, Webhook subscription), so the bounds are wide. */
export const FAILING = { forMs: 72 * HOUR, exhausted_deliveries: 2, failed_attempts: 20 } as const

/** Two 410 answers this far apart are not an accident of a deployment. */
export const GONE_APART_MS = 30 * SECOND

/** The circuit of one subscription: a flat record with one field per column. */
export interface Circuit {
  /** When the last 2xx arrived. */
  readonly last_success_at: Date | null
  /** The first failure since the last 2xx. Null when there is none. */
  readonly failing_since: Date | null
  /** Failed attempts since the last 2xx, all in a row. */
  readonly failed_attempts: number
  /** Deliveries that failed for good since the last 2xx. */
  readonly exhausted_deliveries: number
  /** The first and the last 410 answer since the last 2xx. */
  readonly first_gone_at: Date | null
  readonly last_gone_at: Date | null
  /** Null while the circuit is closed. */
  readonly opened_at: Date | null
  /** No attempt starts before this time. Null while the circuit is closed. */
  readonly probe_at: Date | null
  readonly failed_probes: number
  /** The number of attempts that may run at once while the circuit is closed: 1, 2, 4 or 8. */
  readonly at_once: number
}

const clear = {
  failing_since: null,
  failed_attempts: 0,
  exhausted_deliveries: 0,
  first_gone_at: null,
  last_gone_at: null,
} as const

const closed = { opened_at: null, probe_at: null, failed_probes: 0 } as const

/** The circuit of a new subscription. */
export const newCircuit: Circuit = { last_success_at: null, ...clear, ...closed, at_once: MAX_AT_ONCE }

/** The circuit of a new address. */
export const movedCircuit: Circuit = { ...newCircuit, at_once: 1 }

/** The result of one attempt, manual ones included. */
export interface CircuitOutcome {
  /** By the same clock as `atOnce`. Otherwise a probe could seem older than the opening. */
  readonly started_at: Date
  /** The HTTP status of the answer. Null when none came. Only 2xx is a success. */
  readonly response_status: number | null
  /** Whether the delivery failed for good with this attempt. */
  readonly exhausted: boolean
  /** Whether the attempt bypassed the circuit because somebody requested it. */
  readonly is_urgent: boolean
}

/**
 * The circuit after an outcome that arrived at `now`. `recovered` means that this 2xx closed it: the deliveries that wait for a
 * retry are then due at once, oldest first.
 */
export function afterAttempt(
  circuit: Circuit,
  outcome: CircuitOutcome,
  now: Date,
): { circuit: Circuit; recovered: boolean } {
  const { response_status, started_at } = outcome
  if (response_status === null || response_status < 200 || response_status > 299) {
    return { circuit: afterFailure(circuit, outcome, now), recovered: false }
  }
  const cleared: Circuit = { ...circuit, ...clear, last_success_at: later(circuit.last_success_at, now) }
  if (circuit.opened_at === null) {
    return { circuit: { ...cleared, at_once: Math.min(circuit.at_once * 2, MAX_AT_ONCE) }, recovered: false }
  }
  if (started_at < circuit.opened_at) return { circuit: cleared, recovered: false }
  return { circuit: { ...cleared, ...closed, at_once: 1 }, recovered: true }
}

function afterFailure(circuit: Circuit, outcome: CircuitOutcome, now: Date): Circuit {
  const probed = afterProbe(circuit, outcome, now)
  if (circuit.last_success_at !== null && outcome.started_at < circuit.last_success_at) return probed
  const gone = outcome.response_status === 410
  const counted: Circuit = {
    ...probed,
    failing_since: circuit.failing_since ?? now,
    failed_attempts: circuit.failed_attempts + 1,
    exhausted_deliveries: circuit.exhausted_deliveries + (outcome.exhausted ? 1 : 0),
    first_gone_at: gone ? (circuit.first_gone_at ?? now) : circuit.first_gone_at,
    last_gone_at: gone ? now : circuit.last_gone_at,
    // After a failure while the number still rises, it starts again from 1.
    at_once: circuit.at_once < MAX_AT_ONCE ? 1 : MAX_AT_ONCE,
  }
  if (circuit.opened_at !== null || counted.failed_attempts < OPENING_FAILURES) return counted
  return { ...counted, opened_at: now, probe_at: plus(now, PROBE_STEPS_MS[0]), failed_probes: 0 }
}

/** Attempts that started while the circuit was open are its probes. */
function afterProbe(circuit: Circuit, { started_at, is_urgent }: CircuitOutcome, now: Date): Circuit {
  if (circuit.opened_at === null || is_urgent || started_at < circuit.opened_at) return circuit
  const failed_probes = Math.min(circuit.failed_probes + 1, PROBE_STEPS_MS.length - 1)
  return { ...circuit, failed_probes, probe_at: plus(now, PROBE_STEPS_MS[failed_probes] ?? 0) }
}

/** The circuit after deliveries passed their horizon without an attempt (`circuit_open`). */
export function afterExpiry(circuit: Circuit, deliveries: number): Circuit {
  if (circuit.failing_since === null) return circuit
  return { ...circuit, exhausted_deliveries: circuit.exhausted_deliveries + deliveries }
}

/** The number of attempts of the subscription that may run at `now`, including those already running. */
export function atOnce({ probe_at, at_once }: Circuit, now: Date): number {
  if (probe_at === null) return at_once
  return now < probe_at ? 0 : 1
}

export type DisabledReason = 'endpoint_gone' | 'endpoint_failing'

/** Whether to disable the subscription, and why. Call this after each failure. */
export function mustDisable(circuit: Circuit, now: Date): DisabledReason | null {
  const { failing_since, first_gone_at, last_gone_at } = circuit
  if (first_gone_at !== null && last_gone_at !== null && between(first_gone_at, last_gone_at) >= GONE_APART_MS) {
    return 'endpoint_gone'
  }
  const failing =
    failing_since !== null &&
    between(failing_since, now) >= FAILING.forMs &&
    circuit.exhausted_deliveries >= FAILING.exhausted_deliveries &&
    circuit.failed_attempts >= FAILING.failed_attempts
  return failing ? 'endpoint_failing' : null
}

/** The text of the subscription's `disabled_reason`. */
export const disabledReasons: Readonly<Record<DisabledReason, string>> = {
  endpoint_gone: `The endpoint answered 410 twice, at least ${GONE_APART_MS / SECOND} seconds apart.`,
  endpoint_failing: `The endpoint has answered no delivery with 2xx for at least ${FAILING.forMs / HOUR} hours.`,
}

function plus(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

function between(from: Date, to: Date): number {
  return to.getTime() - from.getTime()
}

/** Outcomes of several processes do not arrive exactly in clock order. */
function later(stored: Date | null, now: Date): Date {
  return stored !== null && stored > now ? stored : now
}
