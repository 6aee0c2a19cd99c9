// The port to a messaging platform: the messages we send, the outcome of each send, and the platform's later reports.
//
// An adapter stores nothing and repeats nothing. The sender keeps the queue and obeys one rule: a send with an unknown outcome is
// never repeated.

import type { messageTypes, templateCategories } from '@clinic-data/contract/resources/chat'

/** One of a clinic's numbers on a platform. */
export interface MessagingAccount {
  clinic_id: string
  /** The platform's own id for the number (WhatsApp: `phone_number_id`), not the number itself. */
  account_id: string
  /** The clinic's number in E.164. Null when it is not known. */
  phone: string | null
}

export interface OutboundChatMessage {
  /** Our id, `out_<number>`. We send it with the message, and every receipt returns it. */
  message_id: string
  /** E.164, with the `+`. */
  to_phone: string
  content: TextContent | TemplateContent
}

export interface TextContent {
  kind: 'text'
  /** 1 to `MAX.message` characters. */
  text: string
}

/**
 * A message from an approved template. The platform already has the template's fixed words, so only the variables are sent.
 *
 * @example
 * // "Dear {{name}}, a reminder of your appointment on {{day}}."
 * { kind: 'template', name: 'appointment_reminder', language: 'en', category: 'utility', header_variables: [],
 *   body_variables: [{ name: 'name', value: 'Noa' }, { name: 'day', value: 'Tuesday' }] }
 */
export interface TemplateContent {
  kind: 'template'
  name: string
  language: string
  category: (typeof templateCategories)[number]
  /** The variables of a text header. Other kinds of header cannot be sent, because no operation provides their file. */
  header_variables: readonly TemplateVariable[]
  /** Each variable of the body once, in the order of its first appearance. */
  body_variables: readonly TemplateVariable[]
}

export interface TemplateVariable {
  /** The text between `{{` and `}}` in the template: a name, or a position, counted from `1`. */
  name: string
  value: string
}

/**
 * The result of a send, exactly one of four:
 *
 * - `accepted`: the platform has the message. Receipts follow. `accepted_at` (ISO 8601) is null when the platform does not give it.
 * - `refused`: the platform declined the message and would decline it again. `reason` is for the clinic (`failure_reason`): at most
 *   `MAX.failure_reason` characters, without secrets.
 * - `retry`: the message was certainly not accepted. It may be accepted later, but not before `after_ms` if that is given.
 * - `unknown`: the message may or may not have been accepted. Never repeat it: only a receipt can show it.
 *
 * The reasons of the last two are for the log. They are in our own words, without patient data.
 */
export type SendOutcome =
  | { outcome: 'accepted'; platform_message_id: string; accepted_at: string | null }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'retry'; after_ms: number | null; reason: string }
  | { outcome: 'unknown'; reason: string }

export interface FetchedMedia {
  /** MIME type, at most `MAX.content_type` characters. */
  content_type: string
  /** Null when the platform does not give it. The inbound report may contain it. */
  file_name: string | null
  bytes: Uint8Array
}

export interface MessagingPlatform {
  /**
   * Sends the message once. Never rejects, and answers within the adapter's own time limits. Aborting ends it early: with `retry`
   * if nothing had been sent yet, otherwise with `unknown`.
   */
  send(account: MessagingAccount, message: OutboundChatMessage, signal: AbortSignal): Promise<SendOutcome>

  /**
   * Fetches the media of a received message. Null when the platform no longer has it, it belongs to another account, or it is
   * larger than `maxBytes`.
   *
   * @throws Error when a later attempt may succeed (the platform cannot be reached, is late, or refuses the credentials), or when
   * aborted. Its message is for the log and contains neither secrets nor patient data.
   */
  fetchMedia(
    account: MessagingAccount,
    media_id: string,
    options: { maxBytes: number },
    signal: AbortSignal,
  ): Promise<FetchedMedia | null>

  /** Closes connections and timers. Nothing is reported afterwards. */
  close(): Promise<void>
}

export const receiptStatuses = ['sent', 'delivered', 'read', 'failed'] as const

/**
 * The progress of one of our messages. Receipts may come more than once, in any order, and before the answer to the send. Some may
 * be missing: `read` can come without `delivered`, `failed` without `sent`.
 */
export interface ReceiptReport {
  kind: 'receipt'
  account_id: string
  /** Our id, if the platform returns it. Null for a message that we did not send. */
  message_id: string | null
  platform_message_id: string
  status: (typeof receiptStatuses)[number]
  /** ISO 8601, by the platform's clock, whole seconds. */
  at: string
  /** Why it failed, at most `MAX.failure_reason` characters. Null when it did not fail, or the platform gives no reason. */
  reason: string | null
}

/**
 * A message from a patient. It may come more than once, each time with the same `platform_message_id`. Texts are within the
 * contract's limits.
 */
export interface InboundReport {
  kind: 'inbound'
  account_id: string
  platform_message_id: string
  /** E.164, with the `+`. */
  from_phone: string
  display_name: string | null
  type: (typeof messageTypes)[number]
  /** Null when the message has no words, or the platform could not pass it on. */
  text: string | null
  /** `id` is for `fetchMedia`, `type` is the MIME type. */
  media: { id: string; type: string; file_name: string | null } | null
  /** The platform's id of the message that this one replies to. */
  replied_to_platform_id: string | null
  /** ISO 8601, by the platform's clock, whole seconds. */
  at: string
}

export type PlatformReport = ReceiptReport | InboundReport

/** Receives a platform's reports about one account. If it rejects, the platform reports the same again. */
export type ReportListener = (account_id: string, reports: readonly PlatformReport[]) => Promise<void>
