// Inserts rows of a test's clinic as its owner. Columns that a test does not name get a plain default.

import type { Clinic } from '@clinic-data/contract'
import { foldName } from '@clinic-data/contract/folded-name'
import { type Database, type SqlScalar, sql } from '@clinic-data/database'
import { nameKeys } from '@clinic-data/records/name-keys'
import { keySound } from '@clinic-data/records/name-sounds'

export type Row = Record<string, SqlScalar | readonly SqlScalar[]>

const CREATED = { created_at: '2026-01-01T08:00:00.000Z', updated_at: '2026-01-01T08:00:00.000Z' }
const CREATED_ON = { ...CREATED, created_date: '2026-01-01' }

/** The columns without a default in the database that a test seldom cares about. */
const defaults: Record<string, Row> = {
  branch: { name: 'Branch' },
  provider: { name: 'Provider', type: 'dentist' },
  appointment_type: { name: 'Check-up', duration_minutes: 30 },
  appointment_status: { name: 'Booked', color: '#000000', kind: 'booked' },
  catalog_treatment: { name: 'Cleaning' },
  treatment_category: { name: 'Hygiene' },
  billing_account: { business_name: 'Business' },
  patient_status: { name: 'Active' },
  patient: { ...CREATED_ON, name_folded: '' },
  patient_contact: { is_primary: false },
  appointment: CREATED_ON,
  appointment_provider: { position: 0, busy: true },
  treatment_plan: { name: 'Plan' },
  treatment: CREATED_ON,
  payment: { ...CREATED, amount_minor: 10_000, currency: 'ILS', method_type: 'cash' },
  file: { content_type: 'audio/wav', file_name: 'call.wav', size_bytes: 3, created_at: CREATED.created_at },
  call: { ...CREATED, direction: 'inbound', status: 'answered', duration_seconds: 0, ring_seconds: 0 },
  chat_conversation: { ...CREATED, patient_phone: '+972500000000', patient_phone_local: '0500000000' },
  chat_message: { ...CREATED_ON, direction: 'inbound', type: 'text', status: 'received' },
  lead: { ...CREATED_ON, first_name: 'Dana', phone: '050-123-4567', source: 'website' },
  subscription: {
    url: 'https://receiver.example',
    event_types: [],
    secret: new Uint8Array(8),
    secret_last_characters: 'abcd',
    created_at: CREATED.created_at,
  },
  chat_template: { ...CREATED, language: 'en', category: 'utility', status: 'approved', body: 'Hello' },
}

/** Inserts rows of one shape into a table of the clinic. */
export async function insert(owner: Database, { clinic_id }: Clinic, table: string, ...rows: Row[]): Promise<void> {
  const whole = rows.map((row): Row => ({ clinic_id, ...defaults[table], ...row }))
  const columns = Object.keys(whole[0] ?? {})
  const values = whole.map((row) => columns.map((column) => row[column] ?? null))
  for (const some of sql.chunkRows(values)) {
    await owner.query(sql`insert into ${sql.identifier(table)} (${sql.join(columns.map(sql.identifier))})
      values ${sql.values(some)}`)
  }
}

/** A patient who can be found by name, and by the given phones in normal form. */
export async function insertPatient(owner: Database, clinic: Clinic, row: Row & { id: string }, phones: string[] = []) {
  const { id } = row
  const first_name = (row.first_name ?? null) as string | null
  const last_name = (row.last_name ?? null) as string | null
  await insert(owner, clinic, 'patient', { name_folded: foldName(`${first_name ?? ''} ${last_name ?? ''}`), ...row })
  for (const key of nameKeys(first_name, last_name)) {
    await insert(owner, clinic, 'patient_name', { key, patient_id: id, sound: keySound(key) })
  }
  for (const [position, phone] of phones.entries()) {
    await insert(owner, clinic, 'patient_contact', {
      patient_id: id,
      position,
      type: 'phone',
      value: phone,
      value_normal: phone,
      is_primary: position === 0,
    })
  }
}

/** An appointment with the copies of its times that its providers' rows hold. */
export async function insertAppointment(
  owner: Database,
  clinic: Clinic,
  row: Row & { id: string; start?: string | null; end?: string | null },
  providers: string[] = [],
  busy = true,
) {
  await insert(owner, clinic, 'appointment', row)
  for (const [position, provider_id] of providers.entries()) {
    await insert(owner, clinic, 'appointment_provider', {
      appointment_id: row.id,
      provider_id,
      position,
      start_sort: row.start ?? 'infinity',
      end: row.end ?? null,
      busy,
    })
  }
}
