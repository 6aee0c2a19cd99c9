// The base of the sending tests: a clinic on a platform, with a patient, a conversation and templates, and its queue.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { testClinic } from '../run/test-database.ts'
import { insert, insertPatient, type Row } from './rows.ts'

/**
 * When these tests happen. A sender of another test takes what is due in all clinics of the database; before it waits for
 * these messages it has ended.
 */
export const NOW_MS = Date.UTC(2150, 6, 12, 6, 30)

export const CLINIC_PHONE = '+97248123456'
export const PATIENT_PHONE = '+972501234567'

/** `p1` has a phone and the conversation `v1`, whose window is open until the given time. */
export async function chatClinic(owner: Database, open_until: string | null = '2200-01-01T00:00:00Z'): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await owner.query(sql`update clinic set messaging_phone = ${CLINIC_PHONE}, wrapping_template_name = 'clinic_message',
    wrapping_template_language = 'en' where clinic_id = ${clinic.clinic_id}`)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' }, [PATIENT_PHONE])
  await insert(owner, clinic, 'chat_conversation', {
    id: 'v1',
    patient_phone: PATIENT_PHONE,
    patient_phone_local: '0501234567',
    free_text_window_expires_at: open_until,
  })
  const template = { category: 'marketing', variables: '[{"name":"text","example":null}]' }
  await insert(owner, clinic, 'chat_template', {
    id: 't1',
    name: 'clinic_message',
    body: 'From the clinic: {{text}} — thank you',
    ...template,
  })
  return clinic
}

/** The messages that are still in the queue. */
export async function queueOf(owner: Database, { clinic_id }: Clinic): Promise<Row[]> {
  const { rows } = await owner.query<Row>(sql`
    select message_id, state, attempt_count, due_at from chat_send where clinic_id = ${clinic_id} order by position`)
  return rows
}

/** The request to the platform for a message. */
export async function askedOf(owner: Database, { clinic_id }: Clinic, id: string): Promise<unknown> {
  const { rows } = await owner.query<{ platform_content: unknown }>(sql`
    select platform_content from chat_message where clinic_id = ${clinic_id} and id = ${id}`)
  return rows[0]?.platform_content
}
