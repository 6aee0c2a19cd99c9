// Whose data a stored file holds: the patients of its call, its chat message, its accounting document.
import { MAX } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { patientsWithPhone } from './patient-summary.ts'

/**
 * The ids, as a JSON array without duplicates. Empty for a file that nothing refers to, and for one that more than `MAX.patients`
 * share: a picture sent to all is nobody's data. The row of its link names the patient whose message it was.
 */
export function patientsOfFile(clinic_id: string, file_id: string): Statement {
  const withPhones = (table: Statement, column: Statement) => sql`
    select someone ->> 'id' as id from ${table} used
      cross join json_array_elements(${patientsWithPhone(clinic_id, sql`used.patient_phone`)}) someone
    where used.clinic_id = ${clinic_id} and used.${column} = ${file_id}`
  return sql`(select case when count(distinct whose.id) between 1 and ${MAX.patients} then json_agg(distinct whose.id) else '[]' end from (
    ${withPhones(sql`call`, sql`recording_file_id`)}
    union all ${withPhones(sql`chat_message`, sql`media_file_id`)}
    union all select named.id from payment_document document
      join payment on payment.clinic_id = ${clinic_id} and payment.id = document.payment_id
      cross join unnest(array[payment.patient_id, document.named_patient_id]) named (id)
    where document.clinic_id = ${clinic_id} and document.file_id = ${file_id} and named.id is not null) whose)`
}
