// The queue of chat messages to send: finds due messages, claims them, and handles those without a clear outcome.
//
// A message is claimed in its own transaction before the platform is called. From then on it is never sent again, unless the
// platform itself says that it has not accepted it.
import type { Clinic } from '@clinic-data/contract'
import { type Database, type Statement, sql, type Transaction } from '@clinic-data/database'
import type { OutboundChatMessage } from '@clinic-data/messaging/messaging-platform'
import { CLOCKS_APART_MS } from '@clinic-data/webhooks/subscriptions/leases'

/** Longer than any send, because adapters give up earlier. After this time no sender works on the message any more. */
const LONGEST_SEND_MS = 60_000

/** How long to wait for a receipt, counted from the claim. */
const UNKNOWN_MS = 10 * 60_000

const SECOND_MS = 1000

/** The pause after each temporary refusal, in order. */
const RETRY_AFTER_MS = [5, 30, 120, 600, 1800].map((seconds) => seconds * SECOND_MS)

/** The most clinics that one look returns. */
const MOST_CLINICS = 1000

/** The most messages that one transaction gives up. */
const MOST_AT_ONCE = 100

export interface Claimed extends OutboundChatMessage {
  attempt_count: number
  claimed_at: Date
}

/** Puts a message behind the others of its conversation. The transaction must have locked the conversation. */
export async function enqueue(
  tx: Transaction,
  { clinic_id }: Clinic,
  { message_id, conversation_id }: { message_id: string; conversation_id: string },
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ position: number }>(sql`
    select coalesce(max(position), 0) + 1 as position from chat_send
    where clinic_id = ${clinic_id} and conversation_id = ${conversation_id}`)
  await tx.query(sql`insert into chat_send (clinic_id, message_id, conversation_id, position, due_at, changed_at)
    values (${clinic_id}, ${message_id}, ${conversation_id}, ${rows[0]?.position ?? 1}, ${now}, ${now})`)
}

/** The clinics with due messages. Those with the most come first. */
export async function dueClinics(database: Database, now: Date): Promise<string[]> {
  const rows = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select clinic_id, count(*)::integer as due from chat_send where due_at <= ${now}
    group by clinic_id order by due desc limit ${MOST_CLINICS}`)
  return rows.map(({ clinic_id }) => clinic_id)
}

/** The clinics whose queues hold times that were written while a clock was ahead. */
export async function clinicsWithFutureTimes(database: Database, now: Date): Promise<string[]> {
  const rows = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct clinic_id from chat_send where changed_at > ${earliestFuture(now)} limit ${MOST_CLINICS}`)
  return rows.map(({ clinic_id }) => clinic_id)
}

/**
 * Every wait that began in the future begins now, with the whole length of its kind: a message that is being sent is not sent twice.
 * The lengths are told, because a cluster does not subtract one column's time from another's.
 */
export async function endFutureTimes(tx: Transaction, clinic_id: string, now: Date): Promise<void> {
  const later = (ms: number) => sql`${new Date(now.getTime() + ms)}::timestamptz`
  const retries = RETRY_AFTER_MS.map((ms, i) => sql`when attempt_count = ${i + 1} then ${later(ms)}`)
  await tx.query(sql`update chat_send set changed_at = ${now}, due_at = case
      when state = 'sending' then ${later(LONGEST_SEND_MS)} when state = 'unknown' then ${later(UNKNOWN_MS)}
      ${sql.join(retries, sql` `)} else ${later(0)} end
    where clinic_id = ${clinic_id} and changed_at > ${earliestFuture(now)}`)
}

function earliestFuture(now: Date): Date {
  return new Date(now.getTime() + CLOCKS_APART_MS)
}

/**
 * Claims at most `most` messages, longest due first. A message waits while an earlier one of its conversation waits or is being
 * sent. An earlier one whose outcome is unknown does not hold it up.
 */
