// The audit rows that still wait when a process that stops can wait no longer: their requests get 503, and the log names them.
import type { AuditTrail } from '@clinic-data/contract/audit-trail'
import type { Log } from '../telemetry/log.ts'

/** Rows that are being stored at the deadline have this long to be stored. */
const LAST_MS = 1_000

/** @param deadline aborted when the process that stops waits for the database no longer. */
export function nameLastRows(auditTrail: AuditTrail, log: Log, deadline: AbortSignal | undefined): void {
  const giveUp = () => {
    const request_ids = auditTrail.giveUp()
    if (request_ids.length > 0) log.error({ request_ids }, 'the audit rows of these requests could not be stored')
  }
  deadline?.addEventListener('abort', () => setTimeout(giveUp, LAST_MS).unref())
}
