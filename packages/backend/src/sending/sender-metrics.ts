// The sender's measurements: chat messages by what became of them, those under way, and the queue. They name no clinic.
import type { Database } from '@clinic-data/database'
import { instant, sql } from '@clinic-data/database'
import type { SendOutcome } from '@clinic-data/messaging/messaging-platform'
import { Pump } from '@clinic-data/webhooks/pump'
import { type BatchObservableResult, metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const SENDER_METRICS = {
  sent: {
    name: 'chat_messages',
    kind: 'counter',
    unit: '{message}',
    labels: ['outcome'],
    description:
      'Chat messages handed to a platform, by its answer: `accepted`, `refused`, `retry` (not now) or `unknown` (no clear answer).',
  },
  inFlight: {
    name: 'chat_messages_in_flight',
    kind: 'gauge',
    unit: '{message}',
    labels: [],
    description: 'Chat messages that wait for the answer of a platform.',
  },
  waiting: {
    name: 'chat_queue_waiting',
    kind: 'gauge',
    unit: '{message}',
    labels: [],
    description: 'Chat messages that are due and wait, at most 1,000 counted. Looked at every 15 s.',
  },
  oldest: {
    name: 'chat_queue_oldest_due',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description: 'How long the chat message that has waited longest has been due. Looked at every 15 s.',
  },
} as const

const LOOK_MS = 15_000
const MOST_COUNTED = 1_000

interface Queue {
  waiting: number
  oldest_due_at: string | null
}

/** Created together with the sender: by then the process's meters are set up. */
export class SenderMetrics {
  readonly #sent
  readonly #pump: Pump
  /** As it was at the last look. Null while the database cannot be reached: then there is nothing to observe. */
  #queue: Queue | null = null

  /**
   * @param now the sender's clock, by which messages are due.
   * @param inFlight the number of messages under way.
   */
  constructor(database: Database, now: () => Date, inFlight: () => number) {
    const meter = metrics.getMeter('clinic-data-backend')
    const of = SENDER_METRICS
    this.#sent = meter.createCounter(of.sent.name, of.sent)
    const running = meter.createObservableGauge(of.inFlight.name, of.inFlight)
    const waiting = meter.createObservableGauge(of.waiting.name, of.waiting)
    const oldest = meter.createObservableGauge(of.oldest.name, of.oldest)
    const observe = (result: BatchObservableResult) => {
      result.observe(running, inFlight())
      if (this.#queue === null) return
      const due = instant(this.#queue.oldest_due_at)
      result.observe(waiting, this.#queue.waiting)
      result.observe(oldest, due === null ? 0 : Math.max(0, (now().getTime() - Date.parse(due)) / 1000))
    }
    meter.addBatchObservableCallback(observe, [running, waiting, oldest])
    this.#pump = new Pump({
      scan: async () => {
        this.#queue = await queueNow(database, now())
      },
      everyMs: LOOK_MS,
      // The sender's own scan fails too, and says so.
      onScanFailure: () => {
        this.#queue = null
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

  countSent(outcome: SendOutcome['outcome']): void {
    this.#sent.add(1, { outcome })
  }
}

/** Reads the head of the queue, never a whole backlog. */
async function queueNow(database: Database, now: Date): Promise<Queue> {
  const [queue] = await database.readAsDispatcher<Queue>(sql`
    select count(*)::int as waiting, min(due_at) as oldest_due_at from (
      select due_at from chat_send where state = 'waiting' and due_at <= ${now} order by due_at limit ${MOST_COUNTED}) head`)
  return queue ?? { waiting: 0, oldest_due_at: null }
}
