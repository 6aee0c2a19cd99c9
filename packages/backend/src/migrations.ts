// The clinic's schema: its migrations in order, and how its tables lie on a cluster.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { DistributedTable } from '@clinic-data/database/distribute-tables'
import type { Migration } from '@clinic-data/database/migrate'

const folder = new URL('../migrations/', import.meta.url)

export const migrations: readonly Migration[] = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => ({ id: basename(file, '.sql'), statements: readFileSync(new URL(file, folder), 'utf8') }))

/** Read before the clinic of a request is known, and by every clinic's tables: a copy stands on every machine. */
const references = ['clinic', 'api_key']

/** Everything else lies with its clinic. */
const distributed = [
  ...['branch', 'provider', 'working_hours', 'time_off', 'appointment_type', 'appointment_status'],
  ...['treatment_category', 'catalog_treatment', 'billing_account', 'patient_status'],
  ...['patient', 'patient_contact', 'patient_name'],
  ...['appointment', 'appointment_provider'],
  ...['treatment_plan', 'treatment', 'payment', 'payment_document'],
  ...['file', 'file_piece', 'call', 'chat_conversation', 'chat_message', 'chat_template', 'lead'],
  ...['audit', 'audit_seal'],
]

export const tables: readonly DistributedTable[] = [
  ...references.map((table) => ({ table, kind: 'reference' as const })),
  ...distributed.map((table) => ({ table, kind: 'distributed' as const })),
]
