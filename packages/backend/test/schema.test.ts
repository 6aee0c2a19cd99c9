// The schema's own rules: the wall between clinics around every table, keys that contain the clinic, and the contract's bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOT_STEPS } from '@clinic-data/administration/clinics'
import { CONTACT, NOTES } from '@clinic-data/console-contract/integration-operations'
import { GROUP_ROLES } from '@clinic-data/console-contract/role-by-group'
import { MAX } from '@clinic-data/contract'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { AppointmentDetailed } from '@clinic-data/contract/resources/appointment'
import { Call } from '@clinic-data/contract/resources/call'
import { Lead } from '@clinic-data/contract/resources/lead'
import { PatientDetailed } from '@clinic-data/contract/resources/patient'
import { Payment } from '@clinic-data/contract/resources/payment'
import { Treatment } from '@clinic-data/contract/resources/treatment'
import type { TSchema } from '@clinic-data/contract/schema'
import { sql } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { tables } from '../src/migrations.ts'

// Other tests have tables of their own in the shared one.
const { owner } = await ownDatabase()

const CLINIC = "(clinic_id = current_setting('app.clinic_id'::text, true))"

const DISPATCHER = { dispatcher: "SELECT (current_setting('app.dispatcher'::text, true) = 'on'::text)" }

const DISPATCHER_END = { dispatcher_end: DISPATCHER.dispatcher.replace('SELECT', 'DELETE') }
/** The policies that are not the clinic's own, each with its reason. */
const exceptions: Record<string, Record<string, string>> = {
  // A key is looked up by its hash before its clinic is known, and so are the tokens of a clinic's own systems and of connected apps.
  api_key: { clinic: `ALL (${CLINIC} OR (key_hash = current_setting('app.key_hash'::text, true)))` },
  ingest_token: { clinic: `ALL (${CLINIC} OR (key_hash = current_setting('app.key_hash'::text, true)))` },
  connection_token: { clinic: `ALL (${CLINIC} OR (token_hash = current_setting('app.key_hash'::text, true)))` },
  // An operator lists the clinics; a messaging platform's report finds its clinic by the hash of its account.
  clinic: {
    clinic: `ALL (${CLINIC} OR (messaging_account_hash = current_setting('app.key_hash'::text, true)))`,
    operator: 'SELECT true',
  },
  // A dispatcher looks for due deliveries of all clinics.
  chat_send: { clinic: `ALL ${CLINIC}`, ...DISPATCHER },
  lane: { clinic: `ALL ${CLINIC}`, ...DISPATCHER },
  delivery: { clinic: `ALL ${CLINIC}`, ...DISPATCHER },
  // And for people whose weekly mail is due.
  weekly_mail: { clinic: `ALL ${CLINIC}`, ...DISPATCHER },
  // The owner's round looks for names without a sound, and sees no others.
  patient_name: { dispatcher: DISPATCHER.dispatcher.replace('(', '((sound IS NULL) AND (').concat(')') },
  // A batch of audit rows holds many clinics'; none may be older than what is sealed. Sealing looks for clinics with new rows.
  // The console stores a change's row with the change.
  audit: {
    add: "INSERT (stored_at > (now() - '00:00:30'::interval))",
    clinic: `SELECT ${CLINIC}`,
    ...DISPATCHER,
    console: `INSERT (${CLINIC} AND (stored_at > (now() - '00:00:30'::interval)))`,
  },
  audit_seal: { add: `INSERT ${CLINIC}`, clinic: `SELECT ${CLINIC}`, ...DISPATCHER },
  audit_head: DISPATCHER,
  audit_export_place: DISPATCHER,
  audit_former_seal: { clinic: `SELECT ${CLINIC}`, ...DISPATCHER },
  // The owner packs the days of all clinics, and drops them.
  audit_segment: { ...DISPATCHER, ...DISPATCHER_END },
  audit_segment_names: { ...DISPATCHER, ...DISPATCHER_END },
}

/** The tables of the program and of apps, and the days that are packed for all clinics. */
const local = tables.filter(({ kind }) => kind === 'local').map(({ table }) => table)
const ofNoClinic = ['schema_migration', 'audit_packed_day', ...local]

