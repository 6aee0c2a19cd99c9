// The list of patients by name: first those whose name a search finds as it is written, then those whose name in another script
// sounds so (docs/decisions/0136).
import type { Clinic, HandlerInput, Operations, Position } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import type { HeardNames } from '../filters/heard-names.ts'
import type { NameSearch } from '../filters/name-search.ts'
import { isInRange } from '../filters/pair-ranges.ts'
import { type Order, page } from './page.ts'
import { debtConditions, factConditions } from './patient-facts.ts'

type ListQuery = HandlerInput<Operations['patients.list']>['query']

export const byName: Order = { sort: sql`n.key`, kind: 'text', id: sql`n.patient_id` }
const bySound: Order = { sort: sql`n.sound`, kind: 'text', id: sql`n.patient_id` }

/** Begins the position of a patient who was found by sound: behind any key that a search finds. */
const BEHIND_KEYS = '\u{10ffff}'

/** Who was found by name, in order, as a relation with `id` and `sort`. */
interface Named {
  readonly clinic: Clinic
  readonly search: NameSearch
  readonly query: ListQuery
  readonly now: Date
  /** The ids of the patients with the requested phone, and of those with the requested email. */
  readonly contacts: readonly Statement[]
}

/**
 * The pages of patients with the name, as relations with `id` and `sort`. Each is asked for only when those before it have not filled a
 * page: most searches find enough as it is written, and a statement for both takes longer to plan than to run.
 */
export function* pagesOfNamed(named: Named): Generator<Statement> {
  if (afterSound(named.query.after) === null) yield writtenAlike(named)
  const heard = named.search.heard()
  if (heard !== null) yield sql`(select id, ${BEHIND_KEYS} || sort as sort from ${heardAlike(named, heard)} heard)`
}

/** The condition on a patient of a list in another order. */
export function isNamed(clinic: Clinic, search: NameSearch, id: Statement, folded: Statement): Statement {
  const written = sql.join([hasKey(clinic, search.keyed, id), ...search.narrowed(folded)], sql` and `)
  const heard = search.heard()
  if (heard === null) return written
  return sql`(${written} or ${sql.join([hasKey(clinic, heard.keyed, id), ...search.narrowedBySound(id)], sql` and `)})`
}

/**
 * In the order of the names' keys. Of a patient's matching keys only the first counts. The further conditions are scalar
 * subqueries: with joins the planner could first read all keys that begin alike.
 */
function writtenAlike(named: Named): Statement {
  const { clinic, query } = named
  const { keyed, ranges } = named.search
  const first = (id: Statement) => firstKey(clinic, keyed, id, sql`first.key`)
  const where = [...narrowed(named), ...conditions(named)]
  const columns = sql`n.patient_id as id`
  const [few, ...others] = named.contacts
  if (few !== undefined)
    return page({ columns, from: ofFew(few, first), where: [...where, ...among(others)], order: byName }, query)
  const inKeys = (range: Statement) => {
    const isFirst = sql`n.key = (select key from (${first(sql`n.patient_id`)}) first)`
    const all = [sql`n.clinic_id = ${clinic.clinic_id}`, range, isFirst, ...where]
    return page({ columns, from: sql`patient_name n`, where: all, order: byName }, query)
  }
  if (ranges === null) return inKeys(keyed(sql`n`))
  return sql`(select each.* from ${ranges} range(low, high, second)
    cross join lateral ${inKeys(isInRange(sql`n.key`, sql`range`))} each
    order by each.sort, each.id limit ${query.limit + 1})`
}

/** In the order of the sounds, without those whom `writtenAlike` finds. */
function heardAlike(named: Named, heard: HeardNames): Statement {
  const { clinic, search } = named
  const query = { ...named.query, after: afterSound(named.query.after) }
  const first = (id: Statement) => firstKey(clinic, heard.keyed, id, sql`first.sound, first.key`)
  const isWritten = sql.join([hasKey(clinic, search.keyed, sql`n.patient_id`), ...narrowed(named)], sql` and `)
  const where = [sql`(${isWritten}) is not true`, ...search.narrowedBySound(sql`n.patient_id`), ...conditions(named)]
  const columns = sql`n.patient_id as id`
  const [few, ...others] = named.contacts
  if (few !== undefined)
    return page({ columns, from: ofFew(few, first), where: [...where, ...among(others)], order: bySound }, query)
  where.unshift(
    ...[sql`n.clinic_id = ${clinic.clinic_id}`, heard.within(sql`n`, sql`range`)],
    sql`n.key = (select key from (${first(sql`n.patient_id`)}) first)`,
  )
  // The index has each range in order, but not all of them together.
  return sql`(select distinct each.id, each.sort from ${heard.ranges} range(low, high, second)
    cross join lateral ${page({ columns, from: sql`patient_name n`, where, order: bySound }, query)} each
    order by each.sort, each.id limit ${query.limit + 1})`
}

/** A page that ended among those found by name begins with the first of these. */
function afterSound(after: Position | null): Position | null {
  const [sort = '', ...id] = after ?? []
  return sort.startsWith(BEHIND_KEYS) ? [sort.slice(BEHIND_KEYS.length), ...id] : null
}

/** The patients with the phone or the email are few, so each one's key is looked up. */
function ofFew(few: Statement, first: (id: Statement) => Statement): Statement {
  return sql`(select few.patient_id, named.key, named.sound from (${few}) few
    cross join lateral (${first(sql`few.patient_id`)}) named) n`
}

function among(contacts: readonly Statement[]): Statement[] {
  return contacts.map((having) => sql`n.patient_id = any(array(${having}))`)
}

function firstKey({ clinic_id }: Clinic, keyed: NameSearch['keyed'], id: Statement, order: Statement): Statement {
  return sql`select first.key, first.sound from patient_name first
    where first.clinic_id = ${clinic_id} and first.patient_id = ${id} and ${keyed(sql`first`)} order by ${order} limit 1`
}

function hasKey({ clinic_id }: Clinic, keyed: NameSearch['keyed'], id: Statement): Statement {
  return sql`(select true from patient_name having_key
    where having_key.clinic_id = ${clinic_id} and having_key.patient_id = ${id} and ${keyed(sql`having_key`)} limit 1)`
}

function narrowed({ clinic: { clinic_id }, search }: Named): Statement[] {
  return search
    .narrowed(sql`name_folded`)
    .map((condition) => sql`(select ${condition} from patient where clinic_id = ${clinic_id} and id = n.patient_id)`)
}

function conditions({ clinic, query, now }: Named): Statement[] {
  const id = sql`n.patient_id`
  const birth_date = sql`(select birth_date from patient where clinic_id = ${clinic.clinic_id} and id = n.patient_id)`
  const where = factConditions(clinic, query, now, { id, birth_date })
  if (query.owes_more_than !== undefined) where.push(debtConditions(clinic, query.owes_more_than, id).one)
  return where
}
