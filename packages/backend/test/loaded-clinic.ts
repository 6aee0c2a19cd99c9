// A clinic of some years' size among small ones, so that the planner has something to choose between.
import type { Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { testClinic } from '@clinic-data/testing/run/test-database'

/** Every clinic has this part of its long size. */
const PART = sized({ everyday: 10, long: 1 })
const SMALL_CLINICS = 200
const SMALL = 400 * PART
/** A small clinic has this part of a catalog. The planner needs many clinics, not many rows of each. */
const CATALOG_PART = sized({ everyday: 10, long: 1 })

/** In the long run 20,000 patients and leads, 60,000 appointments, 60,000 treatments, 40,000 payments, 50,000 calls, 100,000 messages, 30,000 events, 60,000 deliveries. */
export async function loadedClinic(owner: Database): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await owner.maintain(async (tx) => {
    // Foreign keys hold by construction here, and checking them would take most of the time.
    await tx.script('set local session_replication_role to replica')
    await tx.query(sql`create temporary table loading on commit drop as
      select ${clinic.clinic_id}::text collate "C" as clinic_id,
        ${PART}::integer as size, 1 as catalog_part
      union all select ${clinic.clinic_id} || '-' || n, ${SMALL}::integer, ${CATALOG_PART}::integer from generate_series(1, ${SMALL_CLINICS}::integer) n`)
    await tx.script(catalog)
    await tx.script(patients)
    await tx.script(visits)
    await tx.script(conversations)
    await tx.script(leads)
    await tx.script(deliveries)
  })
  await owner.query(sql`vacuum analyze`)
  return clinic
}

const catalog = `
  insert into clinic (clinic_id, name, time_zone, currency, country, week_start, min_visit_minutes, created_at)
    select clinic_id, 'Small', 'Asia/Jerusalem', 'ILS', 'IL', 0, 15, now() from loading where size = ${SMALL}
    -- Two hundred rows would be scanned.
    union all select clinic_id || '-' || n, 'Small', 'Asia/Jerusalem', 'ILS', 'IL', 0, 15, now()
      from loading, generate_series(1001, 1010) n;
  insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
    select clinic_id, 'key' || n, encode(sha256((clinic_id || n)::bytea), 'hex'), '', '', '', '{}', now()
    from loading, generate_series(1, 5) n;
  insert into branch (clinic_id, id, name) select clinic_id, 'branch' || n, 'Branch' from loading, generate_series(1, 5) n;
  insert into provider (clinic_id, id, name, type)
    select clinic_id, 'provider' || n, 'Provider ' || n, 'dentist' from loading, generate_series(1, 20 / catalog_part) n;
  insert into working_hours (clinic_id, provider_id, branch_id, weekday, starts_at, ends_at)
    select clinic_id, 'provider' || n, 'branch' || (1 + n % 5), weekday, opens, opens + interval '4 hours'
    from loading, generate_series(1, 20 / catalog_part) n, generate_series(0, 5) weekday, unnest('{08:00,13:00}'::time[]) opens;
  insert into time_off (clinic_id, id, provider_id, start, "end")
    select clinic_id, 'off' || n, 'provider' || (1 + n % 20), day, day + interval '8 hours'
    from loading, generate_series(1, 60 / catalog_part) n, lateral (select timestamptz '2025-01-01Z' + n * interval '14 days' as day) days;
  insert into appointment_type (clinic_id, id, name, duration_minutes)
    select clinic_id, 'type' || n, 'Type', 30 from loading, generate_series(1, 20 / catalog_part) n;
  insert into appointment_status (clinic_id, id, name, color, kind)
    select clinic_id, 'status' || n, 'Status', '#000000', 'booked' from loading, generate_series(1, 8) n;
  insert into patient_status (clinic_id, id, name) select clinic_id, 'status' || n, 'Status' from loading, generate_series(1, 5) n;
  insert into treatment_category (clinic_id, id, name) select clinic_id, 'category' || n, 'Category' from loading, generate_series(1, 8) n;
  insert into catalog_treatment (clinic_id, id, name, category_id)
    select clinic_id, 'menu' || n, 'Menu', 'category' || (1 + n % 8) from loading, generate_series(1, 50 / catalog_part) n;
  insert into treatment_plan (clinic_id, id, name) select clinic_id, 'plan' || n, 'Plan' from loading, generate_series(1, 20 / catalog_part) n;
  insert into billing_account (clinic_id, id, business_name)
    select clinic_id, 'account' || n, 'Account' from loading, generate_series(1, 5) n;
  insert into chat_template (clinic_id, id, name, language, category, status, body, created_at, updated_at)
    select clinic_id, 'template' || n, 'template' || n, 'en', (array['marketing', 'utility'])[1 + n % 2],
      (array['approved', 'approved', 'paused'])[1 + n % 3], 'Hello', now(), now()
    from loading, generate_series(1, 60 / catalog_part) n;
  analyze branch, provider, working_hours, time_off, appointment_type, appointment_status, patient_status,
    treatment_category, catalog_treatment, treatment_plan, billing_account, chat_template;`

