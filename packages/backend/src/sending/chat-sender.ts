// Sends chat messages: takes them from the queue, hands them to the clinic's platform, and stores the outcomes.
//
// Any number of senders may run, in any number of processes. The queue gives each message to only one of them.
import { setMaxListeners } from 'node:events'
import { type ChangeParts, writeChanges } from '@clinic-data/changes/writing/write-changes'
import { utcSession } from '@clinic-data/database'
import { accountOf, type MessagingClinic, messagingClinic } from '@clinic-data/messaging/clinic-messaging'
import type { SendOutcome } from '@clinic-data/messaging/messaging-platform'
import { type Clock, realClock } from '@clinic-data/surface/clock'
import type { Log } from '@clinic-data/surface/log'
import { FutureLooks } from '@clinic-data/webhooks/engine/future-looks'
import { roomOf } from '@clinic-data/webhooks/engine/kept-places'
import { FailureLog } from '@clinic-data/webhooks/failure-log'
import { Pump } from '@clinic-data/webhooks/pump'
import type { Platforms } from './open-messaging.ts'
import { type Claimed, claim, clinicsWithFutureTimes, dueClinics, endFutureTimes } from './send-queue.ts'
import { SenderMetrics } from './sender-metrics.ts'
import { storeOutcome, tidyQueue, UNDATED } from './store-outcome.ts'

export interface SenderOptions extends Omit<ChangeParts, 'now'> {
  platforms: Platforms
  log: Log
  clock?: Clock
  /** A clock that never goes back, in milliseconds. */
  elapsed?: () => number
  /** Aborted when the process that stops waits for the database no longer. */
  deadline?: AbortSignal
}

/** How often to look for messages that other processes queued. For messages of this process the sender is woken at once. */
const LOOK_MS = 1000

/** The most messages under way at once. A number may send 80 a second, and an answer takes some tenths of a second. */
const AT_ONCE = { process: 64, clinic: 20 } as const

/** How long a stop waits for answers. Orchestrators allow 30 s in all. */
const STOP_MS = 8000

/** When the database cannot be reached, storing an outcome is tried again for about nine minutes. */
const STORE_AGAIN_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const MOST_TRIES = 22

/** A statement that is under way at the deadline has this long to end. */
const LAST_MS = 1000

const UNSTORED = 'the outcome of a chat message could not be stored'
const STORED_LATER = `${UNSTORED}; this will be tried again`

/**
 * @example
 * const sender = new ChatSender({ database, platforms, log })
 * sender.start()
 * const backend = createBackend({ database, now, log, onMessageQueued: (clinic_id) => sender.wake(clinic_id) })
 */
export class ChatSender {
  readonly #parts: ChangeParts
  readonly #platforms: Platforms
  readonly #log: Log
  readonly #clock: Clock
  readonly #pump: Pump
  readonly #metrics: SenderMetrics
  /** The number of messages under way, by clinic. */
  readonly #sending = new Map<string, number>()
  /** Clinics whose queues may hold messages that other senders abandoned. */
  readonly #untidy = new Set<string>()
  readonly #stopping = new AbortController()
  /** Ends the wait for answers of platforms. */
  readonly #breakOff = new AbortController()
  readonly #deadline: AbortSignal
  readonly #failures: FailureLog
  /** Messages whose outcomes are being stored. */
  readonly #keeping = new Set<string>()
  /** Those whose outcomes could not be stored yet. */
  readonly #again = new Set<string>()
  readonly #abandoned = Promise.withResolvers<void>()
  readonly #futureLooks = new FutureLooks()
  #inFlight = 0

