// The engine's measurements: durations of deliveries, outcomes of attempts, the backlog. They name no clinic and no subscription.
import { type Database, sql } from '@clinic-data/database'
import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import { Pump } from '../pump.ts'
import { dateOf } from '../subscriptions/lane.ts'
import type { Completion, DeliveryOutcome } from './complete.ts'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const ENGINE_METRICS = {
  latency: {
    name: 'delivery_latency',
    kind: 'histogram',
    unit: 's',
    labels: [],
    description: 'From an event to the end of the first attempt, where that delivered it.',
  },
  attempts: {
    name: 'delivery_attempts',
    kind: 'counter',
    unit: '{attempt}',
    labels: ['outcome'],
    description: 'Attempts, by what they came to: `delivered`, or the kind of failure.',
  },
  inFlight: {
    name: 'delivery_attempts_in_flight',
    kind: 'gauge',
    unit: '{attempt}',
    labels: [],
    description: 'Deliveries that are being attempted, with the room that claims under way have reserved.',
  },
  leaseExpired: {
    name: 'lease_expired',
    kind: 'counter',
    unit: '{outcome}',
    labels: [],
    description: 'Outcomes that came after their lease had run out, and changed nothing.',
  },
  recovered: {
    name: 'circuit_recovered',
    kind: 'counter',
    unit: '{endpoint}',
    labels: [],
    description: 'Endpoints that came back.',
  },
  disabled: {
    name: 'subscription_disabled',
    kind: 'counter',
    unit: '{subscription}',
    labels: [],
    description: 'Subscriptions that were disabled.',
  },
  backlog: {
    name: 'lane_backlog',
    kind: 'gauge',
    unit: '{delivery}',
    labels: [],
    description: 'Deliveries that are due and wait, at most 1,000 counted for each subscription. Looked at every 15 s.',
  },
  oldest: {
    name: 'lane_oldest_due',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description:
      'How long the delivery that has waited longest has been due, among the endpoints that work (their circuits are closed). Looked at every 15 s.',
  },
  openCircuits: {
    name: 'lane_open_circuits',
    kind: 'gauge',
    unit: '{circuit}',
    labels: [],
    description: 'Circuits that are open: endpoints of clients that fail. Looked at every 15 s.',
  },
} as const

const LOOK_MS = 15_000
const MOST_COUNTED = 1_000

interface Lanes {
  due: number
  oldest_due_at: Date | null
  open_circuits: number
}

/** Created together with the engine: by then the process's meters are set up. */
export class EngineMetrics {
  readonly #latency
  readonly #attempts
  readonly #leaseExpired
  readonly #recovered
  readonly #disabled
  readonly #pump: Pump
  /** As they were at the last look. Null while the database cannot be reached: then there is nothing to observe. */
  #lanes: Lanes | null = null

  /**
   * @param now the engine's clock, by which deliveries are due.
   * @param inFlight the number of attempts under way.
   */
  constructor(database: Database, now: () => Date, inFlight: () => number) {
    const meter = metrics.getMeter('clinic-data-webhooks')
    const of = ENGINE_METRICS
    this.#latency = meter.createHistogram(of.latency.name, {
      ...of.latency,
      advice: { explicitBucketBoundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
    })
    this.#attempts = meter.createCounter(of.attempts.name, of.attempts)
    this.#leaseExpired = meter.createCounter(of.leaseExpired.name, of.leaseExpired)
    this.#recovered = meter.createCounter(of.recovered.name, of.recovered)
    this.#disabled = meter.createCounter(of.disabled.name, of.disabled)
    const running = meter.createObservableGauge(of.inFlight.name, of.inFlight)
    const backlog = meter.createObservableGauge(of.backlog.name, of.backlog)
    const oldest = meter.createObservableGauge(of.oldest.name, of.oldest)
    const open = meter.createObservableGauge(of.openCircuits.name, of.openCircuits)
    const observe = (result: BatchObservableResult) => {
      result.observe(running, inFlight())
      if (this.#lanes === null) return
      const { due, oldest_due_at, open_circuits } = this.#lanes
      result.observe(backlog, due)
      result.observe(
        oldest,
        oldest_due_at === null ? 0 : Math.max(0, (now().getTime() - oldest_due_at.getTime()) / 1000),
      )
      result.observe(open, open_circuits)
    }
    meter.addBatchObservableCallback(observe, [running, backlog, oldest, open])
    this.#pump = new Pump({
      scan: async () => {
        this.#lanes = await lanesNow(database, now())
      },
      everyMs: LOOK_MS,
      // The engine's own scan fails too, and says so.
      onScanFailure: () => {
        this.#lanes = null
      },
    })
  }

  start(): void {
    this.#pump.start()
  }

  async stop(): Promise<void> {
    this.#pump.stop()
    await this.#pump.idle()
  }

  countCompleted(outcomes: readonly DeliveryOutcome[], completion: Completion): void {
    for (const outcome of outcomes) {
      if ('unstarted' in outcome) continue
      const { claimed, error, started_at, duration_ms } = outcome
      this.#attempts.add(1, { outcome: error ?? 'delivered' })
      if (error !== null || claimed.attempt_count > 0) continue
      this.#latency.record(Math.max(0, (started_at.getTime() + duration_ms - claimed.emitted_at.getTime()) / 1000))
    }
    this.#leaseExpired.add(completion.stale)
    this.#recovered.add(completion.recovered.length)
    this.#disabled.add(completion.disabled.length)
  }
}

/** Reads the head of each lane, never a whole backlog. */
async function lanesNow(database: Database, now: Date): Promise<Lanes> {
  const [lanes] = await database.readAsDispatcher<Omit<Lanes, 'oldest_due_at'> & { oldest_due_at: string | null }>(sql`
    select coalesce(sum(waiting.due), 0)::int as due,
      min(waiting.oldest_due_at) filter (where lane.opened_at is null) as oldest_due_at,
      count(*) filter (where lane.opened_at is not null)::int as open_circuits
    from lane cross join lateral (
      select count(*) as due, min(head.due_at) as oldest_due_at from (
        select d.due_at from delivery d
        where d.clinic_id = lane.clinic_id and d.subscription_id = lane.subscription_id and d.status = 'pending'
          and d.due_at <= ${now}
        order by d.due_at limit ${MOST_COUNTED}) head) waiting
    where not lane.is_stopped`)
  const { due = 0, oldest_due_at = null, open_circuits = 0 } = lanes ?? {}
  return { due, oldest_due_at: dateOf(oldest_due_at), open_circuits }
}
