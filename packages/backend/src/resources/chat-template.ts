// A chat template's columns, and its rendering as the contract's resource.
import type { ChatTemplate, templateCategories, templateStatuses } from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { instant, sql } from '@clinic-data/database'

type Template = Static<typeof ChatTemplate>

export interface ChatTemplateRow {
  id: string
  name: string
  language: string
  category: (typeof templateCategories)[number]
  status: (typeof templateStatuses)[number]
  header_type: NonNullable<Template['header']>['type'] | null
  header_text: string | null
  body: string
  footer: string | null
  variables: Template['variables']
  updated_at: string
}

/** Columns of the relation `t` (rows of `chat_template`). */
export const chatTemplateColumns = sql`t.id, t.name, t.language, t.category, t.status, t.header_type, t.header_text,
  t.body, t.footer, t.variables, t.updated_at`

export function renderChatTemplate(row: ChatTemplateRow): Template {
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    header: row.header_type === null ? null : { type: row.header_type, text: row.header_text },
    body: row.body,
    footer: row.footer,
    variables: row.variables,
    updated_at: instant(row.updated_at),
  }
}
