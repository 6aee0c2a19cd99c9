// Reads WhatsApp's requests to our webhook: the check when it is set up, the signature, and the reports. These are pure functions.
// The listener must answer 200 once the reports are stored. After any other answer they are repeated for days.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { type PlatformReport, type ReceiptReport, receiptStatuses } from './messaging-platform.ts'
import { reportedAt } from './report-instant.ts'
import { type Fields, fieldsOf, itemsOf, wholeId } from './untrusted-json.ts'
import { PLATFORM_ID } from './whatsapp-answer.ts'
import { readPlatformError } from './whatsapp-error.ts'
import { displayNames, inboundReport } from './whatsapp-inbound.ts'

/** The platform's own limit for the body of a webhook. A longer one is not from the platform. */
export const WEBHOOK_BODY_BYTES = 3 * 1024 * 1024

const CHALLENGE = /^[\w-]{1,255}$/
const SIGNATURE = /^sha256=([0-9a-f]{64})$/
const ACCOUNT_ID = /^\d{1,32}$/
const OUR_ID = /^out_\d{1,100}$/

/**
 * Answers the GET request with which the platform checks a new webhook. Returns the challenge, to be sent as text/plain, or null for
 * a 403. `query` holds `hub.mode`, `hub.verify_token` and `hub.challenge`.
 */
export function answerVerification(query: Readonly<Record<string, unknown>>, verifyToken: string): string | null {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query
  if (mode !== 'subscribe' || typeof token !== 'string' || verifyToken === '') return null
  // timingSafeEqual needs equal lengths, which hashes have. They also hide where the texts differ.
  const isEqual = timingSafeEqual(hash('sha256', token, 'buffer'), hash('sha256', verifyToken, 'buffer'))
  return isEqual ? wholeId(challenge, CHALLENGE) : null
}

/** Whether the header `X-Hub-Signature-256` has the form of a signature. If not, the body need not be read. */
export function isSignature(header: unknown): boolean {
  return typeof header === 'string' && SIGNATURE.test(header)
}

/** Whether the header `X-Hub-Signature-256` signs exactly these bytes. If not, the body is not from the platform. */
export function isSignedByPlatform(rawBody: Uint8Array, header: unknown, appSecret: string): boolean {
  const signature = typeof header === 'string' ? SIGNATURE.exec(header)?.[1] : undefined
  if (signature === undefined || appSecret === '') return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), createHmac('sha256', appSecret).update(rawBody).digest())
}

/**
 * Reads the reports in a webhook's parsed body, by account. Never throws: malformed and irrelevant reports are left out.
 *
 * A webhook can subscribe to several fields. This reads only `messages`. It also leaves out the statuses of groups, and statuses
 * other than our four (`played` is about voice messages, `deleted` and `warning` about catalogs and older versions).
 *
 * @param now the time to use when a report's own is missing or impossible.
 */
export function readWebhook(body: unknown, now: Date): Map<string, PlatformReport[]> {
  const byAccount = new Map<string, PlatformReport[]>()
  const { object, entry } = fieldsOf(body)
  if (object !== 'whatsapp_business_account') return byAccount
  for (const change of itemsOf(entry).flatMap((one) => itemsOf(fieldsOf(one).changes))) {
    const { field, value } = fieldsOf(change)
    const { metadata, contacts, messages, statuses } = fieldsOf(value)
    const account_id = wholeId(fieldsOf(metadata).phone_number_id, ACCOUNT_ID)
    if (field !== 'messages' || account_id === null) continue
    const nameOf = displayNames(contacts)
    const reports = [
      ...itemsOf(messages).map((message) => inboundReport(account_id, fieldsOf(message), nameOf, now)),
      ...itemsOf(statuses).map((status) => receiptReport(account_id, fieldsOf(status), now)),
    ]
    for (const report of reports) {
      if (report === null) continue
      const ofAccount = byAccount.get(account_id)
      if (ofAccount === undefined) byAccount.set(account_id, [report])
      else ofAccount.push(report)
    }
  }
  return byAccount
}

function receiptReport(account_id: string, receipt: Fields, now: Date): ReceiptReport | null {
  const platform_message_id = wholeId(receipt.id, PLATFORM_ID)
  const status = receiptStatuses.find((one) => one === receipt.status)
  if (platform_message_id === null || status === undefined || receipt.recipient_type === 'group') return null
  const [error] = itemsOf(receipt.errors)
  return {
    kind: 'receipt',
    account_id,
    message_id: wholeId(receipt.biz_opaque_callback_data, OUR_ID),
    platform_message_id,
    status,
    at: reportedAt(receipt.timestamp, now),
    reason: status === 'failed' && error !== undefined ? readPlatformError(error).reason : null,
  }
}
