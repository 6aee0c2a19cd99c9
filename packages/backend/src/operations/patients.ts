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
import { type NameSearch, nameSearch } from './name-search.ts'
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
      const { order, rows, paged } = listed(clinic, query)
      const detailed = query.response_format === 'detailed'
      const found = await database.read<PatientDetailedRow & Positioned>(
        clinic,
        sql`select ${patientColumns}${detailed ? sql`, ${patientDetails(clinic)}` : sql.empty}, ${paged}.position
          from ${rows} ${patientJoins(clinic)} ${pageOrder(paged, order)}`,
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

interface Listing {
  order: Order
  /** The page with the relation `p`, rows of `patient`; `paged` is the one that has the position. */
  rows: Statement
  paged: Statement
}

function listed(clinic: Clinic, query: ListQuery): Listing {
  const { clinic_id } = clinic
  const search = query.query === undefined ? null : nameSearch(query.query)
  if (search !== null && query.updated_since === undefined) return namedAlike(clinic, search, query)
  const where = [sql`p.clinic_id = ${clinic_id}`, ...contactsAsked(clinic, sql`p.id`, query)]
  if (search !== null) {
    where.push(...search.narrowed(sql`p.name_folded`))
    where.push(sql`(select true from patient_name n
      where n.clinic_id = ${clinic_id} and n.patient_id = p.id and ${search.keyed(sql`n`)} limit 1)`)
  }
  if (query.updated_since !== undefined) where.push(changedSince(sql`p.updated_at`, query.updated_since))
  const order = query.updated_since === undefined ? byId : byChange
  const rows = page({ columns: sql`p.*`, from: sql`patient p`, where, order }, query)
  return { order, rows: sql`${rows} p`, paged: sql`p` }
}

/**
 * In the order of the names' keys; of a patient's keys that match only the first counts. What narrows the keys further
 * stands in scalar subqueries: as joins the planner would be free to read all keys that begin alike first.
 */
function namedAlike(clinic: Clinic, { keyed, narrowed }: NameSearch, query: ListQuery): Listing {
  const { clinic_id } = clinic
  const first = sql`(select earlier.key from patient_name earlier
    where earlier.clinic_id = ${clinic_id} and earlier.patient_id = n.patient_id and ${keyed(sql`earlier`)}
    order by earlier.key limit 1)`
  const whole = narrowed(sql`name_folded`).map(
    (condition) => sql`(select ${condition} from patient where clinic_id = ${clinic_id} and id = n.patient_id)`,
  )
  const contacts = contactsAsked(clinic, sql`n.patient_id`, query)
  const where = [sql`n.clinic_id = ${clinic_id} and ${keyed(sql`n`)} and n.key = ${first}`, ...whole, ...contacts]
  const found = page({ columns: sql`n.patient_id as id`, from: sql`patient_name n`, where, order: byName }, query)
  const rows = sql`${found} found join patient p on p.clinic_id = ${clinic_id} and p.id = found.id`
  return { order: byName, rows, paged: sql`found` }
}

/** On the patient whose id `column` is. */
function contactsAsked({ clinic_id, country }: Clinic, column: Statement, { phone, email }: ListQuery): Statement[] {
  const asked: [type: string, value_normal: string][] = []
  if (phone !== undefined) asked.push(['phone', comparedPhone(phone, country)])
  if (email !== undefined) asked.push(['email', foldEmail(email)])
  // Through an array, which is made first: the planner then looks these patients up, however few or many it expects.
  return asked.map(
    ([type, value_normal]) => sql`${column} = any(array(select c.patient_id from patient_contact c
      where c.clinic_id = ${clinic_id} and c.type = ${type} and c.value_normal = ${value_normal}))`,
  )
}