// 300 first names and 2,000 last names, which sound alike, half of them as in another script; every tenth patient shares the phone of the one before.
const patients = `
  create temporary table person on commit drop as
    select clinic_id, n, 'p' || n as id, 'na' || to_hex(n % 300) as first_name, 'le' || to_hex(n * 7919 % 2000) as last_name
    from loading, generate_series(1, 20000 / size) n;
  insert into patient (clinic_id, id, first_name, last_name, name_folded, status_id, created_at, updated_at, created_date)
    select clinic_id, id, first_name, last_name, first_name || ' ' || last_name, 'status' || (1 + n % 5),
      timestamptz '2024-01-01Z' + n * interval '1 hour', timestamptz '2024-01-01Z' + (n * 7919 % 20000) * interval '30 minutes',
      '2024-01-01' from person;
  insert into patient_name (clinic_id, key, patient_id, sound)
    select clinic_id, key, id, (array['H', 'L'])[1 + n % 2] || sound from person, unnest(array[first_name, last_name,
      first_name || ' ' || last_name, last_name || ' ' || first_name], array['n ', 'l ', 'n l ', 'l n ']) named(key, sound);
  insert into patient_contact (clinic_id, patient_id, position, type, value, value_normal, is_primary)
    select clinic_id, id, 0, 'phone', phone, phone, true
    from person, lateral (select '+9725' || (10000000 + n - (n % 10 = 0)::integer) as phone) phones
    union all select clinic_id, id, 1, 'email', id || '@example.com', id || '@example.com', true from person;`

const visits = `
  create temporary table visit on commit drop as
    select clinic_id, n, 'a' || n as id, 'p' || (1 + n % (20000 / size)) as patient_id,
      case when n % 50 > 0 then timestamptz '2023-07-01 06:00Z' + (n * 7919 % 60000) * interval '30 minutes' end as start
    from loading, generate_series(1, 60000 / size) n;
  insert into appointment (clinic_id, id, patient_id, branch_id, type_id, status_id, start, "end", created_at, updated_at, created_date)
    select clinic_id, id, patient_id, 'branch' || (1 + n % 4), 'type' || (1 + n % 20),
      'status' || (case when n % 2000 = 0 then 8 else 1 + n % 6 end), start,
      case when n % 100 > 0 then start + interval '30 minutes' end, timestamptz '2023-06-01Z' + n * interval '30 minutes',
      timestamptz '2024-01-01Z' + (n * 15013 % 60000) * interval '10 minutes', '2023-06-01' from visit;
  insert into appointment_provider (clinic_id, appointment_id, provider_id, position, start_sort, "end", busy)
    select clinic_id, id, 'provider' || (case when n % 2500 = 0 then 20 else 1 + n % 18 end), 0,
      coalesce(start, 'infinity'), case when n % 100 > 0 then start + interval '30 minutes' end, n % 10 > 0 from visit;
  insert into treatment (clinic_id, id, patient_id, catalog_treatment_id, provider_id, appointment_id, plan_id, price_minor,
      performed_at, removed_at, created_at, updated_at, created_date)
    select clinic_id, 't' || n, patient_id, 'menu' || (1 + n % 50), 'provider' || (1 + n % 18), id, 'plan' || (1 + n % 20),
      10000 + n, start, case when n % 40 = 0 then start end, timestamptz '2024-01-01Z',
      timestamptz '2024-01-01Z' + n * interval '1 minute', '2024-01-01' from visit;
  insert into payment (clinic_id, id, patient_id, billing_account_id, amount_minor, currency, method_type, paid_at, created_at, updated_at)
    select clinic_id, 'y' || n, patient_id, 'account1', 10000, 'ILS', 'cash', start, timestamptz '2024-01-01Z',
      timestamptz '2024-01-01Z' + n * interval '1 minute' from visit where n % 3 > 0;
  insert into payment_document (clinic_id, id, payment_id, billing_account_id, type, number, issued_at)
    select clinic_id, 'd' || n, 'y' || n, 'account1', 'receipt', n, '2024-01-01Z' from visit where n % 3 > 0;`

