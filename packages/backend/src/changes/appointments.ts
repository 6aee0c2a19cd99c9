// Changes of appointments: stored, and told as booked, changed or cancelled.
import type { Clinic, EventType } from '@clinic-data/contract'
import { Appointment } from '@clinic-data/contract/resources/appointment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { instant, sql, type Transaction } from '@clinic-data/database'
import { type AppointmentRecord, cancelledStatuses, storeAppointments } from '../records/appointments.ts'
import type { Stored } from '../records/record-table.ts'
import { type AppointmentRow, appointmentsWhere, attended, renderAppointment } from '../resources/appointment.ts'
import { type Changed, Overtaken } from './write-changes.ts'

const serialize = serializerOf(Appointment)

type Before = { status_id: string | null; cancelled_at: string | null }

/** Stores appointments; those that differ from the stored ones become events, in the order of their ids. */
export async function changeAppointments(
  tx: Transaction,
  clinic: Clinic,
  given: readonly AppointmentRecord[],
): Promise<Changed<Stored>> {
  const cancelled = await cancelledStatuses(tx, clinic)
  const isCancelled = (status_id: string | null) => status_id !== null && cancelled.has(status_id)
  const before = await storedBefore(tx, clinic, given)
  const records = given.map((record) => (isCancelled(record.status_id) ? timed(record, before.get(record.id)) : record))
  const stored = await storeAppointments(tx, clinic, records)

  const eventType = (row: AppointmentRow): EventType => {
    if (stored.inserted.has(row.id)) return 'appointment.created'
    const known = before.get(row.id)
    if (known === undefined) throw new Overtaken('an appointment was stored meanwhile')
    return isCancelled(row.status_id) && !isCancelled(known.status_id) ? 'appointment.cancelled' : 'appointment.updated'
  }
  const rows = await wholeAppointments(tx, clinic, [...stored.inserted, ...stored.updated])
  const changes = rows.map((row) => ({ type: eventType(row), data: serialize(renderAppointment(row)) }))
  return { answer: stored, changes }
}

/** When it was cancelled, if the record does not tell: what is stored, else the moment at which it becomes known. */
function timed(record: AppointmentRecord, before: Before | undefined): AppointmentRecord {
  const cancelled_at = record.cancelled_at ?? instant(before?.cancelled_at ?? null) ?? record.updated_at
  return { ...record, cancelled_at }
}

/** Locked, so that what was read stays true. */
async function storedBefore(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly AppointmentRecord[],
): Promise<Map<string, Before>> {
  const ids = records.map(({ id }) => id)
  const { rows } = await tx.query<Before & { id: string }>(sql`select id, status_id, cancelled_at from appointment
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) order by id for update`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function wholeAppointments(tx: Transaction, clinic: Clinic, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { rows } = await tx.query<AppointmentRow>(appointmentsWhere(clinic, sql`a.id = any(${ids}::text[])`))
  return attended(rows)
}
