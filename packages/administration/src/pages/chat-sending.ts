// How a clinic's chat messages get on: which wait to be sent, and of which nobody knows whether the platform has them. One statement,
// whose cost does not grow with the number of messages.
import type { ChatSending } from '@clinic-data/console-contract/clinic-operations'
import { COUNTED_MESSAGES } from '@clinic-data/contract/limits'
import { type ClinicDatabase, instant, type Statement, sql } from '@clinic-data/database'
import type { ActiveSession } from '../sessions/sessions.ts'

const FAILED_MS = 7 * 24 * 60 * 60_000

type Kind = keyof ChatSending | 'sent'

interface KindRow {
  kind: Kind
  count: number
  oldest_at: string | null
}

/** Null if the clinic has sent no message. */
export async function chatSending(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  now: Date,
): Promise<ChatSending | null> {
  const { clinic_id } = clinic
  const kinds: Record<Kind, Statement> = {
    waiting: queued(clinic_id, ['waiting']),
    unanswered: queued(clinic_id, ['unknown', 'sending']),
    // The sender's own word for it, told as the index has it: as a parameter it would not find the index.
    unknown: sql`select created_at from chat_message where clinic_id = ${clinic_id} and failure_reason = 'outcome_unknown'
      and sent_at is null and delivered_at is null and failed_at > ${new Date(now.getTime() - FAILED_MS)}
      order by failed_at limit ${COUNTED_MESSAGES}`,
    sent: sql`select created_at from chat_message where clinic_id = ${clinic_id} and direction = 'outbound'
      order by created_at limit 1`,
  }
  const counts = Object.entries(kinds).map(
    ([kind, messages]) => sql`select ${kind}::text as kind, least(count(*), ${COUNTED_MESSAGES})::int as count,
      min(created_at) as oldest_at from (${messages}) messages`,
  )
  const rows = await consoleDatabase.read<KindRow>(clinic, sql.join(counts, sql` union all `))
  const of = (kind: Kind) => {
    const { count = 0, oldest_at = null } = rows.find((row) => row.kind === kind) ?? {}
    return { count, oldest_at: instant(oldest_at) }
  }
  if (of('sent').count === 0) return null
  return { waiting: of('waiting'), unanswered: of('unanswered'), unknown: of('unknown') }
}

/**
 * The first ones of each state, however many there are, and each message by its id. The state is a range of one, and the first of the order:
 * only the index that begins with clinic and state has this order, so that no other clinic's queue is read.
 */
function queued(clinic_id: string, states: readonly string[]): Statement {
  const first = states.map(
    (state) => sql`(select message_id from chat_send
      where clinic_id = ${clinic_id} and state between ${state} and ${state} order by state, due_at limit ${COUNTED_MESSAGES})`,
  )
  return sql`select (select m.created_at from chat_message m where m.clinic_id = ${clinic_id} and m.id = s.message_id) as created_at
    from (${sql.join(first, sql` union all `)}) s`
}
