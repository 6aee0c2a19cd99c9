// The deliveries of a subscription, latest first, by what is asked for.
//
// No index finds a patient or a record in the events: it would make every event dearer. So such a search looks through a bounded number of
// events, and the next page goes on from there.
import type { DeliveriesQuery, ShownDelivery } from '@clinic-data/contract/console/webhook-operations'
import { patientsOf } from '@clinic-data/contract/patients-of'
import type { Static } from '@clinic-data/contract/schema'
import { type ClinicDatabase, type Statement, sql } from '@clinic-data/database'
import { deliveryColumns } from '@clinic-data/webhooks/deliveries/delivery'
import { eventKey } from '@clinic-data/webhooks/deliveries/delivery-id'
import { within } from '../filters/period.ts'
import type { ActiveSession } from './sessions.ts'
import { deliveryOf, renderShown, requireSubscription, type ShownRow } from './shown-delivery.ts'

/** Some tens of milliseconds. */
const MOST_SEARCHED = 5_000

export type Asked = Omit<Static<typeof DeliveriesQuery>, 'limit'> & {
  limit: number
  now: Date
  /** Default: some tens of milliseconds' events. */
  mostSearched?: number
}

interface Page {
  data: ShownDelivery[]
  meta: { next_cursor: string | null; is_searching: boolean }
  shown: ShownDelivery | null
}

interface FoundRow extends ShownRow {
  /** Null where the filters do not ask for it. */
  body: string | null
}

/** @throws Problem 404 */
export async function listDeliveries(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  id: string,
  asked: Asked,
): Promise<Page> {
  const { limit, delivery_id, now } = asked
  const { clinic_id } = clinic
  const one = delivery_id === undefined ? null : deliveryOf(clinic, { id, delivery_id }, now, sql`, d.is_test`)
  const passed = passedRows(clinic_id, id, asked)
  const [found, ends, shown] = await Promise.all([
    consoleDatabase.read<FoundRow>(
      clinic,
      sql`select ${deliveryColumns(clinic, now)}, d.is_test, d.body
      from (select * from (${passed}) d where ${sql.join([sql`true`, ...namesOf(asked)], AND)}
        ${latest} limit ${limit + 1}) d
      ${latest}`,
    ),
    isSearch(asked)
      ? consoleDatabase.read<{ event_id: string }>(
          clinic,
          sql`select d.event_id from (${passed}) d ${latest} offset ${mostOf(asked) - 1}`,
        )
      : [],
    one === null ? [] : consoleDatabase.read<ShownRow>(clinic, one),
  ])
  if (found.length === 0) await requireSubscription(consoleDatabase, clinic, id)
  const isFull = found.length > limit
  const next_cursor = isFull ? found[limit - 1]?.event_id : ends[0]?.event_id
  return {
    data: found.slice(0, limit).filter(isAbout(asked)).map(renderShown),
    meta: { next_cursor: next_cursor ?? null, is_searching: !isFull && next_cursor !== undefined },
    shown: shown.map(renderShown)[0] ?? null,
  }
}

const AND = sql` and `

const latest = sql`order by d.created_at desc, d.event_id desc`

const isSearch = ({ patient_id, record_id }: Asked) => patient_id !== undefined || record_id !== undefined

const mostOf = (asked: Asked) => (isSearch(asked) ? (asked.mostSearched ?? MOST_SEARCHED) : asked.limit + 1)

/** What one request looks through: a page, or as much as a search may. Indexes give the rows of each state and type in order. */
function passedRows(clinic_id: string, id: string, asked: Asked): Statement {
  const { status, event_type, from, to, cursor } = asked
  const after = cursor === undefined ? null : eventKey(cursor)
  const where = [
    sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`,
    // The log of a deleted subscription is not shown, though some of its rows still exist.
    sql`exists (select from subscription s where s.clinic_id = ${clinic_id} and s.id = ${id})`,
    ...(event_type === undefined ? [] : [sql`d.event_type = ${event_type}`]),
    ...within(sql`d.created_at`, { from, to }),
    ...(after === null
      ? []
      : [sql`(d.created_at, d.event_id) < (${after.created_at}::timestamptz, ${after.event_id})`]),
  ]
  const rows = (state: Statement) => sql`(select d.* from delivery d where ${sql.join([...where, state], AND)}
    ${latest} limit ${mostOf(asked)})`
  const body = isSearch(asked)
    ? sql`(select event.body from event
        where event.clinic_id = ${clinic_id} and event.created_at = d.created_at and event.id = d.event_id)`
    : sql`null::text`
  return sql`select d.*, ${body} as body
    from (${sql.join(status === undefined ? [rows(sql`true`)] : STATES[status].map(rows), sql` union all `)}) d
    ${latest} limit ${mostOf(asked)}`
}

/** Each has an index, and both together have none. */
const STATES: Readonly<Record<NonNullable<Asked['status']>, readonly Statement[]>> = {
  delivered: [sql`d.status = 'delivered'`],
  failed: [sql`d.status = 'failed'`, sql`d.status = 'pending' and d.error is not null`],
  pending: [sql`d.status = 'pending'`],
}

/** Bodies are only looked through for the id: reading each as JSON would take several times as long. */
function namesOf({ patient_id, record_id }: Asked): Statement[] {
  return [
    ...(patient_id === undefined ? [] : [holds(patient_id)]),
    ...(record_id === undefined ? [] : [sql`(d.event_id = ${record_id} or ${holds(record_id)})`]),
  ]
}

/** A test event holds the contract's own example. */
const holds = (id: string) => sql`not d.is_test and strpos(d.body, ${JSON.stringify(id)}) > 0`

/** Whether the event of a row is about the patient and the record that were asked for. */
function isAbout({ patient_id, record_id }: Asked): (row: FoundRow) => boolean {
  if (patient_id === undefined && record_id === undefined) return () => true
  return ({ event_id, body }) => {
    const event = JSON.parse(body ?? 'null') as { data?: { id?: unknown } } | null
    const isOfPatient = patient_id === undefined || patientsOf('event', [event]).includes(patient_id)
    return isOfPatient && (record_id === undefined || record_id === event_id || event?.data?.id === record_id)
  }
}
