// Webhook bodies in WhatsApp's wire format, one message or receipt of every kind.

export const ACCOUNT = '106540352242922'
export const SENT_AT = '1783837721'
export const SENT_ISO = '2026-07-12T06:28:41Z'
export const SENDER = '972501234567'
export const NOW = new Date('2026-07-12T06:29:00.500Z')

type Json = Record<string, unknown>

export function payload(value: Json, field = 'messages'): Json {
  const metadata = { display_phone_number: '97248123456', phone_number_id: ACCOUNT }
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
  return { object: 'whatsapp_business_account', entry: [{ id: '102290129340398', changes: [change] }] }
}

export function inbound(message: Json): Json {
  return payload({
    contacts: [{ profile: { name: 'Noa L.' }, wa_id: SENDER }],
    messages: [{ from: SENDER, id: 'wamid.in1', timestamp: SENT_AT, ...message }],
  })
}

export function receipt(status: Json): Json {
  const sent = { id: 'wamid.out1', recipient_id: SENDER, timestamp: SENT_AT, biz_opaque_callback_data: 'out_70412' }
  return payload({ statuses: [{ ...sent, ...status }] })
}

const media = {
  id: '2754859441498128',
  mime_type: 'image/jpeg',
  sha256: '5u/cb9l7k=',
  url: 'https://lookaside.example',
}
const failure = { code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }

/** Messages with their reports, which omit the common fields. Null means that nothing is reported. */
export const messages: Record<string, { sent: Json; expected: Json | null }> = {
  text: {
    sent: { type: 'text', text: { body: 'אפשר לבוא בתשע? 🙂' } },
    expected: { type: 'text', text: 'אפשר לבוא בתשע? 🙂' },
  },
  'text in reply to our message': {
    sent: { type: 'text', text: { body: 'Yes' }, context: { from: '97248123456', id: 'wamid.out1' } },
    expected: { type: 'text', text: 'Yes', replied_to_platform_id: 'wamid.out1' },
  },
  'text from an ad': {
    sent: { type: 'text', text: { body: 'Hi' }, referral: { source_type: 'ad', ctwa_clid: 'x' } },
    expected: { type: 'text', text: 'Hi' },
  },
  image: {
    sent: { type: 'image', image: { ...media, caption: 'My tooth' } },
    expected: { type: 'image', text: 'My tooth', media: { id: media.id, type: 'image/jpeg', file_name: null } },
  },
  document: {
    sent: { type: 'document', document: { ...media, mime_type: 'application/pdf', filename: 'referral.pdf' } },
    expected: { type: 'document', media: { id: media.id, type: 'application/pdf', file_name: 'referral.pdf' } },
  },
  voice: {
    sent: { type: 'audio', audio: { ...media, mime_type: 'audio/ogg; codecs=opus', voice: true } },
    expected: { type: 'audio', media: { id: media.id, type: 'audio/ogg; codecs=opus', file_name: null } },
  },
  video: {
    sent: { type: 'video', video: { ...media, mime_type: 'video/mp4' } },
    expected: { type: 'video', media: { id: media.id, type: 'video/mp4', file_name: null } },
  },
  sticker: {
    sent: { type: 'sticker', sticker: { ...media, mime_type: 'image/webp', animated: false } },
    expected: { type: 'sticker', media: { id: media.id, type: 'image/webp', file_name: null } },
  },
  'image without its id': {
    sent: { type: 'image', image: { caption: 'My tooth' } },
    expected: { type: 'image', text: 'My tooth' },
  },
  contacts: {
    sent: {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Dan  Levi', first_name: 'Dan' },
          phones: [{ phone: '+972 50-765-4321' }, { wa_id: '1' }],
        },
        { name: { formatted_name: 'Dr. Cohen' } },
      ],
    },
    expected: { type: 'contacts', text: 'Dan Levi, +972 50-765-4321\nDr. Cohen' },
  },
  location: {
    sent: {
      type: 'location',
      location: { latitude: 32.0853, longitude: 34.7818, name: 'Home', address: '1 Herzl St.' },
    },
    expected: { type: 'text', text: 'Home\n1 Herzl St.\ngeo:32.0853,34.7818' },
  },
  'location without its latitude': {
    sent: { type: 'location', location: { longitude: 34.7818, address: '1 Herzl St.' } },
    expected: { type: 'text', text: '1 Herzl St.' },
  },
  button: {
    sent: { type: 'button', button: { text: 'Confirm', payload: 'confirm-7' }, context: { id: 'wamid.out1' } },
    expected: { type: 'text', text: 'Confirm', replied_to_platform_id: 'wamid.out1' },
  },
  'reply button': {
    sent: { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'b1', title: 'Later' } } },
    expected: { type: 'text', text: 'Later' },
  },
  'choice from a list': {
    sent: {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'l1', title: '10:00', description: 'Tuesday' } },
    },
    expected: { type: 'text', text: '10:00' },
  },
  'answered form': {
    sent: {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' } },
    },
    expected: { type: 'text', text: 'Sent' },
  },
  order: {
    sent: {
      type: 'order',
      order: {
        catalog_id: '7',
        text: 'Please',
        product_items: [{ product_retailer_id: 'brush', quantity: 2, item_price: 5 }],
      },
    },
    expected: { type: 'text', text: 'Please\n2 × brush' },
  },
  unsupported: {
    sent: {
      type: 'unsupported',
      errors: [{ code: 131051, title: 'Message type unknown' }],
      unsupported: { type: 'poll' },
    },
    expected: { type: 'text' },
  },
  'an unknown type': { sent: { type: 'hologram', hologram: { body: 'x' } }, expected: { type: 'text' } },
  'without a type': { sent: {}, expected: { type: 'text' } },
  reaction: { sent: { type: 'reaction', reaction: { message_id: 'wamid.out1', emoji: '👍' } }, expected: null },
  system: {
    sent: { type: 'system', system: { body: 'changed', wa_id: '972', type: 'user_changed_number' } },
    expected: null,
  },
  edit: {
    sent: { type: 'edit', edit: { original_message_id: 'wamid.in0', message: { type: 'text' } } },
    expected: null,
  },
  revoke: { sent: { type: 'revoke', revoke: { original_message_id: 'wamid.in0' } }, expected: null },
  'chat opened': { sent: { type: 'request_welcome' }, expected: null },
  'answer to a request to call': {
    sent: {
      type: 'interactive',
      interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
    },
    expected: null,
  },
  'in a group': { sent: { type: 'text', text: { body: 'Hi all' }, group_id: 'g1' }, expected: null },
  'without a phone': {
    sent: { from: undefined, from_user_id: 'IL.13491208655302741918', type: 'text', text: { body: 'Hi' } },
    expected: null,
  },
  'without an id': { sent: { id: undefined, type: 'text', text: { body: 'Hi' } }, expected: null },
}