// A few conversations are busy, most are short; recordings and transcripts are for one call in four.
const conversations = `
  insert into file (clinic_id, id, content_type, file_name, size_bytes, created_at)
    select clinic_id, 'f' || n, 'audio/wav', 'call.wav', 3, now() from loading, generate_series(1, 12500 / size) n;
  insert into file_piece (clinic_id, file_id, position, content)
    select clinic_id, 'f' || n, 0, 'abc' from loading, generate_series(1, 12500 / size) n;
  insert into call (clinic_id, id, direction, status, patient_phone, patient_phone_local, branch_id, started_at,
      duration_seconds, ring_seconds, recording_file_id, transcript_status, created_at, updated_at)
    select clinic_id, 'c' || n, case when n % 5 = 0 then 'outbound' else 'inbound' end,
      case when n % 700 = 0 then 'voicemail' when n % 4 = 0 then 'missed' else 'answered' end,
      '+9725' || (10000000 + n * 7919 % 20000), '05', 'branch' || (1 + n % 4),
      timestamptz '2024-01-01Z' + n * interval '15 minutes', 60, 5, case when n % 4 = 0 then 'f' || n / 4 end,
      case when n % 3000 = 0 then 'failed' when n % 4 = 0 then 'completed' end, timestamptz '2024-01-01Z',
      timestamptz '2024-01-01Z' + (n * 7919 % 50000) * interval '12 minutes'
    from loading, generate_series(1, 50000 / size) n;
  insert into chat_conversation (clinic_id, id, patient_phone, patient_phone_local, last_activity_at, is_handled,
      free_text_window_expires_at, created_at, updated_at)
    select clinic_id, 'v' || n, '+9725' || (10000000 + n), '05', timestamptz '2024-01-01Z' + n * interval '1 hour',
      n % 900 > 0, timestamptz '2024-01-02Z' + n * interval '1 hour', timestamptz '2024-01-01Z',
      timestamptz '2024-01-01Z' + (n * 7919 % 10000) * interval '1 hour'
    from loading, generate_series(1, 10000 / size) n;
  insert into chat_message (clinic_id, id, conversation_id, direction, type, status, patient_phone, patient_phone_local, text,
      media_file_id, created_at, updated_at, created_date)
    select clinic_id, 'in_' || n, 'v' || conversation, case when n % 3 = 0 then 'outbound' else 'inbound' end,
      case when n % 6000 = 0 then 'video' else 'text' end,
      case when n % 9000 = 0 then 'failed' when n % 3 = 0 then 'read' else 'received' end,
      '+9725' || (10000000 + conversation), '05', 'Hello', case when n % 6000 = 0 then 'f1' end,
      timestamptz '2024-01-01Z' + n * interval '6 minutes',
      timestamptz '2024-01-01Z' + (n * 7919 % 100000) * interval '6 minutes', '2024-01-01'
    from loading, generate_series(1, 100000 / size) n,
      lateral (select 1 + case when n % 2 = 0 then n % least(20, 10000 / size) else n * 7919 % 10000 / size end as conversation) talk;`

