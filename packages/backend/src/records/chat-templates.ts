// Stores the message templates that the messaging platform has approved, or not.

import { type Clinic, MAX } from '@clinic-data/contract'
import { templateCategories, templateStatuses } from '@clinic-data/contract/resources/chat'
import type { Transaction } from '@clinic-data/database'
import {
  type Bounds,
  type Fault,
  faultsOf,
  faultsOfList,
  id,
  instant,
  listOf,
  nullable,
  oneOf,
  text,
} from './bounds.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows } from './store-rows.ts'

export type TemplateVariableRecord = { name: string; example: string | null }

export type ChatTemplateRecord = {
  id: string
  /** With the language it is unique. */
  name: string
  language: string
  category: (typeof templateCategories)[number]
  status: (typeof templateStatuses)[number]
  header: { type: 'text' | 'image' | 'document' | 'video'; text: string | null } | null
  body: string
  footer: string | null
  variables: readonly TemplateVariableRecord[]
  created_at: string
  updated_at: string
}

const header: Bounds<NonNullable<ChatTemplateRecord['header']>> = {
  type: oneOf('text', 'image', 'document', 'video'),
  text: nullable(text(MAX.template_text)),
}

const variable: Bounds<TemplateVariableRecord> = { name: text(MAX.code, 1), example: nullable(text(MAX.template_text)) }

const bounds: Bounds<ChatTemplateRecord> = {
  id,
  name: text(MAX.template_name, 1),
  language: text(MAX.code, 1),
  category: oneOf(...templateCategories),
  status: oneOf(...templateStatuses),
  header: nullable((value) => faultsOf(header, value as NonNullable<ChatTemplateRecord['header']>)[0]?.reason ?? null),
  body: text(MAX.template_text, 1),
  footer: nullable(text(MAX.template_text)),
  variables: listOf(MAX.template_variables),
  created_at: instant,
  updated_at: instant,
}

export function checkChatTemplate(record: ChatTemplateRecord): Fault[] {
  const faults = faultsOf(bounds, record)
  if (!Array.isArray(record.variables)) return faults
  return [...faults, ...faultsOfList('variables', () => variable, record.variables)]
}

const { fields, derived, json, once } = columnsOf<ChatTemplateRecord>()

const templates: RecordTable<ChatTemplateRecord> = {
  name: 'chat_template',
  key: fields('id'),
  columns: [
    ...fields('name', 'language', 'category', 'status', 'body', 'footer'),
    derived('header_type', (record) => record.header?.type ?? null),
    derived('header_text', (record) => record.header?.text ?? null),
    json('variables', (record) => record.variables),
    ...once(fields('created_at')),
  ],
  updatedAt: (record) => record.updated_at,
}

export async function storeChatTemplates(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatTemplateRecord[],
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, templates, records))
}
