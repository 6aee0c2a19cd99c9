// Reads what a clinic's database holds when everything has come to rest, beside the service.
import { type Database, sql } from '@clinic-data/database'
import type { Stored, StoredEvent, WriteKind } from './history.ts'

interface Kept {
  kind: WriteKind
  id: string
  name: string
}

const texts = (clinic_id: string) => sql`
  select 'lead' as kind, id, external_id as name from lead where clinic_id = ${clinic_id}
  union all
  select 'payment', id, description from payment where clinic_id = ${clinic_id}
  union all
  select 'message', id, substr(text, char_length('Hello ') + 1) from chat_message
  where clinic_id = ${clinic_id} and direction = 'outbound'`

/** The clinic's records, by the names that the clients gave them. */
export async function storedRecords(owner: Database, clinic_id: string): Promise<Kept[]> {
  return (await owner.query<Kept>(texts(clinic_id))).rows
}

export async function storedState(owner: Database, clinic_id: string): Promise<Stored> {
  const events = await owner.query<StoredEvent>(sql`
    select id, type, position::int, coalesce(body::json -> 'data' ->> 'id', '') as subject
    from event where clinic_id = ${clinic_id} order by event.position`)
  const documents = await owner.query<{ number: number }>(sql`
    select number::int from payment_document where clinic_id = ${clinic_id} order by payment_document.number`)
  const audited = await owner.query<{ request_id: string }>(sql`
    select distinct request_id from audit where clinic_id = ${clinic_id}`)
  return {
    records: await storedRecords(owner, clinic_id),
    events: events.rows,
    documents: documents.rows.map(({ number }) => number),
    audited: new Set(audited.rows.map(({ request_id }) => request_id)),
  }
}

/** How many deliveries still wait for an attempt. Those of deleted subscriptions are never made; upkeep removes them. */
export async function waitingDeliveries(owner: Database, clinic_id: string): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(sql`
    select count(*)::int as count from delivery
    join subscription on subscription.clinic_id = ${clinic_id} and subscription.id = delivery.subscription_id
    where delivery.clinic_id = ${clinic_id} and delivery.status = 'pending'`)
  return rows[0]?.count ?? 0
}

/** Ends the leases of killed dispatchers at once, for a run that has no 45 seconds. A lease that is still used ends too. */
export async function endLeases(owner: Database, clinic_id: string): Promise<void> {
  await owner.query(sql`update lane set leases = '{}' where clinic_id = ${clinic_id}`)
  await owner.query(sql`
    update delivery set lease_until = now() - interval '1 second'
    where clinic_id = ${clinic_id} and status = 'pending' and lease_until > now()`)
}