// Most leads have ended. Every second one has a number that the clinic has called or written to.
const leads = `
  insert into lead (clinic_id, id, first_name, phone, phone_normal, email, email_folded, source, status, created_at, updated_at, created_date)
    select clinic_id, 'l' || n, 'Dana', '05', '+9725' || (10000000 + n), 'l' || n || '@example.com', 'l' || n || '@example.com',
      case when n % 900 = 0 then 'bot' when n % 3 = 0 then 'social' else 'website' end,
      case when n % 800 = 0 then 'in_progress' when n % 20 = 0 then 'new' when n % 3 = 0 then 'converted' else 'lost' end,
      timestamptz '2024-01-01Z' + n * interval '20 minutes', timestamptz '2024-01-01Z' + (n * 7919 % 20000) * interval '30 minutes',
      '2024-01-01' from loading, generate_series(1, 20000 / size) n;
  insert into lead_activity (clinic_id, id, lead_id, kind, note, created_at)
    select clinic_id, 'n' || n, 'l' || (1 + n / 2), 'note', 'Whitening', timestamptz '2024-01-01Z'
    from loading, generate_series(1, 20000 / size) n;
  insert into call (clinic_id, id, direction, status, patient_phone, patient_phone_local, started_at, duration_seconds, ring_seconds,
      created_at, updated_at)
    select clinic_id, 'lc' || n, 'outbound', 'no_answer', '+9725' || (10000000 + n), '05',
      timestamptz '2024-01-01Z' + n * interval '25 minutes', 0, 5, timestamptz '2024-01-01Z', timestamptz '2024-01-01Z'
    from loading, generate_series(1, 20000 / size, 2) n;`

// One subscription has nearly everything delivered, another nothing. Of all clinics' deliveries most failed: for a subscription that it
// does not know, the planner takes a type to be rarer than a failure.
const deliveries = `
  insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    select clinic_id, 'hook' || n, 'https://receiver.example', '{}', '', 'abcd', now() from loading, generate_series(1, 20 / catalog_part) n;
  insert into lane (clinic_id, subscription_id) select clinic_id, 'hook' || n from loading, generate_series(1, 20 / catalog_part) n;
  insert into event_counter (clinic_id, last_position) select clinic_id, 30000 / size from loading
    -- A row a clinic: those of two hundred would be scanned.
    union all select clinic_id || '-' || n, n from loading, generate_series(1001, 1050) n;
  insert into event (clinic_id, id, position, type, record_id, body, created_at)
    select clinic_id, 'evt_' || n, n, type, 'p' || n % 3000, '{"id":"evt_' || n || '","type":"' || type
      || '","created_at":"' || to_char(made at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":{}}', made
    from loading, generate_series(1, 30000 / size) n,
      lateral (select timestamptz '2025-01-20Z' + n * interval '1 minute' as made) times,
      lateral (select case when n % 5000 = 1 then 'patient.created' else 'call.updated' end as type) types;
  insert into delivery (clinic_id, subscription_id, id, event_id, event_type, status, attempt_count, due_at, created_at)
    select clinic_id, hook, 'dlv_' || n || hook, 'evt_' || n, case when n % 5000 = 1 then 'patient.created' else 'call.updated' end,
      status, 1, case when status = 'pending' then timestamptz '2025-02-21Z' end,
      timestamptz '2025-01-20Z' + n * interval '1 minute'
    from loading, generate_series(1, 30000 / size) n, unnest(array['hook1', 'hook2']) hook,
      lateral (select case when hook = 'hook2' or size = ${SMALL} then 'failed' when n % 5000 = 2 then 'failed'
        when n % 5000 = 3 then 'pending' else 'delivered' end as status) state;
  insert into attempt (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms)
    select clinic_id, subscription_id, event_id, created_at, 1, 'automatic', created_at, 5 from delivery join loading using (clinic_id);`
