// The audit row of what the watch does by itself. The act and its row are stored together.
import { newId } from '@clinic-data/contract/new-id'
import type { Transaction } from '@clinic-data/database'
import { auditWithin } from './audit.ts'

/** Stands where a row names who did it. No key and no person has this id. */
export const WATCH = 'watch'

export const WATCH_STOPPED = 'watch.integrations.stop'

interface WatchAct {
  clinic_id: string
  /** The integration, and the alerts for which it was stopped. */
  ids: readonly string[]
  /** The name of the dispatcher's machine. */
  machine: string
  now: Date
}

/** Runs in the transaction of the act, last. */
export function recordStop(tx: Transaction, { clinic_id, ids, machine, now }: WatchAct): void {
  auditWithin(tx, {
    at: now.toISOString(),
    clinic_id,
    operation: WATCH_STOPPED,
    resource_ids: ids,
    count: ids.length,
    status: 200,
    patient_ids: [],
    key_id: WATCH,
    // Its rows count as no use of a key.
    surface: 'console',
    request_id: newId('req', now),
    address: machine,
  })
}
