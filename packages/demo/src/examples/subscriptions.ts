// The subscriptions that the examples name, and the events in the log of the first one.

import { changeAppointments } from '@clinic-data/changes/appointments'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import { exampleIds } from '@clinic-data/contract/operation'
import { WebhookRequest } from '@clinic-data/contract/resources/webhook'
import { exampleOf } from '@clinic-data/contract/schema'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { createSubscription, lockSubscription } from '@clinic-data/webhooks/subscriptions/subscription'
import { exampleBooking } from './story.ts'

/** The second one is there for the sample that deletes it. */
export const EXAMPLE_SUBSCRIPTIONS = [exampleIds.webhook, 'wh32'] as const

/**
 * Makes those that are missing, so that a sample works again after the next start. The examples' patient then books a visit, which
 * fires an event once.
 */
export async function storeExampleSubscriptions(
  database: Database,
  clinic: Clinic,
  keys: SigningKeys,
  now: Date,
): Promise<void> {
  const { url, event_types, description = null } = exampleOf(WebhookRequest)
  const { clinic_id } = clinic
  await writeChanges({ database, now: () => now }, clinic, async (tx, at) => {
    const { rows } = await tx.query(
      // The branches of a demo of an earlier version have other ids.
      sql`select from patient p join branch b on b.clinic_id = p.clinic_id
        where p.clinic_id = ${clinic_id} and p.id = ${exampleIds.patient} and b.id = ${exampleIds.branch}`,
    )
    if (rows.length === 0) return { answer: undefined, changes: [] }
    for (const id of EXAMPLE_SUBSCRIPTIONS) {
      if ((await lockSubscription(tx, clinic, id)) !== null) continue
      await createSubscription(
        tx,
        clinic,
        keys,
        { url, event_types: event_types ?? [], description, made_by: null },
        at,
        id,
      )
    }
    const { rows: booked } = await tx.query(
      sql`select id from appointment where clinic_id = ${clinic_id} and id = ${exampleBooking(at).id}`,
    )
    if (booked.length > 0) return { answer: undefined, changes: [] }
    const { changes } = await changeAppointments(tx, clinic, [exampleBooking(at)])
    return { answer: undefined, changes }
  })
}
