// Receipts: the progress of outbound messages. The first report of each of the four times sets it. Reports may come in any order.
// Each newly set time is one event, with the status at that point.
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { type ReceiptReport, receiptStatuses } from '@clinic-data/messaging/messaging-platform'
import { wholeSeconds } from '@clinic-data/messaging/report-instant'
import { messageStatus } from '@clinic-data/records/chat'
import { isErased } from '@clinic-data/records/storing/erased-records'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { messageChange, wholeMessages } from './chat-new-messages.ts'
import type { Changed } from './writing/write-changes.ts'

type Step = ReceiptReport['status']

export interface ChatReceipt {
  /** Our id. Null when the platform's own id names the message. */
  message_id: string | null
  platform_message_id: string | null
  status: Step
  /** ISO 8601. */
  at: string
  /** Why it failed. */
  reason: string | null
}

export interface ReceiptOutcome {
  id: string
  outcome: 'updated' | 'unchanged'
}

/**
 * Applies receipts in their order. A receipt proves that a queued message was sent, so the message leaves the queue.
 *
 * @returns the effect of each receipt. Null when it names no outbound message of the clinic.
 */
export async function changeReceipts(
  tx: Transaction,
  clinic: Clinic,
  receipts: readonly ChatReceipt[],
  now: Date,
): Promise<Changed<(ReceiptOutcome | null)[]>> {
  const named = await namedMessages(tx, clinic, receipts)
  const answer = receipts.map((receipt): ReceiptOutcome | null => {
    const message = named.of(receipt)
    if (message === undefined) return null
    named.learnPlatformId(message, receipt.platform_message_id)
    return { id: message.id, outcome: message.take(receipt) ? 'updated' : 'unchanged' }
  })
  const reported = [...new Set(receipts.map(named.of))].filter((message) => message !== undefined)
  await storeSteps(tx, clinic, reported, now)
  const rows = await wholeMessages(
    tx,
    clinic,
    reported.filter(({ steps }) => steps.size > 0).map(({ id }) => id),
  )
  await storeReasons(tx, clinic, reported, now)
  const changes = reported.flatMap(({ id, steps }) => {
    const row = rows.get(id)
    return row === undefined
      ? []
      : receiptStatuses.filter((step) => steps.has(step)).map((step) => messageChange(`chat.message.${step}`, row))
  })
  return { answer, changes }
}

interface StoredMessage {
  id: string
  platform_message_id: string | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  failure_reason: string | null
}

/** A message with its newly reported times. */
class ReportedMessage {
  readonly stored: StoredMessage
  /** The times that are newly set. */
  readonly steps = new Map<Step, string>()
  reason: string | null = null
  platform_message_id: string | null = null

  constructor(stored: StoredMessage) {
    this.stored = stored
  }

  get id(): string {
    return this.stored.id
  }

  /** Returns whether the receipt reports something new. */
  take({ status, at, reason }: ChatReceipt): boolean {
    const isNew = this.#reach(status, at)
    // A platform may report that a message was read without any earlier report.
    const isFilled = status === 'read' && this.#reach('delivered', at)
    const isReason = status === 'failed' && reason !== null && (this.stored.failure_reason ?? this.reason) === null
    if (isReason) this.reason = reason
    return isNew || isFilled || isReason
  }

  /** The time of a step, stored or newly set. */
  at(step: Step): string | null {
    return this.stored[`${step}_at`] ?? this.steps.get(step) ?? null
  }

  #reach(step: Step, at: string): boolean {
    if (this.at(step) !== null) return false
    this.steps.set(step, wholeSeconds(Date.parse(at)))
    return true
  }
}

interface Named {
  of: (receipt: ChatReceipt) => ReportedMessage | undefined
  /** Learns the platform's id of a message that was found by ours. Never overwrites another one. */
  learnPlatformId(message: ReportedMessage, platform_message_id: string | null): void
}

