// The surroundings of a clinic's chat: which conversations are handled, the templates, and the account on the platform.

import { type RefusedRow, RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import { type Clinic, MAX } from '@clinic-data/contract'
import type { Finding } from '@clinic-data/contract/findings'
import { normalPhone } from '@clinic-data/contract/phone'
import { choice, Id, nullable, type Static, strictObject, Type, text } from '@clinic-data/contract/schema'
import { sql, type Transaction, violates } from '@clinic-data/database'
import { accountHash, platformNames } from '@clinic-data/messaging/clinic-messaging'
import { variablesIn } from '@clinic-data/messaging/template-text'
import { ChatTemplateRecord, storeChatTemplates } from '@clinic-data/records/chat-templates'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { type RecordOutcome, recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { storeRecords, withoutEvents } from './store-records.ts'

const HandledConversation = strictObject({
  conversation_id: Id,
  is_handled: Type.Boolean({
    description: 'Whether staff marked the conversation as handled. A new message from the patient sets it to false.',
  }),
})

const Messaging = sentForm(
  strictObject({
    platform: choice(platformNames, { description: '`simulated` is for tests: nothing is sent.' }),
    account_id: nullable(
      text(32, {
        format: 'digits',
        description: "The platform's id of the number (WhatsApp: `phone_number_id`).",
      }),
    ),
    phone: nullable(text(MAX.phone, { format: 'phone', description: "The clinic's own number." })),
  }),
)

export const chatSettingOperations = [
  recordsOperation({
    id: 'chat.conversations.handled.store',
    erasable: { conversation_id: 'chat_conversation' },
    ofPhones: 'chat_conversation',
    path: '/chat/conversations/handled',
    tag: 'Chat',
    summary: 'Store which conversations are handled',
    description: 'Fires no event.',
    record: HandledConversation,
    key: ['conversation_id'],
    becomes: 'updated',
    example: { conversation_id: 'conv310', is_handled: true },
    apply: storeHandled,
  }),
  recordsOperation({
    id: 'chat.templates.store',
    path: '/chat/templates',
    tag: 'Chat',
    summary: 'Store message templates',
    description: 'Only approved ones can be sent. Fires no event.',
    record: sentForm(ChatTemplateRecord),
    example: {
      id: 'tpl12',
      name: 'appointment_reminder',
      language: 'en',
      category: 'utility',
      status: 'approved',
      body: 'Dear {{name}}, see you on {{day}}.',
      variables: [{ name: 'name' }, { name: 'day' }],
    },
    apply: storeRecords<ChatTemplateRecord>({
      check: checkVariables,
      change: async (tx, clinic, records, now) => {
        await requireOwnNames(tx, clinic, records)
        return withoutEvents(storeChatTemplates)(tx, clinic, records, now)
      },
    }),
  }),
  recordsOperation({
    id: 'messaging.store',
    path: '/messaging',
    tag: 'Chat',
    summary: "Store the clinic's account on its messaging platform",
    description: 'Messages that still wait are sent there too. An account belongs to one clinic.',
    record: Messaging,
    key: ['platform'],
    becomes: 'updated',
    example: { platform: 'whatsapp', account_id: '106540352242922', phone: '+97248123456' },
    apply: storeMessaging,
  }),
]

async function storeHandled(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly Static<typeof HandledConversation>[],
  now: Date,
) {
  const ids = records.map(({ conversation_id }) => conversation_id)
  const { rows: found } = await tx.query<{ id: string; is_handled: boolean }>(sql`
    select id, is_handled from chat_conversation where clinic_id = ${clinic_id} and id = any(${ids}::text[])
    order by patient_phone for update`)
  const before = new Map(found.map(({ id, is_handled }) => [id, is_handled]))
  refuseUnknown(ids, before)
  await tx.query(sql`
    update chat_conversation stored set is_handled = input.is_handled,
      updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(records, { text: ['conversation_id'], boolean: ['is_handled'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.conversation_id and stored.is_handled <> input.is_handled`)
  const answer = records.map(({ conversation_id: id, is_handled }): RecordOutcome => {
    return { id, outcome: before.get(id) === is_handled ? 'unchanged' : 'updated' }
  })
  return { answer, changes: [] }
}

function refuseUnknown(ids: readonly string[], known: ReadonlyMap<string, unknown>): void {
  const detail = 'must be the id of a conversation'
  const rows = ids.flatMap((id, index): RefusedRow[] =>
    known.has(id) ? [] : [{ index, place: '/conversation_id', code: 'unknown_id', detail }],
  )
  if (rows.length > 0) throw new RefusedRows(rows)
}

/** A message must give every variable of its template, so clients must know them all. */
function checkVariables({ header, body, variables }: ChatTemplateRecord): Finding[] {
  const written = variablesIn(`${header?.text ?? ''}${body}`)
  const listed = variables.map(({ name }) => name)
  const isSame = new Set(listed).size === listed.length && written.length === listed.length
  if (isSame && written.every((name) => listed.includes(name))) return []
  return [{ place: '/variables', code: 'mismatch', detail: 'must name each variable of header and body once' }]
}

/** A template is sent by its name and language. */
async function requireOwnNames(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly ChatTemplateRecord[],
): Promise<void> {
  const names = records.map(({ name }) => name)
  const { rows: stored } = await tx.query<{ id: string; name: string; language: string }>(sql`
    select id, name, language from chat_template where clinic_id = ${clinic_id} and name = any(${names}::text[])`)
  const keyOf = ({ name, language }: { name: string; language: string }) => `${language} ${name}`
  const owners = new Map(stored.map((row) => [keyOf(row), row.id]))
  const refused: RefusedRow[] = []
  for (const [index, record] of records.entries()) {
    const owner = owners.get(keyOf(record))
    const detail = 'is, in this language, the name of another template'
    if (owner !== undefined && owner !== record.id) refused.push({ index, place: '/name', code: 'taken', detail })
    else owners.set(keyOf(record), record.id)
  }
  if (refused.length > 0) throw new RefusedRows(refused)
}

async function storeMessaging(tx: Transaction, clinic: Clinic, records: readonly Static<typeof Messaging>[]) {
  const { clinic_id, country } = clinic
  const answer: RecordOutcome[] = []
  for (const [index, { platform, account_id, phone }] of records.entries()) {
    if (platform === 'whatsapp' && account_id === null) {
      throw new RefusedRows([{ index, place: '/account_id', code: 'required', detail: 'is required for WhatsApp' }])
    }
    const set = sql`messaging_platform = ${platform}, messaging_account_id = ${account_id},
      messaging_account_hash = ${account_id === null ? null : accountHash(platform, account_id)},
      messaging_phone = ${phone === null ? null : normalPhone(phone, country)}`
    try {
      const before = await settings(tx, clinic)
      await tx.query(sql`update clinic set ${set} where clinic_id = ${clinic_id}`)
      answer.push({ id: clinic_id, outcome: before === (await settings(tx, clinic)) ? 'unchanged' : 'updated' })
    } catch (error) {
      if (!violates(error, 'unique')) throw error
      const detail = 'is the account of another clinic'
      throw new RefusedRows([{ index, place: '/account_id', code: 'taken', detail }])
    }
  }
  return { answer, changes: [] }
}

async function settings(tx: Transaction, { clinic_id }: Clinic): Promise<string> {
  const { rows } = await tx.query(sql`select messaging_platform, messaging_account_id, messaging_phone from clinic
    where clinic_id = ${clinic_id} for update`)
  return JSON.stringify(rows)
}
