// Chat conversations: the list and one by id.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { changedSince } from '@clinic-data/records/filters/period'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import {
  type ChatConversationRow,
  chatConversationColumns,
  renderChatConversation,
} from '@clinic-data/records/resources/chat-conversation'
import { notFound } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import {
  type Order,
  orderOfChange,
  orderOfLatest,
  type Positioned,
  pageAnswer,
  pageOfPatient,
  pageOrder,
} from '../../handling/page.ts'

type ListQuery = HandlerInput<Operations['chat.conversations.list']>['query']

const latestFirst = orderOfLatest(sql`c`, sql`activity_sort`)
const byChange = orderOfChange(sql`c`)

export function chatConversationHandlers({
  database,
  now,
}: HandlerParts): HandlersOf<'chat.conversations.list' | 'chat.conversations.get'> {
  return {
    'chat.conversations.list': async ({ clinic }, { query }) => {
      const at = now()
      const { order, rows } = listed(clinic, query, at)
      const found = await database.read<ChatConversationRow & Positioned>(
        clinic,
        sql`select ${chatConversationColumns(clinic, at)}, c.sort from ${rows} c ${pageOrder(sql`c`, order)}`,
      )
      return pageAnswer(found, query, renderChatConversation)
    },

    'chat.conversations.get': async ({ clinic }, { params: { id } }) => {
      const [row] = await database.read<ChatConversationRow>(
        clinic,
        sql`select ${chatConversationColumns(clinic, now())} from chat_conversation c
          where c.clinic_id = ${clinic.clinic_id} and c.id = ${id}`,
      )
      if (row === undefined) throw notFound('chat conversation', id)
      return { data: renderChatConversation(row) }
    },
  }
}

function listed({ clinic_id, country }: Clinic, query: ListQuery, at: Date): { order: Order; rows: Statement } {
  const { phone, is_handled, window_open, updated_since } = query
  const where = [sql`c.clinic_id = ${clinic_id}`]
  if (phone !== undefined) where.push(sql`c.patient_phone = ${comparedPhone(phone, country)}`)
  if (is_handled !== undefined) where.push(is_handled ? sql`c.is_handled` : sql`not c.is_handled`)
  if (window_open === true) where.push(windowIsOpen(at))
  if (window_open === false) {
    where.push(sql`(c.free_text_window_expires_at is null or c.free_text_window_expires_at <= ${at})`)
  }
  if (updated_since !== undefined) where.push(changedSince(byChange.sort, updated_since))
  const order = updated_since === undefined ? latestFirst : byChange
  const listed = { columns: sql`c.*`, from: sql`chat_conversation c`, where, order }
  return { order, rows: pageOfPatient(clinic_id, sql`c.patient_phone`, listed, query) }
}

/** Bounded on both sides: the planner then expects few rows even when it plans for any `at`, and uses their index. */
function windowIsOpen(at: Date): Statement {
  return sql`c.free_text_window_expires_at > ${at} and c.free_text_window_expires_at < 'infinity'`
}
