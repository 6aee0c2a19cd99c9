// Claims deliveries as other engines do, for comparison with ours: always the oldest due one of all subscriptions, while a slot is
// free. Sending, storing and the number of slots are ours.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, sql } from '@clinic-data/database'
import type { Claimed } from '@clinic-data/webhooks/engine/claim'
import { complete } from '@clinic-data/webhooks/engine/complete'
import type { Sent } from '@clinic-data/webhooks/engine/dispatcher'
import { AT_ONCE, SCAN_MS } from '@clinic-data/webhooks/engine/engine-limits'
import { OutcomeQueue } from '@clinic-data/webhooks/engine/outcome-queue'
import { LEASE_MS } from '@clinic-data/webhooks/subscriptions/leases'

export interface GlobalQueueOptions {
  /** Can see every clinic. */
  readonly owner: Database
  readonly database: Database
  readonly send: (claimed: Claimed) => Promise<Sent>
}

/** The maximum of one claim, so that the first deliveries do not wait for the rest. */
const MOST_CLAIMED = 64

export class GlobalQueue {
  readonly #options: GlobalQueueOptions
  readonly #outcomes: OutcomeQueue
  #inFlight = 0
  #isClaiming = false
  #isWanted = false

  constructor(options: GlobalQueueOptions) {
    this.#options = options
    this.#outcomes = new OutcomeQueue({
      store: async (clinic_id, outcomes) => {
        await complete(options.database, clinic_id, outcomes, { now: new Date(), random: Math.random })
        this.wake()
      },
      onFailure: (error) => process.stderr.write(`${error}\n`),
      onLost: () => undefined,
      pause: (ms) => delay(ms),
      deadline: new AbortController().signal,
    })
  }

  start(): void {
    setInterval(() => this.wake(), SCAN_MS)
    this.wake()
  }

  wake(): void {
    this.#isWanted = true
    if (!this.#isClaiming) void this.#claimAll()
  }

  async #claimAll(): Promise<void> {
    this.#isClaiming = true
    while (this.#isWanted && this.#inFlight < AT_ONCE.process) {
      this.#isWanted = false
      const most = Math.min(MOST_CLAIMED, AT_ONCE.process - this.#inFlight)
      const claimed = await this.#claim(most)
      if (claimed.length === most) this.#isWanted = true
      for (const delivery of claimed) void this.#attempt(delivery)
    }
    this.#isClaiming = false
  }

  async #claim(most: number): Promise<Claimed[]> {
    const now = new Date()
    const statement = sql`
      with due as materialized (
        select clinic_id, subscription_id, created_at, event_id from delivery
        where status = 'pending' and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        order by due_at limit ${most} for update skip locked)
      update delivery d set lease_id = ${randomUUID()}, lease_until = ${new Date(now.getTime() + LEASE_MS)}
      from due join event on event.clinic_id = due.clinic_id and event.created_at = due.created_at and event.id = due.event_id
        join subscription on subscription.clinic_id = due.clinic_id and subscription.id = due.subscription_id
      where d.clinic_id = due.clinic_id and d.subscription_id = due.subscription_id and d.created_at = due.created_at
        and d.event_id = due.event_id
      returning d.clinic_id, d.subscription_id, d.event_id, d.created_at, d.event_type, event.body, subscription.url,
        subscription.secret, d.lease_id, d.attempt_count, d.automatic_count, d.scheduled_from, d.manual_from, d.scheduled_at`
    const rows = await this.#options.owner.maintain(async (tx) => {
      // Like ours: a claim does not wait for the disk.
      await tx.script('set local synchronous_commit = off')
      return (await tx.query<Omit<Claimed, 'emitted_at'>>(statement)).rows
    })
    return rows.map((row) => ({ ...row, emitted_at: now }))
  }

  async #attempt(claimed: Claimed): Promise<void> {
    this.#inFlight += 1
    const started_at = new Date()
    const sent = await this.#options.send(claimed)
    this.#inFlight -= 1
    this.#outcomes.add({ claimed, started_at, ...sent })
  }
}
