// The forms of the audit log's part of the port.
import { MAX, PAGE } from '../limits.ts'
import { Id, list, object, Type, text, whole } from '../schema/schema.ts'

const PatientIds = list(Id, PAGE.max * MAX.patients, {
  description: 'All patients whose data left or changed, each once.',
})

/** The part that names an answer's rows. */
export const Audited = object({
  resource_ids: list(text(MAX.id), 100),
  patient_ids: PatientIds,
  count: Type.Integer({ minimum: 0 }),
})

export const AuditRow = object({
  at: text(MAX.instant, { description: 'ISO 8601, UTC.' }),
  clinic_id: Id,
  key_id: Id,
  operation: text(MAX.name),
  surface: text(10, { enum: ['rest', 'mcp', 'file'] }),
  resource_ids: Audited.properties.resource_ids,
  patient_ids: Type.Optional(PatientIds),
  problem: Type.Optional(text(MAX.code, { description: 'The slug of the refusal.' })),
  required_scope: Type.Optional(text(MAX.code, { description: 'The scope that the key lacked.' })),
  count: Audited.properties.count,
  status: whole(100, 599),
  request_id: text(MAX.code),
  address: text(MAX.code),
  duration_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Until the answer was ready.' }),
  ),
})

/** The gateway's part of the row that a backend stores of a read. */
export const ReadRecord = object({
  surface: text(10, { enum: ['rest'] }),
  address: text(MAX.code),
  named: list(text(MAX.id), 10, { description: 'The ids in the path.' }),
  patient_ids: list(text(MAX.id), 10, { description: 'The patients whom the request names.' }),
  elapsed_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Since the request arrived at the gateway.' }),
  ),
})
