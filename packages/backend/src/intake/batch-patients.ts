// The patients whose data a batch has changed, for the audit log: those that its records name, those of its events, and where a change
// may be without an event, those with the phones of its rows.
import type { Clinic } from '@clinic-data/contract'
import { patientsOfEvent } from '@clinic-data/contract/patients-of'
import { sql, type Transaction } from '@clinic-data/database'
import type { Change } from '@clinic-data/webhooks'
import { isWithoutChange, type RecordOutcome, type RecordsOperation } from '../ingest/ingest-operation.ts'

interface Batch {
  records: readonly Record<string, unknown>[]
  /** In the order of the records. One that changed nothing counts for nothing. */
  outcomes: readonly RecordOutcome[]
  changes: readonly Change[]
}

export async function patientsOfBatch(
  tx: Transaction,
  { clinic_id }: Clinic,
  { references, ofPhones }: RecordsOperation,
  { records, outcomes, changes }: Batch,
): Promise<string[]> {
  const fields = Object.keys(references).filter((field) => references[field] === 'patient')
  const changed = records.filter((_, place) => {
    const outcome = outcomes[place]
    return outcome === undefined || !isWithoutChange(outcome)
  })
  const named = changed.flatMap((record) => fields.map((field) => record[field])).filter((id) => typeof id === 'string')
  const reported = changes.flatMap(({ type, data }) => patientsOfEvent(type, JSON.parse(data)))
  if (ofPhones === undefined || changed.length === 0) return [...new Set([...named, ...reported])]
  const ids = outcomes.filter((one) => !isWithoutChange(one)).map(({ id }) => id)
  const { rows } = await tx.query<{ patient_id: string }>(sql`select distinct contact.patient_id
    from ${sql.identifier(ofPhones)} stored join patient_contact contact on contact.clinic_id = ${clinic_id}
      and contact.type = 'phone' and contact.value_normal = stored.patient_phone
    where stored.clinic_id = ${clinic_id} and stored.id = any(${ids}::text[])`)
  return [...new Set([...named, ...reported, ...rows.map(({ patient_id }) => patient_id)])]
}
