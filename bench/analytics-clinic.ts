// The clinic for the analytics benchmark, made once: five years, 1,000,000 treatments, 500,000 appointments, 100,000 patients.
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'

const COMPLETE = 'Measured analytics'

/** The owner makes it and must be a superuser here. */
export async function analyticsClinic(owner: Database, clinic_id: string): Promise<Clinic> {
  const known = await findClinic(owner, clinic_id)
  if (known?.name === COMPLETE) return known
  if (known) throw new Error(`${clinic_id} is incomplete: remove its folder`)
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Unfinished', now: new Date() })
  await owner.maintain(async (tx) => {
    // Foreign keys hold by construction, and checking them would take most of the time.
    await tx.script(`set local session_replication_role to replica; set local timezone to '${clinic.time_zone}'`)
    await tx.query(sql`create temporary table of_clinic on commit drop as
      select ${clinic_id}::text collate "C" as clinic_id, ${clinic.currency}::text as currency`)
    for (const script of [catalog, patients, visits, treatments, payments]) await tx.script(script)
  })
  await owner.query(sql`vacuum analyze`)
  await owner.write(clinic, (tx) => tx.query(sql`update clinic set name = ${COMPLETE} where clinic_id = ${clinic_id}`))
  return clinic
}

const catalog = `
  insert into branch (clinic_id, id, name) select clinic_id, 'branch-' || n, 'Branch ' || n from of_clinic, generate_series(1, 5) n;
  insert into provider (clinic_id, id, name, type)
    select clinic_id, 'provider-' || n, 'Provider ' || n, 'dentist' from of_clinic, generate_series(1, 20) n;
  insert into working_hours (clinic_id, provider_id, branch_id, weekday, starts_at, ends_at)
    select clinic_id, 'provider-' || n, 'branch-' || (1 + n % 5), weekday, opens, opens + interval '4 hours'
    from of_clinic, generate_series(1, 20) n, generate_series(0, 5) weekday, unnest('{08:00,13:00}'::time[]) opens;
  insert into time_off (clinic_id, id, provider_id, start, "end")
    select clinic_id, 'off-' || n, 'provider-' || (1 + n % 20), day, day + interval '8 hours'
    from of_clinic, generate_series(1, 300) n, lateral (select timestamptz '2021-01-01' + n * interval '6 days' as day) days;
  insert into appointment_type (clinic_id, id, name, duration_minutes)
    select clinic_id, 'type-' || n, 'Type ' || n, 30 from of_clinic, generate_series(1, 15) n;
  insert into appointment_status (clinic_id, id, name, color, kind)
    select clinic_id, 'status-' || n, kind, '#000000', kind from of_clinic,
      unnest('{booked,confirmed,arrived,completed,cancelled,no_show}'::text[]) with ordinality kinds (kind, n);
  insert into treatment_category (clinic_id, id, name)
    select clinic_id, 'category-' || n, 'Category ' || n from of_clinic, generate_series(1, 12) n;
  insert into catalog_treatment (clinic_id, id, name, category_id)
    select clinic_id, 'menu-' || n, 'Treatment ' || n, 'category-' || (1 + n % 12) from of_clinic, generate_series(1, 200) n;
  insert into treatment_plan (clinic_id, id, name)
    select clinic_id, 'plan-' || n, 'Plan ' || n from of_clinic, generate_series(1, 30) n;
  insert into billing_account (clinic_id, id, business_name)
    select clinic_id, 'account-' || n, 'Account ' || n from of_clinic, generate_series(1, 3) n;`

const patients = `
  insert into patient (clinic_id, id, first_name, last_name, name_folded, gender, birth_date, phone, created_at, updated_at, created_date)
    select clinic_id, 'patient-' || n, 'Testa', 'Testova', 'testa testova', case n % 2 when 0 then 'male' else 'female' end,
      date '1930-01-01' + (n * 7919 % 34000), '0501234567', day, day, day::date
    from of_clinic, generate_series(1, 100000) n,
      lateral (select timestamptz '2021-01-01' + n * interval '26 minutes' as day) days;`

// In the order of time, like imported years. A few are late.
const visits = `
  insert into appointment (clinic_id, id, patient_id, branch_id, type_id, status_id, start, "end", start_date, created_at, updated_at, created_date)
    select clinic_id, 'appointment-' || n, 'patient-' || (1 + n::bigint * 7919 % 100000), 'branch-' || (1 + n % 5), 'type-' || (1 + n % 15),
      'status-' || case when n % 20 < 13 then 4 when n % 20 < 16 then 5 when n % 20 < 18 then 6 else 1 + n % 3 end,
      start, start + (15 + n % 4 * 15) * interval '1 minute', start::date, made, made, made::date
    from of_clinic, generate_series(1, 500000) n,
      lateral (select timestamptz '2021-01-01 08:00' + (n / 274) * interval '1 day' + (n % 274 / 7) * interval '15 minutes' as start) at,
      lateral (select start - (n % 40) * interval '1 day' as made) before;
  insert into appointment_provider (clinic_id, appointment_id, provider_id, position, start_sort, "end", busy)
    select clinic_id, id, 'provider-' || (1 + ((hashtext(id) & 65535) + at) % 20), at, start, "end", status_id <> 'status-5'
    from appointment join of_clinic using (clinic_id), generate_series(0, case when hashtext(id) % 10 = 0 then 1 else 0 end) at;`

const treatments = `
  insert into treatment (clinic_id, id, patient_id, catalog_treatment_id, provider_id, branch_id, appointment_id, plan_id, quantity,
      price_minor, discount_minor, performed_at, effective_date, removed_at, created_at, updated_at, created_date)
    select clinic_id, 'treatment-' || n, 'patient-' || (1 + n::bigint / 2 * 7919 % 100000), 'menu-' || (1 + (n::bigint * 31 + n / 7) % 200),
      'provider-' || (1 + (n / 3) % 20), 'branch-' || (1 + n % 5), 'appointment-' || (1 + n / 2),
      case when n % 4 = 0 then 'plan-' || (1 + n % 30) end, 1 + n % 3, 5000 + n::bigint * 7919 % 400000, n % 5 * 1000, at, at::date,
      case when n % 50 = 0 then at end, at, at, at::date
    from of_clinic, generate_series(1, 1000000) n,
      lateral (select timestamptz '2021-01-01 08:00' + (n / 548) * interval '1 day' + (n % 548) * interval '1 minute' as at) times;`

const payments = `
  insert into payment (clinic_id, id, patient_id, billing_account_id, amount_minor, currency, method_type, is_refund, status, paid_at, paid_date,
      created_at, updated_at)
    select clinic_id, 'payment-' || n, 'patient-' || (1 + n::bigint * 7919 % 100000), 'account-' || (1 + n % 3), 10000 + n % 90000, currency,
      (array['cash', 'credit_card', 'bank_transfer', 'check'])[1 + n % 4], n % 40 = 0,
      case when n % 60 = 0 then 'cancelled' else 'recorded' end, at, at::date, at, at
    from of_clinic, generate_series(1, 300000) n,
      lateral (select timestamptz '2021-01-01 08:00' + (n / 165) * interval '1 day' + (n % 165) * interval '3 minutes' as at) times;`
