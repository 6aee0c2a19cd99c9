// Patients: the list with its searches, and one by id.
import { type Clinic, type HandlerInput, type Operations, operations } from '@clinic-data/contract'
import { scopesOfFilters } from '@clinic-data/contract/added-filters'
import { type Statement, sql } from '@clinic-data/database'
import { nameSearch } from '@clinic-data/records/filters/name-search'
import { changedSince } from '@clinic-data/records/filters/period'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import { foldEmail } from '@clinic-data/records/folded-email'
import {
  type PatientDetailedRow,
  type PatientRow,
  patientDetails,
  patientJoins,
  patientResource,
  patientsWhere,
  renderPatientDetailed,
} from '@clinic-data/records/resources/patient'
import { notFound } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import {
  type Listed,
  type Order,
  orderOfChange,
  type Positioned,
  page,
  pageAnswer,
  pageOfNext,
  pageOrder,
} from '../handling/page.ts'
import { debtConditions, factConditions } from './patient-facts.ts'
import { byName, isNamed, pageOfNamed } from './patient-names.ts'

type ListQuery = HandlerInput<Operations['patients.list']>['query']

const byId: Order = { sort: sql`p.id`, kind: 'text' }
const byChange = orderOfChange(sql`p`)

export function patientHandlers({ database, now }: HandlerParts): HandlersOf<'patients.list' | 'patients.get'> {
  return {
    'patients.list': async (grant, { query }) => {
      const { clinic } = grant
      // The gateway has asked for them already. This refuses a filter that is not for this key, from any caller.
      grant.require(scopesOfFilters(operations['patients.list'], query))
      const { order, rows, paged } = listed(clinic, query, now())
      const detailed = query.response_format === 'detailed'
      const found = await database.read<PatientDetailedRow & Positioned>(
        clinic,
        sql`select ${patientResource.columns(clinic)}${detailed ? sql`, ${patientDetails(clinic)}` : sql.empty}, ${paged}.sort
          from ${rows} ${patientJoins(clinic)} ${pageOrder(paged, order)}`,
      )
      return pageAnswer(found, query, (row) =>
        detailed ? renderPatientDetailed(row, clinic) : patientResource.render(row),
      )
    },

    'patients.get': async ({ clinic }, { params: { id }, query }) => {
      const detailed = query.response_format === 'detailed'
      const [row] = await database.read<PatientRow | PatientDetailedRow>(
        clinic,
        patientsWhere(clinic, sql`p.id = ${id}`, detailed ? sql`, ${patientDetails(clinic)}` : sql.empty),
      )
      if (row === undefined) throw notFound('patient', id)
      return { data: 'balance_thousandths' in row ? renderPatientDetailed(row, clinic) : patientResource.render(row) }
    },
  }
}

interface Listing {
  order: Order
  /** The page with the relation `p`, rows of `patient`. `paged` is the relation that has the order. */
  rows: Statement
  paged: Statement
}

function listed(clinic: Clinic, query: ListQuery, now: Date): Listing {
  const { clinic_id } = clinic
  const search = query.query === undefined ? null : nameSearch(query.query)
  if (search !== null && query.updated_since === undefined) {
    const found = pageOfNamed({ clinic, search, query, now, contacts: contactsAsked(clinic, query) })
    const rows = sql`${found} found join patient p on p.clinic_id = ${clinic_id} and p.id = found.id`
    return { order: byName, rows, paged: sql`found` }
  }
  const where = [sql`p.clinic_id = ${clinic_id}`]
  // Through an array, which is evaluated first: the planner then looks these patients up, however many it expects.
  where.push(...contactsAsked(clinic, query).map((having) => sql`p.id = any(array(${having}))`))
  where.push(...factConditions(clinic, query, now, { id: sql`p.id`, birth_date: sql`p.birth_date` }))
  if (search !== null) where.push(isNamed(clinic, search, sql`p.id`, sql`p.name_folded`))
  if (query.updated_since !== undefined) where.push(changedSince(sql`p.updated_at`, query.updated_since))
  const order = query.updated_since === undefined ? byId : byChange
  const patients = { columns: sql`p.*`, from: sql`patient p`, where, order }
  const rows = query.owes_more_than === undefined ? page(patients, query) : debtors(clinic, patients, query)
  return { order, rows: sql`${rows} p`, paged: sql`p` }
}

function debtors(clinic: Clinic, patients: Listed, query: ListQuery): Statement {
  const { one, all } = debtConditions(clinic, query.owes_more_than ?? 0, sql`p.id`)
  return pageOfNext(patients, one, all, query)
}

/** The ids of the patients with the requested phone, and of those with the requested email. */
function contactsAsked({ clinic_id, country }: Clinic, { phone, email }: ListQuery): Statement[] {
  const contacts: [type: string, value_normal: string][] = []
  if (phone !== undefined) contacts.push(['phone', comparedPhone(phone, country)])
  if (email !== undefined) contacts.push(['email', foldEmail(email)])
  return contacts.map(
    ([type, value_normal]) => sql`select distinct c.patient_id from patient_contact c
      where c.clinic_id = ${clinic_id} and c.type = ${type} and c.value_normal = ${value_normal}`,
  )
}
