// The base of the records' tests: whole records, and a clinic that has the rows that they name.
import type { Clinic } from '@clinic-data/contract'
import type { Statement } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { AppointmentRecord, storeAppointments } from '../src/appointments.ts'
import { appointmentStatusKind, appointmentTypeKind, branchKind, providerKind } from '../src/catalog.ts'
import { complete } from '../src/storing/complete-record.ts'
import { counted } from './counted.ts'

export const { owner, app } = await testDatabase()
export const CREATED = '2026-01-05T08:00:00.000Z'
export const UPDATED = '2026-02-01T08:00:00.000Z'

export function appointment(id: string, changes: Partial<AppointmentRecord> = {}): AppointmentRecord {
  return complete(AppointmentRecord, {
    id,
    branch_id: 'b1',
    type_id: 'checkup',
    status_id: 'booked',
    provider_ids: ['d1'],
    start: '2026-03-01T22:30:00Z',
    end: '2026-03-01T23:00:00Z',
    created_at: CREATED,
    updated_at: UPDATED,
    ...changes,
  })
}

export async function clinicWithCatalog(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await app.write(clinic, async (tx) => {
    await branchKind.store(tx, clinic, [{ id: 'b1', name: 'North', phone: null, address: null, color: null }])
    await providerKind.store(tx, clinic, [
      { id: 'd1', name: 'Dr. Sample One', type: 'dentist', color: null },
      { id: 'd2', name: 'Dr. Sample Two', type: 'dentist', color: null },
    ])
    await appointmentTypeKind.store(tx, clinic, [
      { id: 'checkup', name: 'Check-up', duration_minutes: 30, color: null },
    ])
    await appointmentStatusKind.store(tx, clinic, [
      { id: 'booked', name: 'Booked', color: '#000000', enabled: true, kind: 'booked' },
      { id: 'gone', name: 'Cancelled', color: '#000000', enabled: true, kind: 'cancelled' },
    ])
  })
  return clinic
}

export const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)

export const storingAppointments = (clinic: Clinic, records: AppointmentRecord[]) =>
  counted(app.write(clinic, (tx) => storeAppointments(tx, clinic, records)))
