// The records by which rows of the audit log mean a person without naming the patient: a lead never names one, and a call or a chat was read before
// its phone was a patient's.
import { type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { contactsOf, isNameOf, partsOf, withContact } from './whose.ts'

/** Ids of records, by the first word of the operations that name them in their rows, as `SoughtPatient` has them. */
export type NamedAs = Readonly<Record<string, readonly string[]>>

/** The oldest of each kind: those that were read before they named the patient are among them. */
const MOST_RECORDS = 500

interface Lead {
  id: string
  first_name: string
  last_name: string | null
  is_alone: boolean | null
  patient_first_name: string | null
  patient_last_name: string | null
}

interface Spoken {
  word: 'leads' | 'calls' | 'chat'
  id: string
  file_id: string | null
}

/** @param withDoubtful also leads of another name with a contact that another patient has too. */
export async function recordsOf(
  tx: Pick<Transaction, 'query'>,
  clinic: ClinicSession,
  patient_id: string,
  withDoubtful = false,
): Promise<NamedAs> {
  const { clinic_id } = clinic
  const { rows: leads } = await tx.query<Lead>(sql`select lead.id, lead.first_name, lead.last_name,
      ${withContact({ clinic, patient_id }, sql`lead`, 'theirs')} as is_alone, patient.first_name as patient_first_name, patient.last_name as patient_last_name
    from lead join patient on patient.clinic_id = ${clinic_id} and patient.id = ${patient_id}
    where lead.clinic_id = ${clinic_id} and ${withContact({ clinic, patient_id }, sql`lead`, 'either')}
    order by lead.created_at, lead.id limit ${MOST_RECORDS}`)
  const theirs = leads.filter(({ first_name, last_name, is_alone, patient_first_name, patient_last_name }) => {
    // People marry: a reader too many harms nobody here, one too few does.
    const name = partsOf(patient_first_name, patient_last_name)
    return withDoubtful || is_alone || isNameOf({ name }, partsOf(first_name, last_name))
  })
  const { rows: spoken } = await tx.query<Spoken>(spokenWith(clinic, patient_id))
  const idsOf = (word: Spoken['word']) => spoken.filter((one) => one.word === word).map(({ id }) => id)
  const [calls, chat] = [idsOf('calls'), idsOf('chat')]
  const files = spoken.flatMap(({ file_id }) => file_id ?? [])
  const spokenIds = [...calls, ...chat]
  const { rows: events } = await tx.query<{ id: string }>(sql`select id from event
    where clinic_id = ${clinic_id} and record_id = any(${spokenIds}::text[]) order by created_at, id limit ${MOST_RECORDS}`)
  const eventIds = events.map(({ id }) => id)
  const named = {
    leads: [...theirs.map(({ id }) => id), ...idsOf('leads')],
    // The row of a link names the file.
    calls: [...calls, ...files],
    chat: [...chat, ...files],
    files,
    webhooks: spokenIds,
    events: eventIds,
    // Whoever looks at a delivery, or up the events of a record.
    console: [...spokenIds, ...eventIds],
    // Under `ingest`.
    whatsapp: chat,
  }
  return Object.fromEntries(Object.entries(named).filter(([, ids]) => ids.length > 0))
}

/** Calls and chats of the person's phones, and what was erased with the person. A file that others share is nobody's. */
function spokenWith(clinic: ClinicSession, patient_id: string) {
  const { clinic_id } = clinic
  const phones = contactsOf({ clinic, patient_id }, 'phone', 'either')
  const ownFile = (table: 'call' | 'chat_message', column: 'recording_file_id' | 'media_file_id') => {
    const [rows, file] = [sql.identifier(table), sql.identifier(column)]
    return sql`case when not exists (select from ${rows} other where other.clinic_id = ${clinic_id}
      and other.${file} = spoken.${file} and other.patient_phone is distinct from spoken.patient_phone) then spoken.${file} end`
  }
  const where = sql`spoken.clinic_id = ${clinic_id} and spoken.patient_phone = any(${phones})`
  return sql`
    (select 'calls' as word, spoken.id, ${ownFile('call', 'recording_file_id')} as file_id from call spoken
      where ${where} order by spoken.started_sort, spoken.id limit ${MOST_RECORDS})
    union all (select 'chat', spoken.id, ${ownFile('chat_message', 'media_file_id')} from chat_message spoken
      where ${where} order by spoken.created_at, spoken.id limit ${MOST_RECORDS})
    union all (select 'chat', spoken.id, null from chat_conversation spoken where ${where} order by spoken.id limit ${MOST_RECORDS})
    union all (select case kind when 'lead' then 'leads' when 'call' then 'calls' else 'chat' end, id, null
      from (select kind, id, row_number() over (partition by kind order by id) as place from erased_record
        where clinic_id = ${clinic_id} and patient_id = ${patient_id} and kind <> 'patient') gone where place <= ${MOST_RECORDS})`
}
