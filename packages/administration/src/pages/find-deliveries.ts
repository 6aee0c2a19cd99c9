// Finds the deliveries of a subscription that are about a patient or a record, latest first.
//
// No index finds a patient or a record in the events: it would make every event dearer. So a search looks through a bounded number of
// events, and the next page goes on from there.
import type { DeliveriesSearch, ShownDelivery } from '@clinic-data/console-contract/webhook-operations'
import { patientsOf } from '@clinic-data/contract/patients-of'
import type { Static } from '@clinic-data/contract/schema'
import { type ClinicDatabase, type Statement, sql, type Transaction } from '@clinic-data/database'
import { deliveryColumns } from '@clinic-data/webhooks/deliveries/delivery'
import type { ActiveSession } from '../sessions/sessions.ts'
import { latest, passedRows } from './list-deliveries.ts'
import { renderShown, requireSubscription, type ShownRow } from './shown-delivery.ts'

/** Some tens of milliseconds. */
const MOST_SEARCHED = 5_000

type Search = Omit<Static<typeof DeliveriesSearch>, 'limit'> & {
  limit: number
  now: Date
  /** Default: some tens of milliseconds' events. */
  mostSearched?: number
  /** Adds the audit row. */
  beside: (tx: Transaction, ids: readonly string[], patient_ids: readonly string[]) => void
}

interface Page {
  data: ShownDelivery[]
  meta: { next_cursor: string | null; is_searching: boolean }
}

interface FoundRow extends ShownRow {
  /** Null when the event is no longer kept. */
  body: string | null
}

/**
 * Who searched for whom, and whose deliveries were shown, is put on record in the same transaction.
 *
 * @throws Problem 404
 */
export async function findDeliveries(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  id: string,
  search: Search,
): Promise<Page> {
  const { clinic_id } = clinic
  const { limit, now, mostSearched = MOST_SEARCHED, patient_id, beside } = search
  await requireSubscription(consoleDatabase, clinic, id)
  const passed = passedRows(clinic_id, id, { ...search, most: mostSearched })
  const withBodies = sql`select d.*, (select event.body from event
    where event.clinic_id = ${clinic_id} and event.created_at = d.created_at and event.id = d.event_id) as body
    from (${passed}) d`
  return consoleDatabase.write(clinic, async (tx) => {
    const { rows } = await tx.query<FoundRow>(sql`select ${deliveryColumns(clinic, now)}, d.is_test, d.body
      from (select * from (${withBodies}) d where ${namesOf(search)} ${latest} limit ${limit + 1}) d ${latest}`)
    const { rows: ends } = await tx.query<{ event_id: string }>(
      sql`select d.event_id from (${passed}) d ${latest} offset ${mostSearched - 1}`,
    )
    const isFull = rows.length > limit
    const next_cursor = (isFull ? rows[limit - 1]?.event_id : ends[0]?.event_id) ?? null
    const shown = rows.slice(0, limit).map(eventOf).filter(isAbout(search))
    const patient_ids = patientsOf(
      'event',
      shown.map(({ event }) => event),
    )
    beside(
      tx,
      shown.map(({ row }) => row.event_id),
      [...new Set([...patient_ids, ...(patient_id === undefined ? [] : [patient_id])])],
    )
    return {
      data: shown.map(({ row }) => renderShown(row)),
      meta: { next_cursor, is_searching: !isFull && next_cursor !== null },
    }
  })
}

/** Bodies are only looked through for the ids: reading each as JSON would take several times as long. */
function namesOf({ patient_id, record_id }: Search): Statement {
  const names = [
    ...(patient_id === undefined ? [] : [holds(patient_id)]),
    ...(record_id === undefined ? [] : [sql`(d.event_id = ${record_id} or ${holds(record_id)})`]),
  ]
  return sql.join([sql`true`, ...names], sql` and `)
}

/** A test event holds the contract's own example. */
const holds = (id: string) => sql`not d.is_test and strpos(d.body, ${JSON.stringify(id)}) > 0`

interface Found {
  row: FoundRow
  event: { data?: { id?: unknown } } | null
}

const eventOf = (row: FoundRow): Found => ({ row, event: JSON.parse(row.body ?? 'null') })

/** Whether the event is about the patient and the record that were asked for. */
function isAbout({ patient_id, record_id }: Search): (found: Found) => boolean {
  return ({ row, event }) => {
    const isOfPatient = patient_id === undefined || patientsOf('event', [event]).includes(patient_id)
    return isOfPatient && (record_id === undefined || record_id === row.event_id || event?.data?.id === record_id)
  }
}
