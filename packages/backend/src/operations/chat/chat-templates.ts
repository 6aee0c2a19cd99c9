// Chat templates: the list.
import type { HandlerInput, Operations } from '@clinic-data/contract'
import { templateCategories, templateStatuses } from '@clinic-data/contract/resources/chat'
import { sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { chatTemplateResource } from '@clinic-data/records/resources/chat-template'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import { type List, listHandlers } from '../../handling/list.ts'

type Query = HandlerInput<Operations['chat.templates.list']>['query']

const templates: List<Query, typeof chatTemplateResource> = {
  name: sql`t`,
  from: sql`chat_template t`,
  order: { sort: sql`t.name`, kind: 'text', id: sql`t.id` },
  filters: {
    status: choiceFilter('t.status', templateStatuses),
    category: choiceFilter('t.category', templateCategories),
    language: (language) => sql`t.language = ${language}`,
  },
  columns: chatTemplateResource.columns,
  render: chatTemplateResource.render,
}

export function chatTemplateHandlers(parts: HandlerParts): HandlersOf<'chat.templates.list'> {
  const { whole } = listHandlers(parts, templates)
  return {
    'chat.templates.list': (grant, { query: { status = 'approved', ...query } }) =>
      whole(grant, { query: { ...query, status } }),
  }
}
