// Reads what the clinic holds of one person by their id: who they are, their appointments and their treatments.
import { type Database, sql, wholeSecond } from '@clinic-data/database'
import {
  type AppointmentDetailedRow,
  appointmentColumns,
  appointmentJoins,
  attended,
  renderAppointmentDetailed,
} from '@clinic-data/records/resources/appointment'
import { catalogEntry } from '@clinic-data/records/resources/look-up'
import { majorUnits, thousandthsIn } from '@clinic-data/records/resources/money'
import {
  type PatientDetailedRow,
  patientDetails,
  patientsWhere,
  renderPatientDetailed,
} from '@clinic-data/records/resources/patient'
import { type TreatmentRow, treatmentJoins, treatmentResource } from '@clinic-data/records/resources/treatment'
import { onlyTheirAppointment } from './only-theirs.ts'
import { ownPages, ownRows } from './own-rows.ts'
import type { Person } from './person.ts'

/** @throws Error when the patient has gone meanwhile. */
export async function patientOf(database: Database, { clinic, patient_id }: Person): Promise<object> {
  const [row] = await database.read<PatientDetailedRow>(
    clinic,
    patientsWhere(clinic, sql`p.id = ${patient_id}`, sql`, ${patientDetails(clinic)}`),
  )
  if (row === undefined) throw new Error('the patient has gone while the export was being written')
  return renderPatientDetailed(row, clinic)
}

export async function* appointmentsOf(database: Database, person: Person): AsyncGenerator<object> {
  const { clinic, patient_id } = person
  const own = {
    table: 'appointment',
    owned: sql`own.patient_id = ${patient_id}`,
    select: (ids: ReturnType<typeof sql>) => sql`select ${appointmentColumns(clinic, 'detailed')}
      from appointment a ${appointmentJoins(clinic)}
      where a.clinic_id = ${clinic.clinic_id} and a.id = any(${ids}) order by a.id, ap.position`,
  }
  for await (const page of ownPages(database, person, own, attended<AppointmentDetailedRow>))
    yield* page.map(renderAppointmentDetailed)
}

/** The API shows neither these fields nor a treatment that was removed. They are held all the same. */
type HeldTreatment = TreatmentRow & {
  branch_name: string | null
  discount_thousandths: number
  removed_at: string | null
}

export async function* treatmentsOf(database: Database, person: Person): AsyncGenerator<object> {
  const { clinic, patient_id } = person
  const { clinic_id } = clinic
  const rows = ownRows<HeldTreatment>(database, person, {
    table: 'treatment',
    owned: sql`own.patient_id = ${patient_id}`,
    select: (ids) => sql`select ${treatmentResource.columns(clinic)}, branch.name as branch_name, t.removed_at,
        ${thousandthsIn('t', 'discount')} as discount_thousandths
      from treatment t ${treatmentJoins(clinic)} ${catalogEntry('branch', clinic_id, sql`t.branch_id`)}
      where t.clinic_id = ${clinic_id} and t.id = any(${ids}) order by t.id`,
  })
  for await (const row of rows)
    yield {
      ...onlyTheirAppointment(person, treatmentResource.render(row)),
      discount: majorUnits(row.discount_thousandths),
      branch: row.branch_name,
      removed_at: wholeSecond(row.removed_at),
    }
}
