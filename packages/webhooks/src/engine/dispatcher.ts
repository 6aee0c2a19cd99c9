// The delivery engine: finds due deliveries, sends them, stores the outcomes. Many engines can work on one database.
//
// A clinic is served when somebody wakes the engine for it, when one of its lanes had more than fitted, or when the scan over all
// clinics finds due deliveries. Clinics take turns, and within a claim so do subscriptions.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@clinic-data/database'
import { readEvent } from '../events/event-body.ts'
import { FailureLog } from '../failure-log.ts'
import { Pump } from '../pump.ts'
import { type Claimed, claimDue, isRetry } from './claim.ts'
import {
  type Completion,
  complete,
  type DeliveryOutcome,
  type HandedOver,
  OWN_FAULT,
  type RecordHandedOver,
} from './complete.ts'
import { dueClinics } from './due-clinics.ts'
import { AT_ONCE, CLAIMS_AT_ONCE, MOST_CLINICS, RETRIES_AT_ONCE, SCAN_MS } from './engine-limits.ts'
import { FutureTimes } from './future-times.ts'
import { Heartbeat } from './heartbeat.ts'
import { roomOf } from './kept-places.ts'
import { OutcomeQueue } from './outcome-queue.ts'
import { releaseLost } from './release-leases.ts'
import { StartWindow } from './start-window.ts'
import { UnderWay } from './under-way.ts'

export interface Log {
  warn(detail: object, line: string): void
  error(detail: object, line: string): void
}

/** The parts of an attempt's outcome that the engine needs. */
export interface Sent {
  readonly response_status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly retry_after_seconds: number | null
}

export interface DispatcherOptions {
  /** Opened with the application's role. */
  readonly database: Database
  /** Sends one POST. Never rejects because of a receiver. Just before writing the request, it asks whether it may start. */
  readonly send: (claimed: Claimed, signal: AbortSignal, mayStart: () => boolean, startedAt: Date) => Promise<Sent>
  /** Puts on record what was handed over to whom, also if another worker has the delivery by now. */
  readonly record?: RecordHandedOver
  readonly log: Log
  readonly now?: () => Date
  readonly random?: () => number
  /** Aborted when the process that stops waits for the database no longer. */
  readonly deadline?: AbortSignal
  /** Called with the stored outcomes, for measurements. */
  readonly onCompleted?: (outcomes: readonly DeliveryOutcome[], completion: Completion) => void
}

interface Clinic {
  in_flight: number
  /** Second and later attempts among them. */
  retries: number
  /** True while outcomes of the clinic are being stored. */
  isStoring: boolean
  /** More may be due. Ask again when one of the clinic's attempts has ended. */
  hasMore: boolean
  /** Subscriptions that may have more due. Ask again when one of their attempts has ended. */
  full: ReadonlySet<string>
}

export class Dispatcher {
  readonly #options: Required<Omit<DispatcherOptions, 'onCompleted' | 'record'>> &
    Pick<DispatcherOptions, 'onCompleted' | 'record'>
  readonly #outcomes: OutcomeQueue
  readonly #futureTimes: FutureTimes
  readonly #pump: Pump
  readonly #heartbeat: Heartbeat
  readonly #failures: FailureLog
  /** Clinics with attempts under way or deliveries to claim. */
  readonly #clinics = new Map<string, Clinic>()
  readonly #underWay = new UnderWay()
  readonly #worker = randomUUID()
  #inFlight = 0
  #retries = 0

