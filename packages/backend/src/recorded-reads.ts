// The audit row of a read that came over the port with its record, and the trail that stores it: the row is the one that the gateway would
// store of the same answer (docs/decisions/0154).
import type { AnyAnswer, AuditRow, Backend, Grant, Operation, ReadRecord } from '@clinic-data/contract'
import { AuditTrail } from '@clinic-data/contract/audit-trail'
import { auditedAs, auditedIn } from '@clinic-data/contract/audited'
import type { Log } from '@clinic-data/surface/log'
import { metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const RECORDED_READ_METRICS = {
  waiting: {
    name: 'backend.audit.waiting',
    kind: 'gauge',
    unit: '{row}',
    labels: [],
    description: 'Audit rows that wait to be stored with the answers of separate gateways. Their requests wait too.',
  },
} as const

/** Stores the rows of reads. Its gauge is made with it: by then the process's meters are set up. */
export function trailOf(backend: Pick<Backend, 'audit'>, log: Log): AuditTrail {
  const trail = new AuditTrail((rows) =>
    backend.audit(rows).catch((err) => {
      log.warn({ err }, 'reads could not be recorded with their answers: the gateways record them')
      throw err
    }),
  )
  const { waiting } = RECORDED_READ_METRICS
  metrics
    .getMeter('clinic-data-backend')
    .createObservableGauge(waiting.name, waiting)
    .addCallback((result) => result.observe(trail.waitingRows))
  return trail
}

interface AnsweredRead {
  grant: Grant
  operation: Operation
  answer: AnyAnswer
  record: ReadRecord
  request_id: string
  /** Milliseconds that the read took here. */
  took_ms: number
}

export function rowOf({ grant, operation, answer, record, request_id, took_ms }: AnsweredRead): AuditRow {
  const { surface, address, named, elapsed_ms } = record
  const { resource_ids, patient_ids, count } = auditedAs(operation, auditedIn(operation, answer), named)
  return {
    at: new Date().toISOString(),
    clinic_id: grant.clinic.clinic_id,
    key_id: grant.principal.key_id,
    operation: operation.id,
    surface,
    resource_ids,
    patient_ids: [...new Set([...record.patient_ids, ...patient_ids])],
    count,
    status: operation.status,
    request_id,
    address,
    ...(elapsed_ms === undefined ? {} : { duration_ms: elapsed_ms + Math.round(took_ms) }),
  }
}
