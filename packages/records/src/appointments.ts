// Stores appointments and who attends to them.

import { type Clinic, MAX } from '@clinic-data/contract'
import { GivenId, Id, list, nullable, type Static, strictObject, text } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { sql } from '@clinic-data/database'
import { addChildren, type ChildTable, removeChildren, replaceChildren } from './storing/child-rows.ts'
import { keptErasedPatients, withoutTextOfErased } from './storing/erased-records.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { createdDate, localDate, recordTable, type Stored, stored } from './storing/record-table.ts'
import { storedOf, storeRows, touchRows } from './storing/store-rows.ts'

export const AppointmentRecord = strictObject({
  id: GivenId,
  patient_id: nullable(Id, { description: 'Who comes.' }),
  branch_id: nullable(Id, { description: 'Where.' }),
  type_id: nullable(Id, { description: 'The kind of visit: an appointment type of the catalog.' }),
  status_id: nullable(Id, { description: "One of the clinic's own statuses." }),
  provider_ids: list(Id, MAX.providers, { description: 'Who treats, in the order in which they are shown.' }),
  start: nullable(RecordedInstant, { description: 'When the visit begins.' }),
  end: nullable(RecordedInstant, { description: 'When the visit ends; not before `start`.' }),
  note: nullable(text(MAX.note), { description: "The staff's note." }),
  cancelled_at: nullable(RecordedInstant, { description: 'When it was cancelled; null while it stands.' }),
  ...RecordedAt,
})
export type AppointmentRecord = Static<typeof AppointmentRecord>

export function checkAppointment(record: AppointmentRecord): Finding[] {
  const findings = findingsIn(AppointmentRecord, record)
  if (findings.length > 0) return findings
  const { start, end, provider_ids } = record
  if (start !== null && end !== null && Date.parse(end) < Date.parse(start)) {
    findings.push({ place: '/end', code: 'reversed', detail: 'must not be before start' })
  }
  if (new Set(provider_ids).size < provider_ids.length) {
    findings.push({ place: '/provider_ids', code: 'duplicate', detail: 'must not hold an item twice' })
  }
  return findings
}

export async function storeAppointments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly AppointmentRecord[],
): Promise<Stored> {
  const idle = await cancelledStatuses(tx, clinic)
  const kept = await keptErasedPatients(tx, clinic, 'appointment', records)
  const known = await withoutTextOfErased(tx, clinic, kept, (record) => ({ ...record, note: null }))
  const latest = new Map(known.map((record) => [record.id, record]))
  const ids = await storeRows(tx, clinic, appointmentTable, [...latest.values()])
  const all = [...latest.values()]
  const added = all.filter(({ id }) => ids.inserted.has(id))
  const present = all.filter(({ id }) => !ids.inserted.has(id))
  await addChildren(
    tx,
    clinic,
    providers,
    added.flatMap((record) => providersOf(record, idle)),
  )
  if (present.length > 0) {
    // The copies of start and end follow the appointment.
    await removeChildren(tx, clinic, providers, [...ids.updated])
    const children = new Map(present.map((record) => [record.id, providersOf(record, idle)]))
    const others = await replaceChildren(tx, clinic, providers, children)
    const touched = present.filter(({ id }) => others.has(id) && !ids.updated.has(id))
    await touchRows(tx, clinic, appointmentTable, touched)
    for (const { id } of touched) ids.updated.add(id)
  }
  return storedOf(records, ids)
}

const appointmentTable = recordTable<AppointmentRecord>()({
  name: 'appointment',
  fields: {
    id: 'key',
    ...stored(['patient_id', 'branch_id', 'type_id', 'status_id', 'start', 'end', 'note', 'cancelled_at']),
    provider_ids: 'elsewhere',
    created_at: 'once',
    updated_at: 'updated',
  },
  more: [localDate('start_date', ({ start }) => start, 0), ...createdDate],
})

type StoredProvider = {
  appointment_id: string
  provider_id: string
  position: number
  start_sort: string
  end: string | null
  busy: boolean
}

const providers: ChildTable<StoredProvider> = {
  rows: recordTable<StoredProvider>()({
    name: 'appointment_provider',
    fields: { appointment_id: 'key', provider_id: 'key', ...stored(['position', 'start_sort', 'end', 'busy']) },
  }),
  parent: 'appointment_id',
  compared: ['provider_id', 'position', 'busy'],
}

function providersOf(record: AppointmentRecord, idle: ReadonlySet<string>): StoredProvider[] {
  const { id: appointment_id, start, end, status_id } = record
  const busy = status_id === null || !idle.has(status_id)
  const start_sort = start ?? 'infinity'
  return record.provider_ids.map((provider_id, position) => ({
    appointment_id,
    provider_id,
    position,
    start_sort,
    end,
    busy,
  }))
}

/** Call this after the meaning of some statuses has changed: an appointment that is now cancelled frees its providers' time. */
export async function refreshBusy(tx: Transaction, { clinic_id }: Clinic, statusIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    update appointment_provider as attending set busy = not attending.busy
    from appointment, appointment_status as status
    where attending.clinic_id = ${clinic_id} and appointment.clinic_id = ${clinic_id} and status.clinic_id = ${clinic_id}
      and appointment.id = attending.appointment_id and status.id = appointment.status_id
      and status.id = any(${statusIds}::text[]) and attending.busy = (status.kind = 'cancelled')`)
}

/** The statuses whose appointments take no provider's time. Locked, so that their meaning stays until the commit. */
export async function cancelledStatuses(tx: Transaction, { clinic_id }: Clinic): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string; kind: string }>(
    sql`select id, kind from appointment_status where clinic_id = ${clinic_id} order by id for share`,
  )
  return new Set(rows.flatMap(({ id, kind }) => (kind === 'cancelled' ? [id] : [])))
}

export const appointmentKind = recordKind<AppointmentRecord>({
  record: AppointmentRecord,
  table: 'appointment',
  references: {
    patient_id: 'patient',
    branch_id: 'branch',
    type_id: 'appointment_type',
    status_id: 'appointment_status',
    provider_ids: 'provider',
  },
  check: checkAppointment,
  store: storeAppointments,
})