export const receipts: Record<string, { sent: Json; expected: Json | null }> = {
  sent: {
    sent: {
      status: 'sent',
      conversation: { id: 'c', expiration_timestamp: '1' },
      pricing: { billable: true, category: 'utility' },
    },
    expected: { status: 'sent' },
  },
  delivered: { sent: { status: 'delivered' }, expected: { status: 'delivered' } },
  read: { sent: { status: 'read' }, expected: { status: 'read' } },
  failed: {
    sent: { status: 'failed', errors: [{ ...failure, error_data: { details: 'Not a WhatsApp user' } }] },
    expected: { status: 'failed', reason: 'Not a WhatsApp user (131026)' },
  },
  'failed with only a title': {
    sent: { status: 'failed', errors: [{ code: 131047, title: 'Re-engagement message' }] },
    expected: { status: 'failed', reason: 'Re-engagement message (131047)' },
  },
  'failed without a reason': { sent: { status: 'failed' }, expected: { status: 'failed' } },
  'for a message that is not ours': {
    sent: { status: 'read', biz_opaque_callback_data: 'other-program' },
    expected: { status: 'read', message_id: null },
  },
  'without our id': {
    sent: { status: 'read', biz_opaque_callback_data: undefined },
    expected: { status: 'read', message_id: null },
  },
  played: { sent: { status: 'played' }, expected: null },
  deleted: { sent: { status: 'deleted' }, expected: null },
  'in a group': { sent: { status: 'read', recipient_type: 'group', recipient_id: 'g1' }, expected: null },
  'without an id': { sent: { status: 'read', id: undefined }, expected: null },
}
