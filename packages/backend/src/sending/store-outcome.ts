// Stores the outcome of a send in the message and in the queue.

import { changeReceipts } from '@clinic-data/changes/chat-receipts'
import { type Changed, type ChangeParts, writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import type { SendOutcome } from '@clinic-data/messaging/messaging-platform'
import { type Claimed, givenUp, postpone, retryAt, setAbandonedUnknown, setUnknown } from './send-queue.ts'

/** The reasons for a failure when the platform gives none. */
const NOT_TAKEN = 'platform_unavailable'
const UNKNOWN = 'outcome_unknown'

/** For changes to the queue alone. */
export const UNDATED: Changed<unknown> = { answer: undefined, changes: [], isUndated: true }

/** @param answered_at when the platform answered, or the wait for an answer ended. */
export async function storeOutcome(
  parts: ChangeParts,
  clinic: Clinic,
  message: Claimed,
  outcome: SendOutcome,
  answered_at: Date,
): Promise<void> {
  const { message_id } = message
  await writeChanges(parts, clinic, async (tx, changedAt, now): Promise<Changed<unknown>> => {
    switch (outcome.outcome) {
      case 'accepted': {
        const { platform_message_id, accepted_at } = outcome
        const at = accepted_at ?? answered_at.toISOString()
        return changeReceipts(
          tx,
          clinic,
          [{ message_id, platform_message_id, status: 'sent', at, reason: null }],
          changedAt,
        )
      }
      case 'refused':
        return fail(tx, clinic, [message_id], outcome.reason, answered_at, changedAt)
      case 'retry': {
        const due_at = retryAt(message, outcome.after_ms, now)
        if (due_at === null) return fail(tx, clinic, [message_id], NOT_TAKEN, answered_at, changedAt)
        await postpone(tx, clinic, message, due_at, now)
        return UNDATED
      }
      case 'unknown':
        await setUnknown(tx, clinic, message)
        return UNDATED
    }
  })
}

/** Marks messages that other senders abandoned while sending as unknown. Marks messages that were unknown for too long as failed. */
export async function tidyQueue(
  tx: Transaction,
  clinic: Clinic,
  changedAt: Date,
  now: Date,
): Promise<Changed<unknown>> {
  await setAbandonedUnknown(tx, clinic, now)
  return fail(tx, clinic, await givenUp(tx, clinic, now), UNKNOWN, now, changedAt)
}

async function fail(
  tx: Transaction,
  clinic: Clinic,
  ids: readonly string[],
  reason: string,
  failed_at: Date,
  changedAt: Date,
): Promise<Changed<unknown>> {
  if (ids.length === 0) return UNDATED
  const at = failed_at.toISOString()
  const receipts = ids.map((message_id) => ({
    message_id,
    platform_message_id: null,
    status: 'failed' as const,
    at,
    reason,
  }))
  return changeReceipts(tx, clinic, receipts, changedAt)
}