  constructor({
    platforms,
    log,
    clock = realClock,
    elapsed,
    deadline = new AbortController().signal,
    ...parts
  }: SenderOptions) {
    this.#parts = { ...parts, now: () => clock.now() }
    this.#platforms = platforms
    this.#log = log
    this.#clock = clock
    this.#deadline = deadline
    this.#failures = new FailureLog(log, elapsed)
    this.#pump = new Pump({
      scan: () => this.#scan(),
      everyMs: LOOK_MS,
      onScanFailure: (error) =>
        this.#failures.failed({ err: error }, 'the queue of chat messages could not be read; this will be tried again'),
      serve: (clinic_id) => this.#serve(clinic_id),
      hasRoom: () => this.#inFlight < AT_ONCE.process,
      mayServe: (clinic_id) => this.#room(clinic_id) > 0,
      after: (delayMs, action) => clock.after(delayMs, action),
    })
    this.#metrics = new SenderMetrics(parts.database, this.#parts.now, () => this.#inFlight)
    // Each message under way adds a listener.
    setMaxListeners(0, this.#breakOff.signal, this.#stopping.signal, deadline)
    deadline.addEventListener('abort', () => {
      this.#halt()
      this.#breakOff.abort()
      clock.after(LAST_MS, () => this.#abandon())
    })
  }

  /** Looks for due messages now, and from then on once a second. */
  start(): void {
    this.#pump.start()
    this.#metrics.start()
  }

  /** Call this when the clinic has a new message in the queue. */
  wake(clinic_id: string): void {
    this.#pump.wake(clinic_id)
  }

  /** Resolves when no message is under way. */
  idle(): Promise<void> {
    return this.#pump.idle()
  }

  /**
   * Takes no more messages, waits for the answers under way, and stores their outcomes until the deadline. A message without an answer
   * in time is left to its receipts.
   */
  async stop(): Promise<void> {
    this.#halt()
    const prevent = this.#clock.after(STOP_MS, () => this.#breakOff.abort())
    await Promise.race([Promise.all([this.idle(), this.#metrics.stop()]), this.#abandoned.promise])
    prevent()
  }

  #halt(): void {
    this.#stopping.abort()
    this.#pump.stop()
  }

  #abandon(): void {
    if (this.#keeping.size > 0) this.#log.error({ message_ids: [...this.#keeping] }, UNSTORED)
    this.#keeping.clear()
    this.#abandoned.resolve()
  }

  async #scan(): Promise<void> {
    const { database } = this.#parts
    const now = this.#clock.now()
    if (this.#futureLooks.isDue(now)) {
      for (const clinic_id of await clinicsWithFutureTimes(database, now))
        await database.write(utcSession(clinic_id), (tx) => endFutureTimes(tx, clinic_id, now))
      this.#futureLooks.looked(now)
    }
    for (const clinic_id of await dueClinics(database, now)) {
      this.#untidy.add(clinic_id)
      this.wake(clinic_id)
    }
    this.#failures.succeeded(this.#again.size > 0 ? [STORED_LATER] : [])
  }

  async #serve(clinic_id: string): Promise<void> {
    const room = this.#room(clinic_id)
    this.#take(clinic_id, room)
    const isUntidy = this.#untidy.delete(clinic_id)
    let left = room
    try {
      const clinic = await messagingClinic(this.#parts.database, clinic_id)
      if (clinic === null) return
      const claimed = await writeChanges(this.#parts, clinic, async (tx, at, now) => {
        const tidied = isUntidy ? await tidyQueue(tx, clinic, at, now) : UNDATED
        return { ...tidied, answer: await claim(tx, clinic, room, now) }
      })
      left -= claimed.length
      for (const message of claimed) this.#pump.track(this.#send(clinic, message))
    } catch (error) {
      this.#failures.failed(
        { err: error, clinic_id },
        'chat messages could not be taken from the queue; they stay in it',
      )
    } finally {
      this.#take(clinic_id, -left)
    }
  }

  #room(clinic_id: string): number {
    return roomOf(AT_ONCE, { clinic: this.#sending.get(clinic_id) ?? 0, process: this.#inFlight })
  }

  #take(clinic_id: string, places: number): void {
    const sending = (this.#sending.get(clinic_id) ?? 0) + places
    if (sending === 0) this.#sending.delete(clinic_id)
    else this.#sending.set(clinic_id, sending)
    this.#inFlight += places
  }

  async #send(clinic: MessagingClinic, message: Claimed): Promise<void> {
    const outcome = await this.#ask(clinic, message)
    this.#metrics.countSent(outcome.outcome)
    await this.#keep(clinic, message, outcome)
    this.#again.delete(message.message_id)
    this.#take(clinic.clinic_id, -1)
    this.wake(clinic.clinic_id)
  }

  async #ask(clinic: MessagingClinic, message: Claimed): Promise<SendOutcome> {
    const { message_id } = message
    try {
      const platform = this.#platforms[clinic.messaging_platform]
      const outcome = await platform.send(accountOf(clinic), message, this.#breakOff.signal)
      if (outcome.outcome === 'retry' || outcome.outcome === 'unknown') {
        const { clinic_id } = clinic
        this.#log.warn({ clinic_id, message_id, ...outcome }, 'a chat message was not clearly accepted')
      }
      return outcome
    } catch (error) {
      this.#log.error({ err: error, message_id }, 'a messaging platform failed')
      return { outcome: 'unknown', reason: 'the messaging platform failed' }
    }
  }

  /** Stores the outcome, trying again until the database takes it: the platform cannot be asked a second time. */
  async #keep(clinic: MessagingClinic, message: Claimed, outcome: SendOutcome): Promise<void> {
    const { message_id } = message
    const answered_at = this.#clock.now()
    this.#keeping.add(message_id)
    for (let tried = 1; this.#keeping.has(message_id); tried++) {
      try {
        await storeOutcome(this.#parts, clinic, message, outcome, answered_at)
        this.#keeping.delete(message_id)
      } catch (error) {
        if (tried === MOST_TRIES || this.#deadline.aborted) {
          if (this.#keeping.delete(message_id)) this.#log.error({ err: error, message_ids: [message_id] }, UNSTORED)
          return
        }
        this.#again.add(message_id)
        this.#failures.failed({ err: error, message_id }, STORED_LATER)
        const isLong = !this.#pump.isStopped
        await this.#pause(isLong ? Math.min(STORE_AGAIN_MS * 2 ** (tried - 1), LONGEST_PAUSE_MS) : STORE_AGAIN_MS)
      }
    }
  }

  /** Waits, but not beyond the beginning of a stop, and in a stop not beyond the deadline. */
  async #pause(ms: number): Promise<void> {
    const signal = this.#pump.isStopped ? this.#deadline : this.#stopping.signal
    const { promise, resolve } = Promise.withResolvers<void>()
    const prevent = this.#clock.after(ms, resolve)
    const end = () => resolve()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    await promise
    prevent()
    signal.removeEventListener('abort', end)
  }
}
