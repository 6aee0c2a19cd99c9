// The list of patients with all its filters, for every door that shows one.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { nameSearch } from '../filters/name-search.ts'
import { changedSince } from '../filters/period.ts'
import { comparedPhone } from '../filters/phone-filter.ts'
import { foldEmail } from '../folded-email.ts'
import { type Listed, type Order, orderOfChange, type PageQuery, page, pageOfNext } from './page.ts'
import { debtConditions, factConditions } from './patient-facts.ts'
import { byName, isNamed, pagesOfNamed } from './patient-names.ts'

export type PatientsQuery = HandlerInput<Operations['patients.list']>['query']

const byId: Order = { sort: sql`p.id`, kind: 'text' }
const byChange = orderOfChange(sql`p`)

export interface PatientsListing {
  readonly order: Order
  /** Relations with `p`, rows of `patient`, to be read in turn (`readListed`). `paged` is the relation in them that has the order. */
  readonly pages: Iterable<Statement>
  readonly paged: Statement
}

/** Reads a page: of the relations one after the other, until their rows fill it. @returns more rows than its limit when there are more. */
export async function readListed<R>(
  { pages }: PatientsListing,
  { limit }: PageQuery,
  read: (rows: Statement) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = []
  for (const rows of pages) {
    found.push(...(await read(rows)))
    if (found.length > limit) break
  }
  return found
}

/** @throws Problem `invalid-request` when nothing can be searched by the name or the phone. */
export function listedPatients(clinic: Clinic, query: PatientsQuery, now: Date): PatientsListing {
  const { clinic_id } = clinic
  const search = query.query === undefined ? null : nameSearch(clinic_id, query.query)
  if (search !== null && query.updated_since === undefined) {
    const pages = pagesOfNamed({ clinic, search, query, now, contacts: contactsAsked(clinic, query) }).map(
      (found) => sql`${found} found join patient p on p.clinic_id = ${clinic_id} and p.id = found.id`,
    )
    return { order: byName, pages, paged: sql`found` }
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
  return { order, pages: [sql`${rows} p`], paged: sql`p` }
}

function debtors(clinic: Clinic, patients: Listed, query: PatientsQuery): Statement {
  const { one, all } = debtConditions(clinic, query.owes_more_than ?? 0, sql`p.id`)
  return pageOfNext(patients, one, all, query)
}

/** The ids of the patients with the requested phone, and of those with the requested email. */
function contactsAsked({ clinic_id, country }: Clinic, { phone, email }: PatientsQuery): Statement[] {
  const contacts: [type: string, value_normal: string][] = []
  if (phone !== undefined) contacts.push(['phone', comparedPhone(phone, country)])
  if (email !== undefined) contacts.push(['email', foldEmail(email)])
  return contacts.map(
    ([type, value_normal]) => sql`select distinct c.patient_id from patient_contact c
      where c.clinic_id = ${clinic_id} and c.type = ${type} and c.value_normal = ${value_normal}`,
  )
}
