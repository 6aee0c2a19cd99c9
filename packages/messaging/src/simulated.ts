// A simulated messaging platform. By its rules, messages are accepted, delivered, read or fail like on a real one.
//
//   const platform = new SimulatedPlatform({ onReports })
//   await platform.send(account, message, signal) // onReports then gets its receipts
//   platform.receive(account, { from_phone, text: 'Can I come an hour later?' })

import { MAX } from '@clinic-data/contract'
import { type Clock, realClock } from '@clinic-data/surface/clock'
import type {
  FetchedMedia,
  InboundReport,
  MessagingAccount,
  MessagingPlatform,
  OutboundChatMessage,
  PlatformReport,
  ReportListener,
  SendOutcome,
} from './messaging-platform.ts'
import { wholeSeconds } from './report-instant.ts'
import {
  drawnMs,
  type Fate,
  fateOf,
  historyOf,
  QUIET_DAY,
  type Random,
  type SimulationRules,
} from './simulated-history.ts'
import { cutText } from './untrusted-json.ts'

export interface SimulationOptions {
  onReports: ReportListener
  /** The rules that differ from `QUIET_DAY`. */
  rules?: Partial<SimulationRules>
  /** The same numbers, clock and calls give the same events, including ids. */
  random?: Random
  clock?: Clock
}

export interface PatientMessage {
  /** E.164, with the `+`. */
  from_phone: string
  display_name?: string
  /** By default `text`, or `document` when there is media. */
  type?: InboundReport['type']
  text?: string
  media?: { content_type: string; file_name: string | null; bytes: Uint8Array }
  replied_to_platform_id?: string
}

const PHONE = /^\+[1-9]\d{3,14}$/

/** A rejected report is repeated, each time after twice as long, for four and a half hours in all. */
const REPORT_AGAIN_MS = 1000
const MOST_ATTEMPTS = 15

/** The most media kept for fetching, and the most throttled sends remembered. The oldest are dropped. */
const MOST_MEDIA = 100
const MOST_THROTTLED = 1000

const THROTTLE_MS = 1000

/** Lives in memory. Reports that are pending when it is closed are lost. */
export class SimulatedPlatform implements MessagingPlatform {
  readonly #onReports: ReportListener
  readonly #rules: SimulationRules
  readonly #random: Random
  readonly #clock: Clock
  readonly #opened: string
  #issued = 0
  #isClosed = false
  /** Functions that cancel what is still pending. */
  readonly #timers = new Set<() => void>()
  /** Functions that end the running sends without an answer. */
  readonly #sends = new Set<() => void>()
  readonly #reporting = new Set<Promise<void>>()
  readonly #media = new Map<string, { account_id: string; content: FetchedMedia }>()
  readonly #throttled = new Set<string>()

  constructor({ onReports, rules = {}, random = Math.random, clock = realClock }: SimulationOptions) {
    this.#onReports = onReports
    this.#rules = { ...QUIET_DAY, ...rules }
    this.#random = random
    this.#clock = clock
    this.#opened = clock.now().getTime().toString(36)
  }

  send(account: MessagingAccount, message: OutboundChatMessage, signal: AbortSignal): Promise<SendOutcome> {
    if (this.#isClosed || signal.aborted) {
      return Promise.resolve({ outcome: 'retry', after_ms: null, reason: 'stopped before sending' })
    }
    const { promise, resolve } = Promise.withResolvers<SendOutcome>()
    const settle = (outcome: SendOutcome) => {
      prevent()
      this.#sends.delete(stop)
      signal.removeEventListener('abort', stop)
      resolve(outcome)
    }
    const stop = () => settle({ outcome: 'unknown', reason: 'stopped while sending' })
    const outcome = this.#answer(account, message)
    const prevent = this.#later(drawnMs(this.#rules.answer, this.#random), () => settle(outcome))
    this.#sends.add(stop)
    signal.addEventListener('abort', stop)
    return promise
  }

  async fetchMedia(
    { account_id }: MessagingAccount,
    media_id: string,
    { maxBytes }: { maxBytes: number },
  ): Promise<FetchedMedia | null> {
    const found = this.#media.get(media_id)
    return found?.account_id === account_id && found.content.bytes.length <= maxBytes ? found.content : null
  }

