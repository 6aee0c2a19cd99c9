// Chat templates: the list.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { templateCategories, templateStatuses } from '@clinic-data/contract/resources/chat'
import { type Statement, sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { type ChatTemplateRow, chatTemplateResource } from '@clinic-data/records/resources/chat-template'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import { type Order, type Positioned, page, pageAnswer, pageOrder } from '../../handling/page.ts'

type ListQuery = HandlerInput<Operations['chat.templates.list']>['query']

const byName: Order = { sort: sql`t.name`, kind: 'text', id: sql`t.id` }

const hasStatus = choiceFilter('t.status', templateStatuses)
const hasCategory = choiceFilter('t.category', templateCategories)

export function chatTemplateHandlers({ database }: HandlerParts): HandlersOf<'chat.templates.list'> {
  return {
    'chat.templates.list': async ({ clinic }, { query }) => {
      const found = await database.read<ChatTemplateRow & Positioned>(
        clinic,
        sql`select ${chatTemplateResource.columns(clinic)}, t.sort from ${listed(clinic, query)} t ${pageOrder(sql`t`, byName)}`,
      )
      return pageAnswer(found, query, chatTemplateResource.render)
    },
  }
}

function listed({ clinic_id }: Clinic, query: ListQuery): Statement {
  const where = [sql`t.clinic_id = ${clinic_id} and ${hasStatus(query.status ?? 'approved')}`]
  if (query.category !== undefined) where.push(hasCategory(query.category))
  if (query.language !== undefined) where.push(sql`t.language = ${query.language}`)
  return page({ columns: sql`t.*`, from: sql`chat_template t`, where, order: byName }, query)
}
