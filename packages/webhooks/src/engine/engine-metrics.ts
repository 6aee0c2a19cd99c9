// The engine's measurements: durations of deliveries, outcomes of attempts, the backlog. They name no clinic and no subscription.

import { type Database, sql } from '@clinic-data/database'
import { type BatchObservableResult, metrics } from '@opentelemetry/api'
import type { Completion, DeliveryOutcome } from './complete.ts'

/** Created together with the engine: by then the process's meters are set up. */
export class EngineMetrics {
  readonly #latency
  readonly #attempts
  readonly #leaseExpired
  readonly #recovered
  readonly #disabled

  /** @param now the engine's clock, by which deliveries are due. */
  constructor(database: Database, now: () => Date) {
    const meter = metrics.getMeter('clinic-data-webhooks')
    this.#latency = meter.createHistogram('delivery_latency_seconds', {
      unit: 's',
      description: 'From an event to the end of the first attempt, where that delivered it.',
      advice: { explicitBucketBoundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
    })
    this.#attempts = meter.createCounter('delivery_attempts', { description: 'Attempts, by what they came to.' })
    this.#leaseExpired = meter.createCounter('lease_expired', {
      description: 'Outcomes that came after their lease had run out, and changed nothing.',
    })
    this.#recovered = meter.createCounter('circuit_recovered', { description: 'Endpoints that came back.' })
    this.#disabled = meter.createCounter('subscription_disabled', { description: 'Subscriptions that were disabled.' })

    const backlog = meter.createObservableGauge('lane_backlog', { description: 'Deliveries that are due and wait.' })
    const oldest = meter.createObservableGauge('lane_oldest_due_seconds', {
      unit: 's',
      description: 'How long the delivery that has waited longest has been due.',
    })
    const open = meter.createObservableGauge('circuit_state', { description: 'Circuits that are open.' })
    const observe = async (result: BatchObservableResult) => {
      const waiting = await waitingNow(database, now())
      result.observe(backlog, waiting.due)
      result.observe(oldest, waiting.oldest_seconds)
      result.observe(open, waiting.open_circuits)
    }
    // While the database cannot be reached there is nothing to observe.
    meter.addBatchObservableCallback((result) => observe(result).catch(() => undefined), [backlog, oldest, open])
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

interface Waiting {
  due: number
  oldest_seconds: number
  open_circuits: number
}

async function waitingNow(database: Database, now: Date): Promise<Waiting> {
  const [due] = await database.readAsDispatcher<Pick<Waiting, 'due' | 'oldest_seconds'>>(sql`
    select count(*)::int as due, coalesce(extract(epoch from ${now}::timestamptz - min(due_at)), 0)::float8 as oldest_seconds
    from delivery where status = 'pending' and due_at <= ${now}`)
  const [lanes] = await database.readAsDispatcher<Pick<Waiting, 'open_circuits'>>(sql`
    select count(*)::int as open_circuits from lane where opened_at is not null`)
  return {
    due: due?.due ?? 0,
    oldest_seconds: due?.oldest_seconds ?? 0,
    open_circuits: lanes?.open_circuits ?? 0,
  }
}