/** The outbound messages in the receipts, locked so that what was read stays true. An erased one takes none: it could hold the person again. */
async function namedMessages(tx: Transaction, clinic: Clinic, receipts: readonly ChatReceipt[]): Promise<Named> {
  const ids = receipts.flatMap(({ message_id }) => message_id ?? [])
  const platformIds = receipts.flatMap(({ platform_message_id }) => platform_message_id ?? [])
  const rows = [
    ...(await lockedMessages(tx, clinic, ids, sql`m.id`)),
    ...(await lockedMessages(tx, clinic, platformIds, sql`m.platform_message_id`)),
  ]
  const byId = new Map(rows.map((row) => [row.id, new ReportedMessage(row)]))
  const byPlatformId = new Map<string, ReportedMessage>()
  for (const message of byId.values()) {
    const { platform_message_id } = message.stored
    if (platform_message_id !== null) byPlatformId.set(platform_message_id, message)
  }
  return {
    of: ({ message_id, platform_message_id }) =>
      message_id === null ? byPlatformId.get(platform_message_id ?? '') : byId.get(message_id),
    learnPlatformId: (message, id) => {
      if (id === null || message.stored.platform_message_id !== null || byPlatformId.has(id)) return
      message.platform_message_id ??= id
      byPlatformId.set(id, message)
    },
  }
}

async function lockedMessages(
  tx: Transaction,
  { clinic_id }: Clinic,
  ids: readonly string[],
  column: Statement,
): Promise<StoredMessage[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query<StoredMessage>(sql`
    select m.id, m.platform_message_id, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.failure_reason
    from chat_message m
    where m.clinic_id = ${clinic_id} and ${column} = any(${[...new Set(ids)]}::text[]) and ${column} is not null
      and m.direction = 'outbound' and not ${isErased({ clinic_id }, 'chat_message', sql`m.id`)}
    order by m.id for update`)
  return rows
}

/** Without the failure's reason, which the event does not contain yet. */
async function storeSteps(
  tx: Transaction,
  { clinic_id }: Clinic,
  reported: readonly ReportedMessage[],
  now: Date,
): Promise<void> {
  const news = reported.filter(({ steps, platform_message_id }) => steps.size > 0 || platform_message_id !== null)
  if (news.length === 0) return
  const rows = news.map((message) => ({
    id: message.id,
    platform_message_id: message.platform_message_id,
    is_news: message.steps.size > 0,
    status: messageStatus({ direction: 'outbound', ...timesOf((step) => message.at(step)) }),
    ...timesOf((step) => message.steps.get(step) ?? null),
  }))
  await tx.query(sql`
    update chat_message stored set status = input.status,
      sent_at = coalesce(stored.sent_at, input.sent_at), delivered_at = coalesce(stored.delivered_at, input.delivered_at),
      read_at = coalesce(stored.read_at, input.read_at), failed_at = coalesce(stored.failed_at, input.failed_at),
      platform_message_id = coalesce(stored.platform_message_id, input.platform_message_id),
      updated_at = case when input.is_news then ${risenUpdatedAt(now)} else stored.updated_at end
    from ${sql.input(rows, {
      text: ['id', 'status', 'platform_message_id'],
      timestamptz: ['sent_at', 'delivered_at', 'read_at', 'failed_at'],
      boolean: ['is_news'],
    })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
  const moved = news.filter(({ steps }) => steps.size > 0).map(({ id }) => id)
  await tx.query(sql`delete from chat_send where clinic_id = ${clinic_id} and message_id = any(${moved}::text[])`)
}

function timesOf(at: (step: Step) => string | null) {
  return { sent_at: at('sent'), delivered_at: at('delivered'), read_at: at('read'), failed_at: at('failed') }
}

/** Runs a moment after the event (specification, Outbound chat message status). Its own, later `updated_at` shows it. */
async function storeReasons(
  tx: Transaction,
  { clinic_id }: Clinic,
  reported: readonly ReportedMessage[],
  now: Date,
): Promise<void> {
  const failed = reported.filter(({ reason }) => reason !== null)
  if (failed.length === 0) return
  await tx.query(sql`
    update chat_message stored set failure_reason = input.reason,
      updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(failed, { text: ['id', 'reason'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
}