export async function claim(tx: Transaction, { clinic_id }: Clinic, most: number, now: Date): Promise<Claimed[]> {
  const { rows: free } = await tx.query<{ message_id: string }>(sql`
    select s.message_id from chat_send s
    where s.clinic_id = ${clinic_id} and s.state = 'waiting' and s.due_at <= ${now}
      and not exists (select from chat_send e where e.clinic_id = ${clinic_id}
        and e.conversation_id = s.conversation_id and e.position < s.position and e.state in ('waiting', 'sending'))
    order by s.due_at limit ${most} for update of s skip locked`)
  if (free.length === 0) return []
  const { rows } = await tx.query<ClaimedRow>(sql`
    update chat_send s set state = 'sending', attempt_count = s.attempt_count + 1,
      due_at = ${new Date(now.getTime() + LONGEST_SEND_MS)}, changed_at = ${now}
    from chat_message m
    where s.clinic_id = ${clinic_id} and s.message_id = any(${free.map(({ message_id }) => message_id)}::text[])
      and m.clinic_id = ${clinic_id} and m.id = s.message_id
    returning s.message_id, m.patient_phone as to_phone, m.platform_content as content, s.attempt_count`)
  return rows.map((row) => ({ ...row, claimed_at: now }))
}

type ClaimedRow = OutboundChatMessage & { attempt_count: number }

/** When to retry a message that the platform did not accept for now. Null if there is no retry. */
export function retryAt({ attempt_count }: Claimed, after_ms: number | null, now: Date): Date | null {
  const waitMs = RETRY_AFTER_MS[attempt_count - 1]
  return waitMs === undefined ? null : new Date(now.getTime() + Math.max(waitMs, after_ms ?? 0))
}

/** Returns a message to the queue. The platform has certainly not accepted it. Does nothing if it was settled meanwhile. */
export async function postpone(
  tx: Transaction,
  { clinic_id }: Clinic,
  { message_id }: Claimed,
  due_at: Date,
  now: Date,
): Promise<void> {
  await tx.query(sql`update chat_send set state = 'waiting', due_at = ${due_at}, changed_at = ${now}
    where clinic_id = ${clinic_id} and message_id = ${message_id}`)
}

/** Marks a message as unknown: only a receipt can show whether the platform has it. */
export async function setUnknown(
  tx: Transaction,
  { clinic_id }: Clinic,
  { message_id, claimed_at }: Claimed,
): Promise<void> {
  await tx.query(sql`update chat_send set state = 'unknown', due_at = ${new Date(claimed_at.getTime() + UNKNOWN_MS)},
      changed_at = ${claimed_at}
    where clinic_id = ${clinic_id} and message_id = ${message_id} and state = 'sending'`)
}

/** Marks messages as unknown that another sender abandoned while sending. They wait as long for a receipt as any others. */
export async function setAbandonedUnknown(tx: Transaction, { clinic_id }: Clinic, now: Date): Promise<void> {
  const due_at = new Date(now.getTime() + UNKNOWN_MS - LONGEST_SEND_MS)
  await tx.query(sql`update chat_send set state = 'unknown', due_at = ${due_at}, changed_at = ${now}
    where clinic_id = ${clinic_id} and state = 'sending' and due_at <= ${now}`)
}

/** Messages of unknown outcome that got no receipt in time. They are locked, so that no receipt can be stored meanwhile. */
export async function givenUp(tx: Transaction, { clinic_id }: Clinic, now: Date): Promise<string[]> {
  const unresolved = async (condition: Statement) => {
    const { rows } = await tx.query<{ message_id: string }>(sql`
      select message_id from chat_send where clinic_id = ${clinic_id} and state = 'unknown' and due_at <= ${now}${condition}
      limit ${MOST_AT_ONCE}`)
    return rows.map(({ message_id }) => message_id)
  }
  const found = await unresolved(sql.empty)
  if (found.length === 0) return []
  // Storing a receipt locks the message first. So once we hold the lock, a second look at the queue finds its latest state.
  await tx.query(sql`select from chat_message where clinic_id = ${clinic_id} and id = any(${found}::text[])
    order by id for update`)
  return unresolved(sql` and message_id = any(${found}::text[])`)
}