  /**
   * Simulates a patient's message to the clinic.
   *
   * @returns the platform's id of the message that will be reported.
   * @throws RangeError when the phone is invalid or the text too long.
   */
  receive({ account_id }: MessagingAccount, message: PatientMessage): string {
    const { from_phone, display_name = null, text = null, replied_to_platform_id = null } = message
    if (!PHONE.test(from_phone)) throw new RangeError('a patient writes from a phone in E.164')
    if (text !== null && cutText(text, MAX.message) !== text) {
      throw new RangeError(`a text has at most ${MAX.message} characters`)
    }
    const media = this.#keep(account_id, message.media)
    const report: InboundReport = {
      kind: 'inbound',
      account_id,
      platform_message_id: this.#newId('in'),
      from_phone,
      display_name,
      type: message.type ?? (media === null ? 'text' : 'document'),
      text,
      media,
      replied_to_platform_id,
      at: wholeSeconds(this.#clock.now().getTime()),
    }
    const delayMs = drawnMs(this.#rules.report, this.#random)
    this.#report(report, delayMs)
    if (this.#random() < this.#rules.repeatedShare) this.#report(report, 2 * delayMs)
    return report.platform_message_id
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const stop of this.#sends) stop()
    for (const prevent of this.#timers) prevent()
    this.#timers.clear()
    await Promise.all(this.#reporting)
  }

  #answer(account: MessagingAccount, message: OutboundChatMessage): SendOutcome {
    const fate = fateOf(message.to_phone, this.#rules, this.#random)
    if (!PHONE.test(message.to_phone) || fate.send === 'refused') {
      return { outcome: 'refused', reason: 'The simulated platform does not reach this number' }
    }
    if (fate.send === 'throttled' && this.#comesTooEarly(message.message_id)) {
      return { outcome: 'retry', after_ms: THROTTLE_MS, reason: 'the simulated platform is throttling' }
    }
    const notAnswered: SendOutcome = { outcome: 'unknown', reason: 'the simulated platform did not answer' }
    if (fate.send === 'lost') return notAnswered
    const platform_message_id = this.#accept(account, message, fate)
    return fate.send === 'unanswered' ? notAnswered : { outcome: 'accepted', platform_message_id, accepted_at: null }
  }

  /** The next send of the same message is not throttled. */
  #comesTooEarly(message_id: string): boolean {
    if (this.#throttled.delete(message_id)) return false
    makeRoom(this.#throttled, MOST_THROTTLED)
    this.#throttled.add(message_id)
    return true
  }

  #accept({ account_id }: MessagingAccount, { message_id }: OutboundChatMessage, fate: Fate): string {
    const platform_message_id = this.#newId('out')
    const acceptedMs = this.#clock.now().getTime()
    for (const { reportedAfterMs, ...step } of historyOf(fate, acceptedMs, this.#rules, this.#random)) {
      const reason = step.status === 'failed' ? 'The simulated platform could not deliver the message' : null
      this.#report({ kind: 'receipt', account_id, message_id, platform_message_id, ...step, reason }, reportedAfterMs)
    }
    return platform_message_id
  }

  #report(report: PlatformReport, delayMs: number, attempt = 1): void {
    this.#later(delayMs, () => {
      const taken = this.#onReports(report.account_id, [report])
        .catch(() => {
          if (this.#isClosed || attempt === MOST_ATTEMPTS) return
          this.#report(report, REPORT_AGAIN_MS * 2 ** (attempt - 1), attempt + 1)
        })
        .finally(() => this.#reporting.delete(taken))
      this.#reporting.add(taken)
    })
  }

  #keep(account_id: string, content: PatientMessage['media']): InboundReport['media'] {
    if (content === undefined) return null
    const id = this.#newId('media')
    makeRoom(this.#media, MOST_MEDIA)
    this.#media.set(id, { account_id, content })
    return { id, type: content.content_type, file_name: content.file_name }
  }

  /** @returns a function that cancels the action. */
  #later(delayMs: number, action: () => void): () => void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#timers.delete(prevent)
      action()
    })
    const prevent = () => {
      this.#timers.delete(prevent)
      cancel()
    }
    this.#timers.add(prevent)
    return prevent
  }

  #newId(kind: 'in' | 'out' | 'media'): string {
    this.#issued += 1
    const chance = Math.floor(this.#random() * 2 ** 40).toString(36)
    return `sim-${kind}-${this.#opened}-${this.#issued}-${chance}`
  }
}

/** Makes room for one more by dropping the oldest. */
function makeRoom(kept: Map<string, unknown> | Set<string>, most: number): void {
  const [oldest] = kept.keys()
  if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
}
