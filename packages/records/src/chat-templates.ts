// Stores message templates with their approval by the messaging platform.

import { type Clinic, MAX } from '@clinic-data/contract'
import { templateCategories, templateStatuses } from '@clinic-data/contract/resources/chat'
import { choice, GivenId, list, nullable, type Static, strictObject, text } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { chatTemplateFields } from './resources/chat-template.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt } from './storing/record-schema.ts'
import { derived, recordTable, type Stored, stored } from './storing/record-table.ts'
import { storedOf, storeRows } from './storing/store-rows.ts'

const TemplateVariableRecord = strictObject({
  name: text(MAX.code, { minLength: 1, description: 'As it is in the body, without braces.' }),
  example: nullable(text(MAX.template_text), { description: 'The example value that the platform was given.' }),
})

const Header = strictObject({
  type: choice(['text', 'image', 'document', 'video']),
  text: nullable(text(MAX.template_text), { description: 'Null for media.' }),
})

export const ChatTemplateRecord = strictObject({
  id: GivenId,
  name: text(MAX.template_name, { minLength: 1, description: 'Unique with the language.' }),
  language: text(MAX.code, { minLength: 1, description: 'Language code, for example `he` or `en_US`.' }),
  category: choice(templateCategories, { description: 'Decides how a message is billed.' }),
  status: choice(templateStatuses, { description: 'Only approved templates can be sent.' }),
  header: nullable(Header, { description: 'The part above the body.' }),
  body: text(MAX.template_text, { minLength: 1, description: '`{{name}}` stands for a variable.' }),
  footer: nullable(text(MAX.template_text)),
  variables: list(TemplateVariableRecord, MAX.template_variables),
  ...RecordedAt,
})
export type ChatTemplateRecord = Static<typeof ChatTemplateRecord>

export function checkChatTemplate(record: ChatTemplateRecord): Finding[] {
  return findingsIn(ChatTemplateRecord, record)
}

const templates = recordTable<ChatTemplateRecord>()({
  name: 'chat_template',
  fields: {
    id: 'key',
    ...stored(chatTemplateFields),
    header: [
      derived('header_type', ({ header }) => header?.type ?? null),
      derived('header_text', ({ header }) => header?.text ?? null),
    ],
    variables: 'json',
    created_at: 'once',
    updated_at: 'updated',
  },
})

export async function storeChatTemplates(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatTemplateRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, templates, records))
}

export const chatTemplateKind = recordKind<ChatTemplateRecord>({
  record: ChatTemplateRecord,
  table: 'chat_template',
  unique: [['name', 'language']],
  check: checkChatTemplate,
  store: storeChatTemplates,
})
