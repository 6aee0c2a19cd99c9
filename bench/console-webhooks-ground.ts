// The base of `console-webhooks.ts`: a clinic with two subscriptions and many deliveries of the last week, in every state.
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import { type Clinic, type EventType, eventTypes } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { type Database, sql } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { sealSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'

const DAYS = 7
const DAY_MS = 86_400_000
const BATCH = 10_000
/** Each has its share of the events. */
const RECORDS = 5_000
export const RECORD = 'rec_'
/** One delivers, of which little fails. Of the other one nothing has arrived. */
export const HOOKS = { working: 'wh_working', broken: 'wh_broken' } as const

/** Returns the clinic, and fills it with `count` deliveries when it is new. */
export async function deliveringClinic(owner: Database, count: number, keys: SigningKeys): Promise<Clinic> {
  const clinic_id = `delivering-${count}`
  const known = await findClinic(owner, clinic_id)
  if (known !== undefined) return known
  const now = new Date()
  const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Delivering clinic', now })
  await storeDeliveries(owner, { clinic_id, count, keys, now })
  return clinic
}

interface Deliveries {
  clinic_id: string
  count: number
  keys: SigningKeys
  now: Date
}

/** Both webhooks, and so many deliveries of the last week. */
export async function storeDeliveries(owner: Database, { clinic_id, count, keys, now }: Deliveries): Promise<void> {
  await makeDays(owner)
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
    const created_at = new Date(now.getTime() - 60_000 - ((all - number) * (DAYS - 1) * DAY_MS) / all)
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
async function makeDays(owner: Database): Promise<void> {
  for (let age = DAYS; age >= 0; age--) {
    const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
    const [from, to] = [day(age), day(age - 1)]
    for (const table of ['event', 'delivery', 'attempt']) {
      await owner.maintain((tx) =>
        tx.script(`create table if not exists ${table}_${from.replaceAll('-', '')} partition of ${table}
          for values from ('${from} 00:00Z') to ('${to} 00:00Z')`),
      )
    }
  }
}
