// Patients: the list with its searches, and one by id.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { foldEmail } from '../records/folded-email.ts'
import {
  type PatientDetailedRow,
  type PatientRow,
  patientColumns,
  patientDetails,
  patientJoins,
  renderPatient,
  renderPatientDetailed,
} from '../resources/patient.ts'
import type { HandlerParts, HandlersOf } from './handled.ts'
import { nameSearch } from './name-search.ts'
import { notFound } from './not-found.ts'
import { type Order, type Positioned, page, pageAnswer, pageOrder } from './page.ts'
import { changedSince } from './period.ts'
import { comparedPhone } from './phone-filter.ts'

type ListQuery = HandlerInput<Operations['patients.list']>['query']

const byId: Order = { sort: sql`p.id`, kind: 'text' }
const byName: Order = { sort: sql`n.key`, kind: 'text', id: sql`n.patient_id` }
const byChange: Order = { sort: sql`p.updated_at`, kind: 'instant', id: sql`p.id` }

export function patientHandlers({ database }: HandlerParts): HandlersOf<'patients.list' | 'patients.get'> {
  return {
    'patients.list': async ({ clinic }, { query }) => {
      const { order, rows } = listed(clinic, query)
      const detailed = query.response_format === 'detailed'
      const found = await database.read<PatientDetailedRow & Positioned>(
        clinic,
        sql`select ${patientColumns}${detailed ? sql`, ${patientDetails(clinic)}` : sql.empty}, p.position
          from ${rows} p ${patientJoins(clinic)} ${pageOrder(sql`p`, order)}`,
      )
      return pageAnswer(found, query, (row) => (detailed ? renderPatientDetailed(row, clinic) : renderPatient(row)))
    },

    'patients.get': async ({ clinic }, { params: { id }, query }) => {
      const detailed = query.response_format === 'detailed'
      const [row] = await database.read<PatientRow | PatientDetailedRow>(
        clinic,
        sql`select ${patientColumns}${detailed ? sql`, ${patientDetails(clinic)}` : sql.empty}
          from patient p ${patientJoins(clinic)} where p.clinic_id = ${clinic.clinic_id} and p.id = ${id}`,
      )
      if (row === undefined) throw notFound('patient', id)
      return { data: 'balance_minor' in row ? renderPatientDetailed(row, clinic) : renderPatient(row) }
    },
  }
}

function listed(clinic: Clinic, query: ListQuery): { order: Order; rows: Statement } {
  const { clinic_id } = clinic
  const where = [sql`p.clinic_id = ${clinic_id}`]
  if (query.phone !== undefined) where.push(hasContact(clinic_id, 'phone', comparedPhone(query.phone, clinic.country)))
  if (query.email !== undefined) where.push(hasContact(clinic_id, 'email', foldEmail(query.email)))
  if (query.query !== undefined) {
    const { keyed, narrowed } = nameSearch(query.query)
    where.push(...narrowed)
    if (query.updated_since === undefined) return { order: byName, rows: byKey(clinic_id, keyed, where, query) }
    const named = sql`n.clinic_id = ${clinic_id} and n.patient_id = p.id and ${keyed(sql`n`)}`
    where.push(sql`exists (select from patient_name n where ${named})`)
  }
  if (query.updated_since !== undefined) where.push(changedSince(sql`p.updated_at`, query.updated_since))
  const order = query.updated_since === undefined ? byId : byChange
  return { order, rows: page({ columns: sql`p.*`, from: sql`patient p`, where, order }, query) }
}

/** In the order of the names' keys; of a patient's keys that match only the first counts. */
function byKey(
  clinic_id: string,
  keyed: (name: Statement) => Statement,
  where: readonly Statement[],
  query: ListQuery,
): Statement {
  const isFirst = sql`not exists (select from patient_name earlier
    where earlier.clinic_id = ${clinic_id} and earlier.patient_id = n.patient_id
    and ${keyed(sql`earlier`)} and earlier.key < n.key)`
  return page(
    {
      columns: sql`p.*`,
      from: sql`patient_name n join patient p on p.clinic_id = ${clinic_id} and p.id = n.patient_id`,
      where: [sql`n.clinic_id = ${clinic_id}`, keyed(sql`n`), isFirst, ...where],
      order: byName,
    },
    query,
  )
}

// Through an array, which is made first: the planner then looks these patients up, however few or many it expects.
function hasContact(clinic_id: string, type: 'phone' | 'email', value_normal: string): Statement {
  return sql`p.id = any(array(select c.patient_id from patient_contact c
    where c.clinic_id = ${clinic_id} and c.type = ${type} and c.value_normal = ${value_normal}))`
}
