// Tests what the logins of requests and of the console may do with each table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/run/test-database'

// Other tests have tables of their own in the shared one.
const { owner } = await ownDatabase()

const isPartition = (name: string) => /^(audit|event|delivery|attempt)_(rest|\d{8})$/.test(name)

async function privilegesOf(role: string) {
  const { rows } = await owner.query<{ name: string; privileges: string }>(sql`
    select c.relname as name, concat_ws(' ', (select string_agg(privilege_type, ' ' order by privilege_type)
      from aclexplode(c.relacl) where grantee = ${role}::regrole), (select string_agg(privilege_type || ' ' || attname, ' ' order by attname)
      from pg_attribute, aclexplode(attacl) where attrelid = c.oid and not attisdropped and grantee = ${role}::regrole)) as privileges
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')`)
  const { rows: owned } = await owner.query(sql`
    select classid::regclass::text as kind, objid from pg_shdepend where refobjid = ${role}::regrole and deptype = 'o'`)
  assert.deepEqual(owned, [], 'it owns nothing, in no database')
  return rows
}

/** Returns what it may call, beside what everybody may. */
async function functionsOf(role: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(sql`
    select proname as name from pg_proc, aclexplode(proacl) where grantee = ${role}::regrole order by proname`)
  return rows.map(({ name }) => name)
}

const selects = (...columns: string[]) => columns.map((column) => `SELECT ${column}`).join(' ')
const updates = (...columns: string[]) => columns.map((column) => `UPDATE ${column}`).join(' ')
const DELIVERY_COLUMNS = ['due_at', 'error', 'lease_id', 'lease_until', 'manual_from', 'scheduled_at', 'status']
const PAID_COLUMNS = [
  ...['amount_minor', 'amount_thousandths', 'clinic_id', 'currency', 'is_refund', 'paid_sort', 'patient_id', 'status'],
]
const OWED_COLUMNS = [
  ...['clinic_id', 'discount_minor', 'discount_thousandths', 'patient_id'],
  ...['price_minor', 'price_thousandths', 'removed_at'],
]
const MESSAGE_COLUMNS = [
  'clinic_id',
  'created_at',
  'delivered_at',
  'direction',
  'failed_at',
  'failure_reason',
  'id',
  'media_file_id',
  'patient_phone',
  'sent_at',
]

test('the console’s role owns nothing, and may do what administrators do', async () => {
  const reads = ['working_hours', 'patient', 'patient_name', 'patient_contact', 'event', 'erased_record']
  reads.push('attempt', 'attempt_hour', 'audit_seal', 'audit_hour', 'patient_read', 'schema_migration')
  reads.push('audit_head', 'audit_watch', 'audit_segment', 'audit_segment_names', 'audit_packed_day')
  const own = ['administrator_session', 'sign_in_link', 'sign_in_attempt', 'passkey', 'spent_challenge']
  own.push('app', 'device_request', 'connection_token', 'invitation', 'integration', 'weekly_mail', 'group_role')
  const expected: Record<string, string> = {
    ...Object.fromEntries(reads.map((name) => [name, 'SELECT'])),
    ...Object.fromEntries(own.map((name) => [name, 'DELETE INSERT SELECT UPDATE'])),
    api_key: 'INSERT SELECT UPDATE',
    ingest_token: 'INSERT SELECT UPDATE',
    administrator: 'INSERT SELECT UPDATE',
    clinic: `SELECT ${updates('allowed_apps', 'clinic_id', 'longest_life_days', 'member_scopes', 'needs_approval', 'sign_in_demand')}`,
    connection: 'INSERT SELECT UPDATE',
    approval: 'INSERT SELECT UPDATE',
    pairing: 'DELETE INSERT SELECT',
    audit_alert: `SELECT ${updates('seen_at', 'seen_by')}`,
    stop_rule: 'DELETE INSERT SELECT',
    // What ends the subscriptions of an app, stops them and moves them, and no address and no secret.
    subscription: `SELECT ${updates('disabled_at', 'disabled_reason', 'enabled', 'integration_id', 'is_paused', 'made_by', 'stopped_at')}`,
    former_subscription: 'DELETE INSERT SELECT',
    lane: `DELETE INSERT SELECT ${updates('is_stopped', 'leases')}`,
    delivery: `SELECT ${updates(...DELIVERY_COLUMNS)}`,
    audit: 'INSERT SELECT',
    // Counts and times of messages, and by which phone and file one is a patient's: no text.
    chat_send: selects('clinic_id', 'due_at', 'message_id', 'state'),
    chat_message: selects(...MESSAGE_COLUMNS),
    // By what records are a patient's: who read them is who read the patient.
    call: selects('clinic_id', 'id', 'patient_phone', 'recording_file_id', 'started_sort'),
    chat_conversation: selects('clinic_id', 'id', 'patient_phone'),
    lead: selects('clinic_id', 'created_at', 'email_folded', 'first_name', 'id', 'last_name', 'phone_normal'),
    // What the filters of patients compare: no note, no treatment, no description.
    appointment: selects('clinic_id', 'patient_id', 'start_sort', 'status_id'),
    appointment_status: selects('clinic_id', 'id', 'kind'),
    payment: selects(...PAID_COLUMNS),
    treatment: selects(...OWED_COLUMNS),
  }
  for (const { name, privileges } of await privilegesOf('clinic_data_console'))
    assert.equal(privileges, expected[name] ?? '', name)
  assert.deepEqual(await functionsOf('clinic_data_console'), [])
})

/** The columns of a clinic's settings and of its account at the messaging platform, in the order of their names. */
const CLINIC_COLUMNS = [
  ...['ai_transcription', 'messaging_account_hash', 'messaging_account_id', 'messaging_phone', 'messaging_platform'],
  ...[
    'min_visit_minutes',
    'name',
    'slot_step_minutes',
    'week_start',
    'wrapping_template_language',
    'wrapping_template_name',
  ],
]

test('the program’s role owns nothing and may only read and write rows', async () => {
  const special: Record<string, string> = {
    clinic: `SELECT ${updates(...CLINIC_COLUMNS)}`,
    api_key: `SELECT ${updates('last_used_at', 'tried_at')}`,
    ingest_token: 'SELECT',
    integration: 'INSERT SELECT',
    former_subscription: 'DELETE INSERT SELECT',
    patient_read: '',
    app: '',
    device_request: '',
    connection: 'SELECT',
    connection_token: 'SELECT',
    payment_document: 'INSERT SELECT UPDATE file_id UPDATE named_patient_id',
    erased_record: 'SELECT',
    audit: 'SELECT',
    audit_seal: 'SELECT',
    audit_segment: 'SELECT',
    audit_segment_names: 'SELECT',
    audit_packed_day: 'SELECT',
    audit_former_seal: 'SELECT',
    audit_export_place: '',
    audit_head: 'SELECT',
    audit_hour: '',
    audit_alert: '',
    stop_rule: '',
    audit_usual: '',
    audit_watch: '',
    administrator: '',
    administrator_session: '',
    sign_in_link: '',
    sign_in_attempt: '',
    passkey: '',
    invitation: '',
    approval: '',
    pairing: '',
    group_role: '',
    weekly_mail: '',
    spent_challenge: '',
    schema_migration: 'SELECT',
  }
  for (const { name, privileges } of await privilegesOf('clinic_data_app')) {
    const ordinary = isPartition(name) ? '' : 'DELETE INSERT SELECT UPDATE'
    assert.equal(privileges, special[name] ?? ordinary, name)
  }
  assert.deepEqual(await functionsOf('clinic_data_app'), [])
})
