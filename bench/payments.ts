// New payments per second, each with its numbered document, its event, and two deliveries.
//
//   node bench/payments.ts [seconds a run]    needs wrk (Debian package wrk)
import { storeBillingAccounts } from '@clinic-data/backend/records/catalog'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { measureWrites } from './measured-writes.ts'

/** As many as `payments.lua` uses. */
const PATIENTS = 1_000

await measureWrites(
  {
    name: 'POST /v1/patients/{id}/payments',
    scope: 'payments:write',
    script: 'payments.lua',
    counted: ['payment', 'payment_document', 'event'],
    prepare,
  },
  Number(process.argv[2] ?? 5),
)

async function prepare(owner: Database, clinic: Clinic): Promise<void> {
  const { clinic_id } = clinic
  const now = new Date()
  await owner.query(sql`insert into patient (clinic_id, id, first_name, last_name, name_folded, created_at, updated_at, created_date)
    select ${clinic_id}, 'p' || n, 'Dana', 'Levi', 'dana levi', ${now}, ${now}, ${now}::timestamptz::date
    from generate_series(1, ${PATIENTS}::integer) n`)
  const account = { id: 'main', business_name: 'Measured', business_id: null, document_type: 'receipt' as const }
  await owner.write(clinic, (tx) => storeBillingAccounts(tx, clinic, [account]))
  await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    select ${clinic_id}, id, 'https://receiver.invalid', '{}', '', 'abcd', ${now} from unnest('{one,two}'::text[]) id`)
}
