// The writes that the benchmarks measure: what each request stores, and the data that it needs beforehand.

import type { Clinic, Scope } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { billingAccountKind } from '@clinic-data/records/catalog'

export interface MeasuredWrite {
  name: string
  scope: Scope
  /** A wrk script beside this file. It uses the keys in `KEYS` in turn, and `RUN` to make values new. */
  script: string
  /** At once, in all. */
  connections: number
  /** The tables whose rows are counted after each run: one row for each success. */
  counted: readonly string[]
  /** Stores the data that a new clinic needs. */
  prepare: (owner: Database, clinic: Clinic) => Promise<void>
}

/** Distinct people, each with an external_id. */
export const newLeads: MeasuredWrite = {
  name: 'POST /v1/leads',
  scope: 'leads:write',
  script: 'leads.lua',
  connections: 16,
  counted: ['lead'],
  prepare: async () => undefined,
}

/** Each with its numbered document, its event, and two deliveries. */
export const newPayments: MeasuredWrite = {
  name: 'POST /v1/patients/{id}/payments',
  scope: 'payments:write',
  script: 'payments.lua',
  connections: 64,
  counted: ['payment', 'payment_document', 'event'],
  prepare: preparePayments,
}

/** As many as `payments.lua` uses. */
const PATIENTS = 1_000

async function preparePayments(owner: Database, clinic: Clinic): Promise<void> {
  const { clinic_id } = clinic
  const now = new Date()
  await owner.query(sql`insert into patient (clinic_id, id, first_name, last_name, name_folded, created_at, updated_at, created_date)
    select ${clinic_id}, 'p' || n, 'Dana', 'Levi', 'dana levi', ${now}, ${now}, ${now}::timestamptz::date
    from generate_series(1, ${PATIENTS}::integer) n`)
  const account = { id: 'main', business_name: 'Measured', business_id: null, document_type: 'receipt' as const }
  await owner.write(clinic, (tx) => billingAccountKind.store(tx, clinic, [account]))
  await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    select ${clinic_id}, id, 'https://receiver.invalid', '{}', '', 'abcd', ${now} from unnest('{one,two}'::text[]) id`)
}
