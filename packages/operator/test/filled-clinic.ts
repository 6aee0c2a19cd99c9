// A clinic with rows in every table that the service fills.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Database, sql } from '@clinic-data/database'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { ask, smallClinic, type TestClinic, type TestService } from '@clinic-data/testing/run/test-service'

const hexOf = () => randomBytes(32).toString('hex')

/** A clinic with rows in every table, and the secrets in them. */
export async function filledClinic(service: TestService): Promise<TestClinic & { secrets: string[] }> {
  const { owner } = service
  const made = await smallClinic(service)
  const { clinic, key } = made
  const [tokenHash, password, subject, accessHash] = [hexOf(), hexOf(), hexOf(), hexOf()]
  const secret = randomBytes(24)
  const at = new Date().toISOString()
  const [lead, conversation, account] = [
    await firstOf(owner, clinic.clinic_id, 'lead'),
    await firstOf(owner, clinic.clinic_id, 'chat_conversation'),
    await firstOf(owner, clinic.clinic_id, 'billing_account'),
  ]
  const days = { created_at: at }
  const rows: [table: string, row: Row][] = [
    ['subscription', { id: 'wh_1', url: 'https://crm.example.com/hooks', secret }],
    ['lane', { subscription_id: 'wh_1' }],
    ['former_subscription', { subscription_id: 'wh_1', until: at, event_types: [], enabled: true, is_paused: false }],
    ['event', { ...days, id: 'evt_1', position: 1, type: 'patient.updated', body: '{}' }],
    ['event_counter', { last_position: 1 }],
    ['delivery', { ...days, subscription_id: 'wh_1', id: 'dlv_1', event_id: 'evt_1', event_type: 'patient.updated' }],
    [
      'attempt',
      {
        ...days,
        subscription_id: 'wh_1',
        event_id: 'evt_1',
        number: 1,
        trigger: 'automatic',
        attempted_at: at,
        duration_ms: 1,
      },
    ],
    ['attempt_hour', { subscription_id: 'wh_1', hour: '2026-01-01T08:00:00Z', delivered: 1, failed: 0 }],
    ['idempotency', { ...days, scope: 'POST /v1/leads', key: 'k', request_hash: hexOf(), answer: '{}' }],
    ['lead_activity', { ...days, id: 'act_1', lead_id: lead, kind: 'submission' }],
    ['document_counter', { billing_account_id: account, type: 'receipt', last_number: 1 }],
    [
      'administrator',
      {
        ...days,
        id: 'adm_1',
        email: 'noa@clinic.example',
        name: 'Noa Levi',
        password,
        openid_issuer: 'https://id.example',
        openid_subject: subject,
      },
    ],
    [
      'administrator_session',
      { ...days, token_hash: hexOf(), administrator_id: 'adm_1', seen_at: at, by_link: false, user_agent: '' },
    ],
    ['sign_in_link', { ...days, token_hash: hexOf(), administrator_id: 'adm_1', expires_at: at }],
    ['sign_in_attempt', { email_hash: hexOf(), count: 1, last_at: at }],
    [
      'passkey',
      {
        ...days,
        id: 'psk_1',
        administrator_id: 'adm_1',
        credential_id: hexOf(),
        public_key: hexOf(),
        counter: 0,
        name: 'Phone',
      },
    ],
    [
      'invitation',
      {
        ...days,
        id: 'inv_1',
        token_hash: hexOf(),
        email: 'dan@clinic.example',
        name: 'Dan',
        role: 'member',
        made_by: 'adm_1',
        expires_at: at,
      },
    ],
    [
      'approval',
      {
        id: 'apr_1',
        operation: 'console.keys.mint',
        request: '{}',
        request_hash: hexOf(),
        asked_by: 'adm_1',
        asked_at: at,
        expires_at: at,
      },
    ],
    [
      'pairing',
      {
        ...days,
        id: 'pair_1',
        administrator_id: 'adm_1',
        other_clinic_id: 'elsewhere',
        other_administrator_id: 'adm_1',
      },
    ],
    ['group_role', { group_name: 'clinic-admins', role: 'administrator', created_at: at }],
    ['weekly_mail', { administrator_id: 'adm_1', language: 'en', due_at: at }],
    ['spent_challenge', { challenge_hash: hexOf(), expires_at: at }],
    [
      'ingest_token',
      { ...days, id: 'tok_1', key_hash: tokenHash, first_characters: '', last_characters: '', name: 'PMS' },
    ],
    [
      'api_key',
      { ...days, id: 'con_1', key_hash: hexOf(), first_characters: '', last_characters: '', name: 'Desk', scopes: [] },
    ],
    ['connection', { id: 'con_1', app_id: 'sc', app_name: 'sc', is_verified: true, administrator_id: 'adm_1' }],
    ['connection_token', { ...days, token_hash: accessHash, kind: 'access', connection_id: 'con_1', expires_at: at }],
    [
      'chat_message',
      {
        ...days,
        id: 'out_1000000',
        conversation_id: conversation,
        direction: 'outbound',
        status: 'queued',
      },
    ],
    ['chat_send', { message_id: 'out_1000000', due_at: at, conversation_id: conversation, position: 1_000_000 }],
    ['audit_alert', { id: 'alert_1', rule: 'silence', key_id: 'key', day: '2026-01-01', noticed_at: at, facts: '{}' }],
    ['stop_rule', { rule: 'silence', chosen_at: at, chosen_by: 'adm_1' }],
    ['audit_usual', { key_id: 'key', learnt: '{}' }],
    ['audit_watch', { last_id: 0, day: '2026-01-01', watched_at: at }],
    ['erased_record', { kind: 'patient', id: 'gone', erased_at: '2026-01-01T08:00:00Z' }],
    ['patient_read', { day: '2026-01-01', key_id: 'key', patient_id: 'p1' }],
    [
      'audit_hour',
      {
        hour: '2026-01-01T08:00:00Z',
        key_id: 'key',
        requests: 1,
        refusals: 0,
        failures: 0,
        durations: [],
        minutes: [],
        busiest_minute: 0,
      },
    ],
  ]
  for (const [table, row] of rows) await insert(owner, clinic, table, row)
  await insert(owner, clinic, 'payment', ...manyPayments())
  await ask(service, key, '/v1/patients?limit=1')
  return {
    ...made,
    secrets: [tokenHash, accessHash, password, subject, secret.toString('hex'), secret.toString('base64'), key],
  }
}

/** More than one step takes, and the last of them refunds the first. */
function manyPayments(): Row[] {
  const payments: Row[] = Array.from({ length: 1_100 }, (_, n) => ({
    id: `many${1_000 + n}`,
    refunded_payment_id: null,
  }))
  return [...payments, { id: 'many_refund', refunded_payment_id: 'many1000' }]
}

async function firstOf(owner: Database, clinic_id: string, table: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    sql`select id from ${sql.identifier(table)} where clinic_id = ${clinic_id} order by id limit 1`,
  )
  return rows[0]?.id ?? assert.fail(`the clinic has no row in ${table}`)
}
