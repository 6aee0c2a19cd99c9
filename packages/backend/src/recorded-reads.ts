// The audit row of a read that came over the port with its record: the one that the gateway would store of the same answer
// (docs/decisions/0154).
import type { AnyAnswer, AuditRow, Grant, Operation, ReadRecord } from '@clinic-data/contract'
import { auditedAs, auditedIn } from '@clinic-data/contract/audited'

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
