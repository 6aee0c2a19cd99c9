// Chat conversations: the list and one by id.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import { orderOfLatest } from '@clinic-data/records/lists/page'
import { chatConversationColumns, renderChatConversation } from '@clinic-data/records/resources/chat-conversation'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import { type List, listHandlers, oneHandler } from '../../handling/list.ts'

type Query = Omit<HandlerInput<Operations['chat.conversations.list']>['query'], 'patient_id'>

const conversations: List<Query, { render: typeof renderChatConversation }> = {
  name: sql`c`,
  from: sql`chat_conversation c`,
  order: orderOfLatest(sql`c`, sql`activity_sort`),
  phone: sql`c.patient_phone`,
  filters: {
    phone: (phone, { country }) => sql`c.patient_phone = ${comparedPhone(phone, country)}`,
    is_handled: (is) => (is ? sql`c.is_handled` : sql`not c.is_handled`),
    window_open: (is, _clinic, now) => (is ? windowIsOpen(now) : windowIsClosed(now)),
  },
  columns: chatConversationColumns,
  render: renderChatConversation,
}

export function chatConversationHandlers(
  parts: HandlerParts,
): HandlersOf<'chat.conversations.list' | 'chat.conversations.get'> {
  const select = (clinic: Clinic, id: string) => sql`select ${chatConversationColumns(clinic, parts.now())}
    from chat_conversation c where c.clinic_id = ${clinic.clinic_id} and c.id = ${id}`
  return {
    'chat.conversations.list': listHandlers(parts, conversations).whole,
    'chat.conversations.get': oneHandler(parts, 'chat conversation', select, renderChatConversation),
  }
}

/** Bounded on both sides: the planner then expects few rows even when it plans for any `at`, and uses their index. */
function windowIsOpen(at: Date): Statement {
  return sql`c.free_text_window_expires_at > ${at} and c.free_text_window_expires_at < 'infinity'`
}

function windowIsClosed(at: Date): Statement {
  return sql`(c.free_text_window_expires_at is null or c.free_text_window_expires_at <= ${at})`
}