const clinicTables = async () => {
  const { rows } = await owner.query<{ oid: number; name: string; enabled: boolean; forced: boolean }>(sql`
    select c.oid, c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'clinic_id') order by 2`)
  return rows
}

test('every table belongs to clinics or to the apps of all, and the migrations say how it is distributed on a cluster', async () => {
  const { rows } = await owner.query<{ name: string }>(sql`select c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const named = [...tables.map(({ table }) => table), 'schema_migration'].sort()
  assert.deepEqual(rows.map(({ name }) => name).sort(), named)
  assert.equal((await clinicTables()).length, tables.filter(({ table }) => !ofNoClinic.includes(table)).length)
})

test('every table has row level security by the clinic alone, except for the named exceptions', async () => {
  const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  for (const { oid, name, enabled, forced } of await clinicTables()) {
    assert.ok(enabled, `${name} is not behind row level security`)
    // Only the owner is exempt from it, and only on a cluster, because a shard could not move otherwise.
    assert.equal(forced, citus.length === 0, name)
    const { rows } = await owner.query<{ policy: string; what: string; roles: string }>(sql`
      select polname as policy, jsonb_build_object('*', 'ALL', 'r', 'SELECT', 'a', 'INSERT', 'd', 'DELETE') ->> polcmd::text || ' '
          || coalesce(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as what,
        coalesce(pg_get_expr(polwithcheck, polrelid), '') as checked, polroles::text as roles
      from pg_policy where polrelid = ${oid}::oid`)
    const found = Object.fromEntries(rows.map(({ policy, what }) => [policy, what]))
    const excepted = exceptions[name] ?? {}
    const expected = 'clinic' in excepted || 'add' in excepted ? excepted : { clinic: `ALL ${CLINIC}`, ...excepted }
    assert.deepEqual(found, expected, name)
  }
})

test('only the owner adds to the audit log and to its chain, finds its new rows, due mails and names without a sound, and lists the clinics', async () => {
  const { rows } = await owner.query<{ name: string }>(sql`
    select relname || '.' || polname as name from pg_policy join pg_class c on c.oid = polrelid
    where polroles = array[relowner] order by 1`)
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      ...['audit.add', 'audit.dispatcher', 'audit_export_place.dispatcher', 'audit_former_seal.dispatcher'],
      ...['audit_head.dispatcher', 'audit_seal.add', 'audit_seal.dispatcher'],
      ...['audit_segment', 'audit_segment_names'].flatMap((name) => [`${name}.dispatcher`, `${name}.dispatcher_end`]),
      ...['clinic.operator', 'patient_name.dispatcher', 'weekly_mail.dispatcher'],
    ],
  )
})

test('the clinic also checks every row that a policy lets in', async () => {
  const { rows } = await owner.query<{ name: string; checked: string }>(sql`
    select polrelid::regclass::text as name, pg_get_expr(polwithcheck, polrelid) as checked
    from pg_policy where polcmd in ('*', 'a', 'w') and polrelid::regclass::text <> 'audit'`)
  assert.ok(rows.length > 20)
  for (const { name, checked } of rows) assert.equal(checked, CLINIC, name)
})

test('every primary, unique and foreign key and every index contains the clinic, keys of tables at their beginning', async () => {
  const { rows } = await owner.query<{ name: string; kind: string; columns: string[] }>(sql`
    select conrelid::regclass::text || '.' || conname as name, contype::text as kind,
      array(select attname::text from unnest(conkey) with ordinality k(n, position)
        join pg_attribute on attrelid = conrelid and attnum = k.n order by position) as columns
    from pg_constraint join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = c.relnamespace
    where contype in ('p', 'u', 'f') and n.nspname = 'public' and not c.relispartition and c.relname <> all(${ofNoClinic}::text[])`)
  assert.ok(rows.length > 60)
  for (const { name, kind, columns } of rows) {
    if (/^(key|token)_hash$/.test(columns[0] ?? '') && columns[1] === 'clinic_id')
      assert.ok(columns.includes('clinic_id'), name)
    // On a reference table. Every machine has all of it.
    else if (name === 'clinic.clinic_messaging_account_hash_key') continue
    else assert.equal(columns[0], 'clinic_id', `${name} (${kind})`)
  }
  const { rows: indexes } = await owner.query<{ definition: string }>(sql`
    select indexdef as definition from pg_indexes where schemaname = 'public' and tablename <> all(${ofNoClinic}::text[])`)
  const others =
    /\(((?:key|token)_hash, clinic_id|messaging_account_hash)\)$|INDEX (?:chat_send_due|audit_segment_day|audit_segment_names_day) /
  for (const { definition } of indexes) {
    if (!others.test(definition)) assert.match(definition, /\(clinic_id[,)]/, definition)
  }
})

test('every id is compared byte by byte, so that tables lie together on a cluster and pages have one order', async () => {
  const { rows } = await owner.query<{ name: string; collation: string; type: string }>(sql`
    select c.relname || '.' || attname as name, collname as collation, atttypid::regtype::text as type
    from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = c.relnamespace
      left join pg_collation on pg_collation.oid = attcollation
    where n.nspname = 'public' and c.relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and (attname = 'id' or attname like '%\_id')`)
  assert.ok(rows.length > 80)
  // Numbers that the database counts, and what is shown and never compared.
  const others = /^(audit(_\w+)?\.(id|first_id|last_id)|call\.handled_by_id|billing_account\.business_id)$/
  for (const { name, collation, type } of rows.filter((row) => !others.test(row.name))) {
    assert.deepEqual([type, collation], ['text', 'C'], name)
  }
})

/** Every bound in the checks of text columns and of numbers, by table and column, against the contract's constant. */
const bounds: Record<string, number> = {
  key_id: MAX.id,
  'patient_read.patient_id': MAX.id,
  integration_id: MAX.id,
  'integration.contact': CONTACT,
  'integration.notes': NOTES,
  administrator_id: MAX.id,
  app_name: MAX.name,
  name: MAX.name,
  type: MAX.name,
  business_name: MAX.name,
  handled_by_name: MAX.name,
  display_name: MAX.name,
  label: MAX.name,
  first_name: MAX.person_name,
  last_name: MAX.person_name,
  phone: MAX.phone,
  from_phone: MAX.phone,
  to_phone: MAX.phone,
  patient_phone: MAX.phone,
  patient_phone_local: MAX.phone,
  clinic_phone: MAX.phone,
  email: MAX.email,
  value: MAX.email,
  color: MAX.color,
  street: MAX.address_line,
  city: MAX.address_line,
  postal_code: MAX.code,
  url: MAX.url,
  messaging_phone: MAX.phone,
  wrapping_template_name: MAX.template_name,
  wrapping_template_language: MAX.code,
  code: MAX.code,
  business_id: MAX.code,
  allocation_number: MAX.code,
  language: MAX.code,
  transcript_language: MAX.code,
  id_number: MAX.id_number,
  note: MAX.note,
  description: MAX.description,
  external_id: MAX.external_id,
  id: MAX.id,
  handled_by_id: MAX.id,
  passkey_id: MAX.id,
  pairing_id: MAX.id,
  group_name: GROUP_ROLES.longest_name,
  role_group: GROUP_ROLES.longest_name,
  other_administrator_id: MAX.id,
  replied_to_id: MAX.id,
  content_type: MAX.content_type,
  media_type: MAX.content_type,
  file_name: MAX.file_name,
  size_bytes: MAX.file,
  transcript_summary: MAX.summary,
  last_message_preview: MAX.message,
  text: MAX.message,
  template: MAX.template_name,
  'chat_template.name': MAX.template_name,
  header_text: MAX.template_text,
  body: MAX.template_text,
  footer: MAX.template_text,
  failure_reason: MAX.failure_reason,
  duration_minutes: MAX.duration_minutes,
  min_visit_minutes: MAX.duration_minutes,
  slot_step_minutes: Math.max(...SLOT_STEPS),
  quantity: MAX.quantity,
  duration_seconds: MAX.seconds,
  ring_seconds: MAX.seconds,
  recording_seconds: MAX.seconds,
  price_minor: MAX.money * 100,
  discount_minor: MAX.money * 100,
  amount_minor: MAX.money * 100,
  'approval.operation': MAX.code,
  'patient_contact.position': MAX.contacts - 1,
  'lead.phone': MAX.lead_phone,
  'appointment_provider.position': MAX.providers - 1,
}

/** Columns that `bounds` does not name are bounded as the resource's field of the same name. */
const schemas: Record<string, TSchema> = {
  patient: PatientDetailed,
  appointment: AppointmentDetailed,
  treatment: Treatment,
  payment: Payment,
  call: Call,
  lead: Lead,
}

/** Bounds that are the database's own. */
const own =
  /^(file_piece\.content|idempotency\.(scope|key)|clinic\.(messaging_account_id|longest_life_days)|chat_message\.platform_message_id|subscription\.(secret_last_characters|disabled_reason)|(delivery|attempt|attempt_hour)\.error|administrator\.password|administrator_session\.user_agent|passkey\.(credential_id|public_key)|(api_key|ingest_token|invitation|integration)\.(made_by|mint_request|stopped_by)|subscription\.made_by|approval\.used_request|weekly_mail\.failures|working_hours\.weekday|app\.id|(connection|device_request)\.app_id|device_request\.user_code|connection\.(app_host|connected_from)|connection_token\.redirect_uri|api_key\.rate_limit|branch\.country|patient\.country|.*_at)$/

test('the bounds of the checks are the contract’s, so that no stored row can break an answer', async () => {
  const { rows } = await owner.query<{ table: string; column: string; check: string }>(sql`
    select conrelid::regclass::text as table, attname as column, pg_get_constraintdef(pg_constraint.oid) as check
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      join pg_class c on c.oid = conrelid join pg_namespace n on n.oid = c.relnamespace
    where contype = 'c' and array_length(conkey, 1) = 1 and n.nspname = 'public' and not c.relispartition`)
  const met = new Set<string>()
  for (const { table, column, check } of rows) {
    const upper = /(?:<=|<) '?(\d+)'?(?:::bigint)?\)/.exec(check)?.[1]
    const name = `${table}.${column}`
    if (upper === undefined || own.test(name)) continue
    const shown = schemas[table] && jsonSchemaOf(schemas[table]).properties?.[column]?.maxLength
    const expected = bounds[name] ?? bounds[column] ?? shown
    assert.equal(Number(upper), expected, `${name}: ${check}`)
    met.add(bounds[name] === undefined ? column : name)
  }
  assert.deepEqual(
    Object.keys(bounds).filter((name) => !met.has(name)),
    [],
  )
})

test('every text that an answer may hold has a bound', async () => {
  const { rows } = await owner.query<{ name: string }>(sql`
    select c.relname || '.' || a.attname as name from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and a.atttypid = 'text'::regtype and c.relname not in ('audit', 'audit_seal', 'schema_migration', 'api_key')
      and a.attname <> 'clinic_id' and not exists (select from pg_constraint k
        where k.conrelid = c.oid and a.attnum = any(k.conkey) and k.contype in ('c', 'f'))`)
  // Made by this program from what is bounded, searched and never answered.
  const derived = [
    ...['audit_export_place.destination', 'audit_segment.kinds', 'clinic.time_zone', 'document_counter.type'],
    ...['erased_record.patient_id', 'ingest_token.first_characters', 'ingest_token.last_characters'],
    ...['lead.email_folded', 'lead.open_email', 'lead.open_phone', 'lead.phone_normal'],
    ...['patient.name_folded', 'patient_contact.value_normal', 'patient_name.key', 'patient_name.sound'],
    ...['payment_document.file_id', 'payment_document.named_patient_id'],
  ]
  assert.deepEqual(rows.map(({ name }) => name).sort(), derived.sort())
})

test('the planner learns of a new clinic among large ones once it has a thousand records', async () => {
  const records = [
    ...['patient', 'patient_contact', 'patient_name', 'appointment', 'appointment_provider', 'treatment_plan'],
    ...['treatment', 'payment', 'payment_document', 'call', 'chat_conversation', 'chat_message', 'lead'],
  ]
  const { rows } = await owner.query<{
    name: string
    options: string[]
  }>(sql`select relname as name, reloptions as options
    from pg_class where relnamespace = 'public'::regnamespace and relname = any(${records}::text[])`)
  assert.deepEqual(rows.map(({ name }) => name).sort(), records.sort())
  for (const { name, options } of rows) {
    assert.ok(options.includes('autovacuum_analyze_scale_factor=0'), name)
    assert.ok(options.includes('autovacuum_analyze_threshold=1000'), name)
  }
})