  constructor(options: DispatcherOptions) {
    this.#options = { now: () => new Date(), random: Math.random, deadline: new AbortController().signal, ...options }
    this.#futureTimes = new FutureTimes(options.database, options.log)
    this.#pump = new Pump({
      scan: () => this.#scan(),
      everyMs: SCAN_MS,
      onScanFailure: (error) =>
        this.#failures.failed({ err: error }, 'due deliveries could not be looked for; the next look tries again'),
      serve: (clinic_id) => this.#claim(clinic_id, this.#clinic(clinic_id)),
      hasRoom: () => this.#pump.serving < CLAIMS_AT_ONCE && this.#inFlight < AT_ONCE.process,
      // Claiming and storing both lock the clinic's lanes, and a claim skips locked lanes.
      mayServe: (clinic_id) => this.#clinics.get(clinic_id)?.isStoring !== true && this.#room(clinic_id) > 0,
    })
    const { database, log, deadline } = this.#options
    this.#failures = new FailureLog(log)
    const worker = this.#worker
    this.#heartbeat = new Heartbeat({
      database,
      log,
      worker,
      onReleased: (one) => this.wake(one),
      failures: this.#failures,
    })
    this.#outcomes = new OutcomeQueue({
      record: options.record,
      store: (clinic_id, outcomes) => this.#complete(clinic_id, outcomes),
      onFailure: (error) => this.#failures.failed({ err: error }, UNSTORED),
      onLost: (outcomes) => log.error({ deliveries: outcomes.map(nameOf) }, UNRECORDED),
      pause: (ms) => delay(ms),
      deadline,
    })
    deadline.addEventListener('abort', () => {
      this.#pump.stop()
      this.#underWay.breakOff()
    })
  }

  /** Scans all clinics repeatedly, and says that it lives, until `stop`. */
  start(): void {
    this.#heartbeat.start()
    this.#pump.start()
  }

  /** Says that the clinic may have due deliveries. */
  wake(clinic_id: string): void {
    this.#pump.wake(clinic_id)
  }

  /** Scans all clinics for due deliveries. */
  scan(): Promise<void> {
    return this.#pump.scan()
  }

  /** Attempts under way, and places that claims have reserved. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Resolves when nothing is under way and all due deliveries that were found are sent and stored. */
  async idle(): Promise<void> {
    // Attempts that have just ended are no longer under way, but their outcomes are not stored yet.
    do {
      await this.#pump.idle()
      await this.#outcomes.settled()
    } while (!this.#pump.isIdle)
  }

  /** Starts nothing more for the subscription and breaks off its running attempts. */
  end(clinic_id: string, subscription_id: string): void {
    this.#underWay.end({ clinic_id, subscription_id })
  }

  /** Claims nothing more, breaks off unanswered attempts after the grace period, and stores the outcomes until the deadline. */
  async stop(graceMs: number): Promise<void> {
    this.#pump.stop()
    const timer = setTimeout(() => this.#underWay.breakOff(), graceMs)
    await this.idle()
    clearTimeout(timer)
    await this.#heartbeat.stop()
  }

  async #scan(): Promise<void> {
    const { database, now } = this.#options
    const at = now()
    await this.#futureTimes.end(at)
    for (const clinic_id of await dueClinics(database, at, MOST_CLINICS)) this.wake(clinic_id)
    this.#failures.succeeded(this.#outcomes.isFailing ? [UNSTORED] : [])
  }

  async #claim(clinic_id: string, clinic: Clinic): Promise<void> {
    const { database, now } = this.#options
    clinic.hasMore = false
    let most = this.#room(clinic_id)
    let retries = roomOf(RETRIES_AT_ONCE, { clinic: clinic.retries, process: this.#retries })
    const lease_id = `${this.#worker} ${randomUUID()}`
    // Reserves room, so that concurrent claims do not use it too.
    this.#inFlight += most
    this.#retries += retries
    try {
      const claimedAt = performance.now()
      const { claimed, full, isCut } = await claimDue(database, {
        clinic_id,
        most,
        retries,
        underWay: (subscription_id) => this.#underWay.of({ clinic_id, subscription_id }),
        lease_id,
        now: now(),
      })
      clinic.full = new Set(full)
      this.#inFlight -= most
      this.#retries -= retries
      most = 0
      retries = 0
      for (const delivery of claimed) this.#pump.track(this.#attempt(delivery, clinic, claimedAt))
      // Where nothing of the clinic is under way, other clinics' attempts have to end first: then the next look finds it.
      clinic.hasMore ||= isCut && clinic.in_flight > 0
    } catch (error) {
      this.#failures.failed({ err: error, clinic_id }, 'deliveries could not be claimed; the next look tries again')
      this.#pump.track(this.#releaseLost(clinic_id, lease_id))
    } finally {
      this.#inFlight -= most
      this.#retries -= retries
      this.#settle(clinic_id, clinic)
    }
  }

  async #releaseLost(clinic_id: string, lease_id: string): Promise<void> {
    const isGivenUp = () => this.#pump.isStopped
    if (await releaseLost(this.#options.database, { clinic_id, lease_id, isGivenUp })) this.wake(clinic_id)
  }

  async #attempt(claimed: Claimed, clinic: Clinic, claimedAt: number): Promise<void> {
    const { database, send, now, log } = this.#options
    const retry = isRetry(claimed) ? 1 : 0
    const window = new StartWindow(database, claimed, claimedAt, now)
    const controller = this.#underWay.begin(claimed)
    clinic.in_flight += 1
    this.#inFlight += 1
    clinic.retries += retry
    this.#retries += retry
    let outcome: DeliveryOutcome = { claimed, unstarted: true }
    let handed_over: HandedOver | undefined
    try {
      if (window.isOpen && !this.#pump.isStopped && !controller.signal.aborted) {
        // Before it is sent: nobody could say whose data left with bytes that are no event.
        const event = readEvent(claimed.body)
        const begin = () => {
          const mayBegin = window.pass()
          if (mayBegin) handed_over = { event, started_at: now(), duration_ms: 0, response_status: null }
          return mayBegin
        }
        const started_at = now()
        const sent = await send(claimed, controller.signal, begin, started_at)
        if (handed_over !== undefined) handed_over = { event, ...sent, started_at }
        // An attempt that we broke off says nothing about the receiver. The next worker sends it again.
        const isBrokenOff = sent.error === 'aborted' || (controller.signal.aborted && sent.error !== null)
        if (!isBrokenOff) outcome = { claimed, started_at, ...sent }
      }
    } catch (error) {
      log.error({ err: error, event_id: claimed.event_id }, 'a delivery could not be attempted')
      outcome = {
        claimed,
        started_at: now(),
        duration_ms: 0,
        response_status: null,
        error: OWN_FAULT,
        retry_after_seconds: null,
      }
    } finally {
      window.close()
      this.#underWay.leave(claimed, controller)
      clinic.in_flight -= 1
      this.#inFlight -= 1
      clinic.retries -= retry
      this.#retries -= retry
      this.#outcomes.add(handed_over === undefined ? outcome : { ...outcome, handed_over })
    }
  }

  async #complete(clinic_id: string, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const { database, now, random, log, onCompleted } = this.#options
    const clinic = this.#clinic(clinic_id)
    clinic.isStoring = true
    try {
      await this.#pump.served(clinic_id)
      const completion = await complete(database, clinic_id, outcomes, { now: now(), random })
      onCompleted?.(outcomes, completion)
      for (const subscription_id of completion.disabled) {
        log.warn({ clinic_id, subscription_id }, 'a subscription that kept failing was disabled')
        this.end(clinic_id, subscription_id)
      }
      // The ended attempts made room, or an endpoint with waiting deliveries has recovered.
      const hasRoom = clinic.hasMore || outcomes.some(({ claimed }) => clinic.full.has(claimed.subscription_id))
      clinic.hasMore = false
      if (hasRoom || completion.recovered.length > 0) this.wake(clinic_id)
    } finally {
      clinic.isStoring = false
      this.#settle(clinic_id, clinic)
      this.#pump.goOn()
    }
  }

  /** How many more attempts of the clinic may begin. */
  #room(clinic_id: string): number {
    return roomOf(AT_ONCE, { clinic: this.#clinics.get(clinic_id)?.in_flight ?? 0, process: this.#inFlight })
  }

  #clinic(clinic_id: string): Clinic {
    const clinic = this.#clinics.get(clinic_id) ?? {
      in_flight: 0,
      retries: 0,
      isStoring: false,
      hasMore: false,
      full: new Set<string>(),
    }
    this.#clinics.set(clinic_id, clinic)
    return clinic
  }

  /** Forgets a clinic that has nothing under way. */
  #settle(clinic_id: string, clinic: Clinic): void {
    const isIdle = clinic.in_flight === 0 && !clinic.isStoring
    if (isIdle && !clinic.hasMore && this.#clinics.get(clinic_id) === clinic) this.#clinics.delete(clinic_id)
  }
}

const UNSTORED = 'outcomes of deliveries could not be stored yet'
const UNRECORDED = 'these events were handed over, which could not be put on record'

function nameOf({ claimed: { clinic_id, subscription_id, event_id } }: DeliveryOutcome) {
  return { clinic_id, webhook_id: subscription_id, event_id }
}
