// Patients: the list with its searches, and one by id.
import { type Clinic, type HandlerInput, type Operations, operations } from '@clinic-data/contract'
import { scopesOfFilters } from '@clinic-data/contract/added-filters'
import { type Statement, sql } from '@clinic-data/database'
import { type NameSearch, nameSearch } from '@clinic-data/records/filters/name-search'
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

type ListQuery = HandlerInput<Operations['patients.list']>['query']

const byId: Order = { sort: sql`p.id`, kind: 'text' }
const byName: Order = { sort: sql`n.key`, kind: 'text', id: sql`n.patient_id` }
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
  if (search !== null && query.updated_since === undefined) return namedAlike(clinic, search, query, now)
  const where = [sql`p.clinic_id = ${clinic_id}`]
  // Through an array, which is evaluated first: the planner then looks these patients up, however many it expects.
  where.push(...contactsAsked(clinic, query).map((having) => sql`p.id = any(array(${having}))`))
  where.push(...factConditions(clinic, query, now, { id: sql`p.id`, birth_date: sql`p.birth_date` }))
  if (search !== null) {
    where.push(...search.narrowed(sql`p.name_folded`))
    where.push(sql`(select true from patient_name n
      where n.clinic_id = ${clinic_id} and n.patient_id = p.id and ${search.keyed(sql`n`)} limit 1)`)
  }
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

/**
 * In the order of the names' keys. Of a patient's matching keys only the first counts. The further conditions are scalar
 * subqueries: with joins the planner could first read all keys that begin alike.
 */
function namedAlike(clinic: Clinic, { keyed, narrowed }: NameSearch, query: ListQuery, now: Date): Listing {
  const { clinic_id } = clinic
  const firstKey = (of: Statement) => sql`select first.key from patient_name first
    where first.clinic_id = ${clinic_id} and first.patient_id = ${of} and ${keyed(sql`first`)} order by first.key limit 1`
  const where = narrowed(sql`name_folded`).map(
    (condition) => sql`(select ${condition} from patient where clinic_id = ${clinic_id} and id = n.patient_id)`,
  )
  const birth_date = sql`(select birth_date from patient where clinic_id = ${clinic_id} and id = n.patient_id)`
  where.push(...factConditions(clinic, query, now, { id: sql`n.patient_id`, birth_date }))
  if (query.owes_more_than !== undefined)
    where.push(debtConditions(clinic, query.owes_more_than, sql`n.patient_id`).one)
  const [few, ...others] = contactsAsked(clinic, query)
  let from = sql`patient_name n`
  if (few === undefined) {
    where.push(sql`n.clinic_id = ${clinic_id}`, keyed(sql`n`), sql`n.key = (${firstKey(sql`n.patient_id`)})`)
  } else {
    // The patients with the phone or the email are few, so each one's key is looked up.
    from = sql`(select few.patient_id, named.key from (${few}) few
      cross join lateral (${firstKey(sql`few.patient_id`)}) named) n`
    where.push(...others.map((having) => sql`n.patient_id = any(array(${having}))`))
  }
  const found = page({ columns: sql`n.patient_id as id`, from, where, order: byName }, query)
  const rows = sql`${found} found join patient p on p.clinic_id = ${clinic_id} and p.id = found.id`
  return { order: byName, rows, paged: sql`found` }
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
