// The migrations of the clinic's schema in order, and the distribution of its tables on a cluster.
import type { DistributedTable } from '@clinic-data/database/schema/distribute-tables'
import { type Migration, readMigrations } from '@clinic-data/database/schema/migrate'
import { migrations as webhookMigrations, tables as webhookTables } from '@clinic-data/webhooks/migrations'

/** Their numbers share one sequence with the migrations of the webhooks. */
export const migrations: readonly Migration[] = [
  ...readMigrations(new URL('../migrations/', import.meta.url)),
  ...webhookMigrations,
].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Programs that know this migration also run on today's tables, while they are migrated and afterwards: `rollback.long.test.ts`. */
export const RUNS_ON_ITS_TABLES = '0028_quiet_audit'

/** Read before a request's clinic is known, so every machine has a copy. */
const references = ['ingest_token']

/** Everything else is distributed by clinic. */
const distributed = [
  ...['branch', 'provider', 'working_hours', 'time_off', 'appointment_type', 'appointment_status'],
  ...['treatment_category', 'catalog_treatment', 'billing_account', 'patient_status'],
  ...['patient', 'patient_contact', 'patient_name'],
  ...['appointment', 'appointment_provider'],
  ...['treatment_plan', 'treatment', 'payment', 'payment_document'],
  ...['file', 'file_piece', 'call', 'chat_conversation', 'chat_message', 'chat_template', 'lead'],
  ...['idempotency', 'lead_activity', 'document_counter', 'chat_send'],
  ...['audit', 'audit_seal', 'audit_former_seal', 'audit_head', 'audit_hour'],
  ...['administrator', 'administrator_session', 'sign_in_link', 'sign_in_attempt', 'passkey', 'spent_challenge'],
]

export const tables: readonly DistributedTable[] = [
  ...webhookTables,
  ...references.map((table) => ({ table, kind: 'reference' as const })),
  ...distributed.map((table) => ({ table, kind: 'distributed' as const })),
]
