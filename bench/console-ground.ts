// The base of `console.ts`: a clinic with many integrations, two keys each, whose audit log and deliveries are long, sealed and summed as they
// would be.
import { createAdministrator } from '@clinic-data/administration/administrators'
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { allScopes, type Clinic, type EventType, eventTypes } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { type SecretKeys, type SigningKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { sealSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'

const LOG_DAYS = 30
const DELIVERY_DAYS = 7
const DAY_MS = 86_400_000
const BATCH = 10_000
/** Each has its share of the events. */
const RECORDS = 5_000
export const RECORD = 'rec_'
/** One delivers, of which little fails. Of the other one nothing has arrived. */
export const HOOKS = { working: 'wh_working', broken: 'wh_broken' } as const

/** Longer than a row settles. */
const ROUND_MS = 60_000

/** The patient whom a thousandth of the rows name, in all of the month. And one whom only the oldest row names. */
export const PATIENTS = { usual: 'patient-77', oldest: 'patient-oldest' } as const

interface Log {
  clinic_id: string
  /** They share the requests. */
  key_ids: readonly string[]
  count: number
  keys: SigningKeys
  now: Date
}

const INTEGRATIONS = 200
const EXPIRY_MS = 10 * 86_400_000

interface Size {
  /** Of the audit log. */
  rows: number
  deliveries: number
}

/** Returns the clinic, and fills it when it is new. */
export async function clinicOfPartners(owner: Database, size: Size, keys: SecretKeys): Promise<Clinic> {
  const clinic = await filledClinic(owner, size, keys)
  await storeApprovals(owner, clinic.clinic_id)
  return clinic
}

async function filledClinic(owner: Database, { rows, deliveries }: Size, keys: SecretKeys): Promise<Clinic> {
  const clinic_id = `partners-${rows}-${deliveries}`
  const known = await findClinic(owner, clinic_id)
  if (known !== undefined) return known
  const now = new Date()
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Clinic of partners', now })
  const key_ids: string[] = []
  for (let n = 1; n <= INTEGRATIONS; n++) {
    const shared = { clinic_id, scopes: allScopes, rate_limit: null, now }
    const first = await mintKey(owner, { ...shared, name: `Partner ${n}`, expires_at: null })
    const [made] = (
      await owner.query<{ integration_id: string }>(
        sql`select integration_id from api_key where clinic_id = ${clinic_id} and id = ${first.id}`,
      )
    ).rows
    const expires_at = new Date(now.getTime() + EXPIRY_MS)
    const integration_id = made?.integration_id ?? null
    const second = await mintKey(owner, { ...shared, name: `Partner ${n}, reports`, expires_at, integration_id })
    key_ids.push(first.id, second.id)
  }
  await storeLog(owner, { clinic_id, key_ids, count: rows, keys: signingKeys(keys, 'audit-head'), now })
  await storeDeliveries(owner, { clinic_id, count: deliveries, keys: signingKeys(keys, 'webhook-secret'), now })
  // The broken webhook is of the busiest partner.
  await owner.query(sql`update subscription set made_by = ${key_ids[0] ?? ''},
      integration_id = (select integration_id from api_key where clinic_id = ${clinic_id} and id = ${key_ids[0] ?? ''})
    where clinic_id = ${clinic_id}`)
  return clinic
}

const PAIRED_CLINIC = 'partners-paired'

/** A second clinic with the same partners, where the administrator has an account too: its sign-in opens both. @returns the second clinic's id. */
export async function pairWithSecond(
  owner: Database,
  { clinic_id, id }: { clinic_id: string; id: string },
): Promise<string> {
  const now = new Date()
  if ((await findClinic(owner, PAIRED_CLINIC)) === undefined) {
    await createClinic(owner, { ...DEMO_CLINIC, clinic_id: PAIRED_CLINIC, name: 'Second clinic', now })
    const shared = { clinic_id: PAIRED_CLINIC, scopes: allScopes, rate_limit: null, expires_at: null, now }
    for (let n = 1; n <= INTEGRATIONS; n++) await mintKey(owner, { ...shared, name: `Partner ${n}` })
  }
  const email = `bench-${now.getTime()}@clinic.example`
  const other = await createAdministrator(owner, { clinic_id: PAIRED_CLINIC, email, name: 'Measuring', now })
  for (const half of [
    sql`${clinic_id}, ${id}, ${id}, ${PAIRED_CLINIC}, ${other.id}`,
    sql`${PAIRED_CLINIC}, ${id}, ${other.id}, ${clinic_id}, ${id}`,
  ])
    await owner.query(sql`insert into pairing (clinic_id, id, administrator_id, other_clinic_id, other_administrator_id, created_at)
      values (${half}, ${now})`)
  // A link opens no other clinic.
  await owner.query(
    sql`update administrator_session set way = 'password' where clinic_id = ${clinic_id} and administrator_id = ${id}`,
  )
  return PAIRED_CLINIC
}

/** Two people wait for as many approvals as they may, below the longest list of those that are over. */
async function storeApprovals(owner: Database, clinic_id: string): Promise<void> {
  const { rows: known } = await owner.query(sql`select from approval where clinic_id = ${clinic_id} limit 1`)
  if (known.length > 0) return
  const now = new Date()
  const request = JSON.stringify({
    params: {},
    body: { name: 'Partner', scopes: allScopes },
    shown: { name: 'Partner' },
  })
  for (const name of ['Noa', 'Dan']) {
    const email = `${name.toLowerCase()}@clinic.example`
    const { id } = await createAdministrator(owner, { clinic_id, email, name, now })
    await owner.query(sql`insert into approval (clinic_id, id, operation, request, request_hash, asked_by, asked_at, expires_at, withdrawn_at)
      select ${clinic_id}, 'apr_' || ${id}::text || n, 'console.keys.mint', ${request}::jsonb, encode(sha256((${id}::text || n)::bytea), 'hex'), ${id},
        ${now}::timestamptz - n * interval '1 minute', ${now}::timestamptz + interval '1 year',
        case when n > ${APPROVALS.most_waiting} then ${now}::timestamptz end
      from generate_series(1, ${APPROVALS.most_shown / 2}) n`)
  }
}

/** A month of requests by these keys, sealed and summed. */
async function storeLog(owner: Database, { clinic_id, key_ids, count, keys, now }: Log): Promise<void> {
  await makeDays(owner, ['audit'], LOG_DAYS)
  // Lists name 25 patients, the other reads one. One request in 50 is refused, one in 1,000 fails.
  await owner.query(sql`insert into audit
    (clinic_id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address, duration_ms)
    select ${clinic_id}, moment, moment, (${key_ids}::text[])[1 + (n % 1000) * (n % 1000) % ${key_ids.length}::integer],
      (array['patients.list', 'patients.get', 'appointments.list', 'payments.search', 'me.get'])[1 + n % 5],
      (array['rest', 'rest', 'mcp'])[1 + n % 3],
      case when n = 1 then array[${PATIENTS.oldest}::text]
        when n % 5 in (0, 2) then array(select 'patient-' || (n * 7 + i * 31) % 25000 from generate_series(1, 25) i)
        else array['patient-' || n * 7 % 1000] end,
      1, case when n % 1000 = 999 then 500 when n % 50 = 0 then 404 else 200 end, 'req_' || n, '192.0.2.1',
      1 + (n * 37) % 40 + case when n % 100 = 0 then 900 else 0 end
    from generate_series(1, ${count}::integer) n,
      lateral (select ${now}::timestamptz - (${count}::integer - n) * interval '1 day' * ${LOG_DAYS}::integer / ${count}::integer as moment) at`)
  await owner.query(sql`analyze audit`)
  let ms = 0
  const sealer = new AuditSealer({ keys, now: () => now, monotonic: () => ms })
  await sealer.seal(owner, clinic_id)
  ms += ROUND_MS
  await sealer.seal(owner, clinic_id)
}

interface Deliveries {
  clinic_id: string
  count: number
  keys: SigningKeys
  now: Date
}

/** Both webhooks, and so many deliveries of the last week. */
async function storeDeliveries(owner: Database, { clinic_id, count, keys, now }: Deliveries): Promise<void> {
  await makeDays(owner, ['event', 'delivery', 'attempt'], DELIVERY_DAYS)
  for (const id of Object.values(HOOKS)) await subscribe(owner, { clinic_id, id, keys, now })
  const events = count / Object.keys(HOOKS).length
  for (let first = 0; first < events; first += BATCH) {
    await store(owner, clinic_id, batch(Math.min(BATCH, events - first), first, events, now))
  }
  await owner.query(sql`insert into attempt_hour (clinic_id, subscription_id, hour, delivered, failed)
    select ${clinic_id}, id, date_trunc('hour', ${now}::timestamptz) - n * interval '1 hour', 300, 4
    from unnest(${Object.values(HOOKS)}::text[]) id, generate_series(0, 23) n`)
  await owner.query(sql`analyze event, delivery, attempt, attempt_hour, subscription, lane`)
}

interface Made {
  id: string
  type: EventType
  created_at: Date
  number: number
}

function batch(count: number, first: number, all: number, now: Date): Made[] {
  return Array.from({ length: count }, (_, i) => {
    const number = first + i
    const created_at = new Date(now.getTime() - 60_000 - ((all - number) * (DELIVERY_DAYS - 1) * DAY_MS) / all)
    // One in 500 is of the last type.
    const type = eventTypes[number % 500 === 0 ? eventTypes.length - 1 : number % 6] ?? 'patient.created'
    return { id: newId('evt', created_at), type, created_at, number }
  })
}

async function store(owner: Database, clinic_id: string, events: readonly Made[]): Promise<void> {
  const rows = sql.input(events, { text: ['id', 'type'], timestamptz: ['created_at'], int: ['number'] })
  await owner.query(sql`insert into event (clinic_id, id, position, type, record_id, body, created_at)
    select ${clinic_id}, input.id, input.number + 1, input.type, ${RECORD} || input.number % ${RECORDS},
      '{"id":"' || input.id || '","type":"' || input.type ||
      '","created_at":"2026-07-12T09:30:00.123+03:00","data":{"id":"x"}}', input.created_at from ${rows}`)
  await owner.query(sql`insert into delivery
      (clinic_id, subscription_id, id, event_id, event_type, status, attempt_count, created_at, due_at, last_attempt_at, error)
    select ${clinic_id}, hook, 'dlv_' || substr(input.id, 5) || '_' || hook, input.id, input.type, status, 1, input.created_at,
      case when status = 'pending' then now() + interval '1 day' end, input.created_at,
      case when status <> 'delivered' then 'connect' end
    from ${rows}, unnest(${Object.values(HOOKS)}::text[]) hook,
      lateral (select case when input.number % 200 = 2 then 'failed' when input.number % 300 = 3 then 'pending'
        when hook = ${HOOKS.broken} then 'failed' else 'delivered' end as status) state`)
  await owner.query(sql`insert into attempt
      (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms, response_status, error)
    select ${clinic_id}, hook, input.id, input.created_at, 1, 'automatic', input.created_at, 12, null, 'connect'
    from ${rows}, unnest(${Object.values(HOOKS)}::text[]) hook`)
}

async function subscribe(
  owner: Database,
  { clinic_id, id, keys, now }: { clinic_id: string; id: string; keys: SigningKeys; now: Date },
): Promise<void> {
  const secret = newWebhookSecret()
  const sealed = sealSecret(keys, { clinic_id, subscription_id: id }, secret)
  await owner.query(sql`insert into subscription
      (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    values (${clinic_id}, ${id}, ${`https://hooks.example/${id}`}, '{}', ${sealed}, ${secret.slice(-4)}, ${now})`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id})`)
}

/** A service has made each day's partitions before the day came. */
async function makeDays(owner: Database, tables: readonly string[], days: number): Promise<void> {
  for (let age = days; age >= 0; age--) {
    const day = (before: number) => new Date(Date.now() - before * DAY_MS).toISOString().slice(0, 10)
    const [from, to] = [day(age), day(age - 1)]
    for (const table of tables) {
      await owner.maintain((tx) =>
        tx.script(`create table if not exists ${table}_${from.replaceAll('-', '')} partition of ${table}
          for values from ('${from} 00:00Z') to ('${to} 00:00Z')`),
      )
    }
  }
}
