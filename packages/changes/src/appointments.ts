// Changes of appointments: stores them and emits booked, changed and cancelled events.
import type { Clinic } from '@clinic-data/contract'
import { Appointment } from '@clinic-data/contract/resources/appointment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { instant, sql, type Transaction } from '@clinic-data/database'
import { type AppointmentRecord, cancelledStatuses, storeAppointments } from '@clinic-data/records/appointments'
import {
  type AppointmentRow,
  type AttendedRow,
  appointmentsWhere,
  attended,
  renderAppointment,
} from '@clinic-data/records/resources/appointment'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { updatedOf } from '@clinic-data/records/storing/store-rows'
import type { Change } from '@clinic-data/webhooks'
import { RefusedRows } from './writing/refused-rows.ts'
import { ResourceChanges } from './writing/resource-changes.ts'
import type { Changed } from './writing/write-changes.ts'

const serialize = serializerOf(Appointment)

interface Before {
  id: string
  status_id: string | null
  cancelled_at: string | null
}

const appointments = new ResourceChanges<Before, AttendedRow>({
  table: 'appointment',
  decisive: sql`status_id, cancelled_at`,
  read: async (tx, clinic, ids) => {
    const { rows } = await tx.query<AppointmentRow>(appointmentsWhere(clinic, sql`a.id = any(${ids}::text[])`))
    return attended(rows)
  },
  serialize: (row) => serialize(renderAppointment(row)),
})

/** Stores appointments. New and changed ones become events, in the order of their ids. */
export async function changeAppointments(
  tx: Transaction,
  clinic: Clinic,
  reported: readonly AppointmentRecord[],
): Promise<Changed<Stored>> {
  const cancelled = await cancelledStatuses(tx, clinic)
  const isCancelled = (status_id: string | null) => status_id !== null && cancelled.has(status_id)
  return appointments.change(tx, clinic, reported, {
    store: (before) => {
      const dated = (record: AppointmentRecord) => withCancellation(record, before.get(record.id))
      const records = reported.map((record) => (isCancelled(record.status_id) ? dated(record) : record))
      return storeAppointments(tx, clinic, records)
    },
    type: ({ status_id }, isNew, before) => {
      if (isNew) return 'appointment.created'
      const isNews = isCancelled(status_id) && !isCancelled(before?.status_id ?? null)
      return isNews ? 'appointment.cancelled' : 'appointment.updated'
    },
  })
}

export interface Cancellation {
  readonly id: string
  /** Default: now. */
  readonly cancelled_at: string | null
  /** A status of kind cancelled. Default: the clinic's first one that is in use. */
  readonly status_id: string | null
}

/**
 * Cancels existing appointments. Leaves cancelled ones as they are.
 *
 * @throws RefusedRows when the status is of another kind, or if no status is named and the clinic has none of this kind.
 */
export async function cancelAppointments(
  tx: Transaction,
  clinic: Clinic,
  cancellations: readonly Cancellation[],
  now: Date,
): Promise<Changed<Stored>> {
  const cancelled = await cancelledStatuses(tx, clinic)
  const usual = await usualCancelledStatus(tx, clinic)
  refuseOtherStatuses(cancellations, cancelled, usual)
  const before = await appointments.locked(tx, clinic, cancellations)
  const open = cancellations.filter(({ id }) => !cancelled.has(before.get(id)?.status_id ?? ''))
  const ids = open.map(({ id }) => id)
  const rows = open.map(({ id, status_id, cancelled_at }) => {
    return { id, status_id: status_id ?? usual, cancelled_at: cancelled_at ?? now }
  })
  const { clinic_id } = clinic
  await tx.query(sql`update appointment as stored set status_id = input.status_id, cancelled_at = input.cancelled_at,
      updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(rows, { text: ['id', 'status_id'], timestamptz: ['cancelled_at'] })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
  await tx.query(sql`update appointment_provider set busy = false
    where clinic_id = ${clinic_id} and appointment_id = any(${ids}::text[])`)
  const changes = await appointments.changesOf(tx, clinic, ids, () => 'appointment.cancelled')
  return { answer: updatedOf(cancellations, new Set(ids)), changes }
}

async function usualCancelledStatus(tx: Transaction, { clinic_id }: Clinic): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(sql`select id from appointment_status
    where clinic_id = ${clinic_id} and kind = 'cancelled' and enabled order by id limit 1`)
  return rows[0]?.id ?? null
}

function refuseOtherStatuses(
  cancellations: readonly Cancellation[],
  cancelled: ReadonlySet<string>,
  usual: string | null,
): void {
  const refused = cancellations.flatMap(({ status_id }, index) => {
    const fault = { index, place: '/status_id' }
    if (status_id === null && usual === null) {
      return { ...fault, code: 'required', detail: 'is required: no status of kind cancelled is in use' }
    }
    if (status_id === null || cancelled.has(status_id)) return []
    return { ...fault, code: 'not_cancelled', detail: 'must be a status of kind cancelled' }
  })
  if (refused.length > 0) throw new RefusedRows(refused)
}

/** The time of a cancellation, if the record does not give it: the stored time, or else now. */
function withCancellation(record: AppointmentRecord, before: Before | undefined): AppointmentRecord {
  const cancelled_at = record.cancelled_at ?? instant(before?.cancelled_at ?? null) ?? record.updated_at
  return { ...record, cancelled_at }
}

/** Appointments that were changed in another way, as events. */
export function updatedAppointments(tx: Transaction, clinic: Clinic, ids: readonly string[]): Promise<Change[]> {
  return appointments.changesOf(tx, clinic, ids, () => 'appointment.updated')
}
