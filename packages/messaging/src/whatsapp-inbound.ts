// Converts a patient's WhatsApp message of any type to an inbound report.

import { MAX } from '@clinic-data/contract'
import type { InboundReport } from './messaging-platform.ts'
import { reportedAt } from './report-instant.ts'
import { boundedText, cutText, type Fields, fieldsOf, itemsOf, wholeId } from './untrusted-json.ts'
import { PLATFORM_ID } from './whatsapp-answer.ts'

type Content = Pick<InboundReport, 'type' | 'text' | 'media'>

/** The platform writes a patient's number in E.164 without the `+`. */
const SENDER = /^[1-9]\d{3,14}$/
const MEDIA_ID = /^[\w-]{1,128}$/

/** Nobody reads more contacts or ordered products than this in one message. */
const MOST_ITEMS = 100

/**
 * Types that are not messages, or that our contract has no place for:
 * - `reaction`: a sign that is put on another message or removed, without words of its own;
 * - `edit`, `revoke`: they change a message whose event was already sent, and events are never taken back;
 * - `system`: the platform's own note that a person changed their number;
 * - `request_welcome`: someone opened the chat and has written nothing yet.
 */
const NOT_MESSAGES: readonly unknown[] = ['reaction', 'edit', 'revoke', 'system', 'request_welcome']

/**
 * Returns null for anything that is not a message to the clinic: the types above, messages in groups, answers to a request to call,
 * and messages from a sender who has only a user name, because our conversations are identified by phone number.
 */
export function inboundReport(
  account_id: string,
  message: Fields,
  nameOf: (sender: string) => string | null,
  now: Date,
): InboundReport | null {
  const platform_message_id = wholeId(message.id, PLATFORM_ID)
  const sender = wholeId(message.from, SENDER)
  if (platform_message_id === null || sender === null) return null
  if (NOT_MESSAGES.includes(message.type) || message.group_id !== undefined) return null
  const content = contentOf(message)
  if (content === null) return null
  return {
    kind: 'inbound',
    account_id,
    platform_message_id,
    from_phone: `+${sender}`,
    display_name: nameOf(sender),
    ...content,
    replied_to_platform_id: wholeId(fieldsOf(message.context).id, PLATFORM_ID),
    at: reportedAt(message.timestamp, now),
  }
}

/**
 * Finds a sender's name in a webhook's `contacts`. The number can be written differently there than in the message (Mexico, Brazil),
 * but a single contact is certainly the sender.
 */
export function displayNames(contacts: unknown): (sender: string) => string | null {
  const senders = itemsOf(contacts).map(fieldsOf)
  const byNumber = new Map(senders.map((sender) => [sender.wa_id, sender]))
  const only = senders.length === 1 ? senders[0] : undefined
  return (sender) => boundedText(fieldsOf((byNumber.get(sender) ?? only)?.profile).name, MAX.name)
}

function contentOf(message: Fields): Content | null {
  switch (message.type) {
    case 'text':
      return words(fieldsOf(message.text).body)
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
    case 'sticker':
      return mediaContent(message.type, fieldsOf(message[message.type]))
    case 'contacts':
      return { ...words(sharedContacts(message.contacts)), type: 'contacts' }
    case 'location':
      return words(place(fieldsOf(message.location)))
    // The patient tapped a template's button. Its label is the answer.
    case 'button':
      return words(fieldsOf(message.button).text)
    case 'interactive':
      return choice(fieldsOf(message.interactive))
    case 'order':
      return words(order(fieldsOf(message.order)))
    // `unsupported` (polls, view-once photos, a first message that the platform could not pass on) and future types. The patient
    // did write, so the free-text window opens and staff can look on the phone. Only the words are missing.
    default:
      return words(null)
  }
}

function words(text: unknown): Content {
  return { type: 'text', text: boundedText(text, MAX.message), media: null }
}

function mediaContent(type: Content['type'], { id, mime_type, caption, filename }: Fields): Content {
  const media_id = wholeId(id, MEDIA_ID)
  const media = media_id && {
    id: media_id,
    type: boundedText(mime_type, MAX.content_type) ?? 'application/octet-stream',
    file_name: boundedText(filename, MAX.file_name),
  }
  return { type, text: boundedText(caption, MAX.message), media: media || null }
}

/** One line per contact: its name, then its phones. */
function sharedContacts(contacts: unknown): string {
  const shared = itemsOf(contacts).slice(0, MOST_ITEMS).map(fieldsOf)
  return joined(
    '\n',
    shared.map(({ name, phones }) => {
      const numbers = itemsOf(phones).slice(0, MOST_ITEMS)
      return joined(', ', [part(fieldsOf(name).formatted_name), ...numbers.map((one) => part(fieldsOf(one).phone))])
    }),
  )
}

/** The name, the address, and the position as a `geo:` address (RFC 5870), which is the same in every language. */
function place({ name, address, latitude, longitude }: Fields): string {
  const isPlace = Number.isFinite(latitude) && Number.isFinite(longitude)
  return joined('\n', [part(name), part(address), isPlace ? `geo:${latitude},${longitude}` : null])
}

/** The label of the choice, or a form's own summary. The form's fields are left out: they are data for a program. */
function choice(interactive: Fields): Content | null {
  if (interactive.type === 'call_permission_reply') return null
  const { title } = fieldsOf(interactive.button_reply ?? interactive.list_reply)
  return words(title ?? fieldsOf(interactive.nfm_reply).body)
}

/** The patient's text, then one line per product with its quantity and its id in the catalog. */
function order({ text, product_items }: Fields): string {
  const products = itemsOf(product_items).slice(0, MOST_ITEMS).map(fieldsOf)
  const items = products.map(({ quantity, product_retailer_id }) => {
    const id = part(product_retailer_id)
    return id && Number.isSafeInteger(quantity) ? `${quantity} × ${id}` : id
  })
  return joined('\n', [part(text), ...items])
}

/** One part of a composed text, on one line. */
function part(value: unknown): string | null {
  return boundedText(value, MAX.message)?.replace(/\s+/g, ' ').trim() || null
}

function joined(separator: string, parts: readonly (string | null)[]): string {
  return cutText(parts.filter(Boolean).join(separator), MAX.message)
}
