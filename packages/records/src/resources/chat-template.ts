// A chat template's columns, and its rendering as the contract's resource.
import type { ChatTemplate } from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { sql } from '@clinic-data/database'
import { type RowOf, resourceTable } from './resource-table.ts'

type Template = Static<typeof ChatTemplate>

interface Columns {
  header_type: NonNullable<Template['header']>['type'] | null
  header_text: string | null
}

/** These fields are stored as records give them, and shown unchanged. */
export const chatTemplateFields = ['name', 'language', 'category', 'status', 'body', 'footer'] as const

export const chatTemplateResource = resourceTable<Template, Columns>()({
  relation: 't',
  stored: ['id', ...chatTemplateFields, 'variables'],
  instants: ['updated_at'],
  made: {
    header: {
      columns: sql`t.header_type, t.header_text`,
      render: ({ header_type: type, header_text: text }) => (type === null ? null : { type, text }),
    },
  },
})
export type ChatTemplateRow = RowOf<typeof chatTemplateResource>
