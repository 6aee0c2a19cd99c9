// The audit rows of deliveries: which patients' data a webhook's receiver was sent. One row for each request that was written.
import { patientsOf } from '@clinic-data/contract/patients-of'
import type { Database } from '@clinic-data/database'
import type { RecordHandedOver } from '@clinic-data/webhooks/engine/complete'
import { appendAudit, type StoredAuditRow } from './audit.ts'

/** The name of these rows. `key_id` is the subscription's id, `address` the receiver's host, `request_id` the event's id. */
export const DELIVERED = 'webhooks.deliver'

/** The status of a request without an answer. */
const NO_ANSWER = 504

/** @param database opened with the owner's url. */
export function recordDeliveries(database: Database): RecordHandedOver {
  return (handed) => appendAudit(database, handed.map(rowOf))
}

type Handed = Parameters<RecordHandedOver>[0][number]

function rowOf({ claimed, event, started_at, duration_ms, response_status }: Handed): StoredAuditRow {
  return {
    clinic_id: claimed.clinic_id,
    at: started_at.toISOString(),
    key_id: claimed.subscription_id,
    operation: DELIVERED,
    surface: 'webhook',
    resource_ids: typeof event.data.id === 'string' ? [event.data.id] : [],
    patient_ids: patientsOf('event', [event]),
    count: 1,
    status: response_status ?? NO_ANSWER,
    request_id: claimed.event_id,
    address: new URL(claimed.url).host,
    duration_ms,
  }
}
