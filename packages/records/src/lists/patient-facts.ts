// The filters of patients by what their other records say: visits, appointments ahead, payments, debts; and by their birthdays.
//
// A fact is looked up for each patient that the list comes by, in an index of that patient's records. Where few records of the clinic
// can answer it, the patients are taken from these first (docs/decisions/0131).
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { firstInstant } from '../filters/period.ts'
import { thousandthsOf } from '../resources/money.ts'
import { balanceOf, debtorsOf } from '../resources/patient.ts'

type Query = HandlerInput<Operations['patients.list']>['query']

/** The patient of whom a condition speaks. */
export interface Person {
  readonly id: Statement
  readonly birth_date: Statement
}

/** So many days have few records of a clinic, and few birthdays. */
const FEW_DAYS = 31
const DAY_MS = 24 * 60 * 60_000

/** Nobody was born before: the first year that a date of birth may have. */
const FIRST_YEAR = 1850

/** The conditions on a patient that the query's facts make. */
export function factConditions(clinic: Clinic, query: Query, now: Date, { id, birth_date }: Person): Statement[] {
  const { birthday_from, birthday_to } = query
  const where: Statement[] = []
  if (birthday_from !== undefined || birthday_to !== undefined)
    where.push(birthdays(clinic, [birthday_from ?? '01-01', birthday_to ?? '12-31'], now, { id, birth_date }))
  for (const records of [visits(clinic, query, now), ahead(clinic, query, now), payments(clinic, query, now)]) {
    const { from, after, before } = records
    if (after !== undefined) where.push(after.isFew ? among(id, from, after.since) : latestOf(id, from, after.since))
    if (before !== undefined) where.push(sql`${latestOf(id, from, before)} is null`)
  }
  return where
}

/** The condition on a debt, on one patient and on all at once. */
export function debtConditions(clinic: Clinic, amount: number, id: Statement): { one: Statement; all: Statement } {
  const thousandths = thousandthsOf(amount)
  return {
    one: sql`${balanceOf(clinic, id)} > ${thousandths}::bigint`,
    all: sql`${id} = any(array(${debtorsOf(clinic, thousandths)}))`,
  }
}

/** The day of a patient's last visit, and of the last payment, as the filters count them. Null: there is none. */
export function latestDays(clinic: Clinic, now: Date, id: Statement): { visit: Statement; payment: Statement } {
  const until = sql`${now}::timestamptz`
  const day = (sort: Statement, from: Statement) =>
    sql`(select to_char(max(${sort}), 'YYYY-MM-DD') from ${from} and r.patient_id = ${id} and ${sort} > '-infinity')`
  return {
    visit: day(sql`r.start_sort`, sql`${came(clinic)} and r.start_sort <= ${until}`),
    payment: day(sql`r.paid_sort`, paying(clinic)),
  }
}

interface Records {
  /** Relations and conditions. The record `r` has a `patient_id`. */
  readonly from: Statement
  /** Patients who have such a record since then. */
  readonly after?: { readonly since: Statement; readonly isFew: boolean } | undefined
  /** Patients who have none since then. */
  readonly before?: Statement | undefined
}

function visits(clinic: Clinic, { last_visit_after, last_visit_before }: Query, now: Date): Records {
  const since = (day: string) =>
    sql`r.start_sort >= ${firstInstant(sql`${day}::date`)} and r.start_sort <= ${now}::timestamptz`
  return {
    from: came(clinic),
    ...bounds(last_visit_after, last_visit_before, since, now),
  }
}

function came(clinic: Clinic): Statement {
  return appointments(clinic, sql`status.kind is distinct from 'cancelled' and status.kind is distinct from 'no_show'`)
}

function ahead(clinic: Clinic, { has_future_appointment }: Query, now: Date): Records {
  const since = sql`r.start_sort > ${now}::timestamptz and r.start_sort < 'infinity'`
  return {
    from: appointments(clinic, sql`status.kind is distinct from 'cancelled'`),
    after: has_future_appointment === true ? { since, isFew: false } : undefined,
    before: has_future_appointment === false ? since : undefined,
  }
}

/** An appointment without a status counts: nobody has cancelled it. */
function appointments({ clinic_id }: Clinic, stands: Statement): Statement {
  return sql`appointment r left join appointment_status status on status.clinic_id = ${clinic_id} and status.id = r.status_id
    where r.clinic_id = ${clinic_id} and ${stands}`
}

function payments(clinic: Clinic, { last_payment_after, last_payment_before }: Query, now: Date): Records {
  const since = (day: string) => sql`r.paid_sort >= ${firstInstant(sql`${day}::date`)}`
  return {
    from: paying(clinic),
    ...bounds(last_payment_after, last_payment_before, since, now),
  }
}

function paying({ clinic_id }: Clinic): Statement {
  return sql`payment r where r.clinic_id = ${clinic_id} and r.status = 'recorded' and not r.is_refund`
}

function bounds(
  after: string | undefined,
  before: string | undefined,
  since: (day: string) => Statement,
  now: Date,
): Omit<Records, 'from'> {
  const isFew = (day: string) => Date.parse(day) > now.getTime() - FEW_DAYS * DAY_MS
  return {
    after: after === undefined ? undefined : { since: since(after), isFew: isFew(after) },
    before: before === undefined ? undefined : since(before),
  }
}

/** Through an array, which is evaluated first: the planner then looks these patients up, however many it expects. */
function among(id: Statement, from: Statement, since: Statement): Statement {
  return sql`${id} = any(array(select distinct r.patient_id from ${from} and ${since} and r.patient_id is not null))`
}

/** True, or null. As a value it is looked up for each patient: of a condition the planner could make a join of whole tables. */
function latestOf(id: Statement, from: Statement, since: Statement): Statement {
  return sql`(select true from ${from} and r.patient_id = ${id} and ${since} limit 1)`
}

/** The days go across New Year when the first is the later one. */
function birthdays(
  { clinic_id }: Clinic,
  [from, to]: readonly [string, string],
  now: Date,
  { id, birth_date }: Person,
): Statement {
  const spans = from <= to ? [[from, to] as const] : [[from, '12-31'] as const, ['01-01', to] as const]
  if (daysOf(spans) > FEW_DAYS) {
    const day = sql`to_char(${birth_date}, 'MM-DD')`
    return sql`(${sql.join(
      spans.map(([first, last]) => sql`${day} between ${first} and ${last}`),
      sql` or `,
    )})`
  }
  const dates = spans.flatMap((span) => datesOf(span, now.getUTCFullYear() + 1))
  // A value for each span: of a join the planner could make a loop over all patients for each of them.
  return sql`${id} = any(array(select unnest(array(select b.id from patient b
      where b.clinic_id = ${clinic_id} and b.birth_date >= span.first and b.birth_date < span.behind))
    from unnest(${dates.map(([first]) => first)}::date[], ${dates.map(([, behind]) => behind)}::date[]) span (first, behind)))`
}

type Span = readonly [first: string, last: string]

function daysOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [first, last]) => sum + 1 + (leapDay(last) - leapDay(first)) / DAY_MS, 0)
}

/** A leap year has all days. */
function leapDay(day: string): number {
  return Date.parse(`2024-${day}`)
}

/** The span in each year: its first day, and the day behind its last. In most years the one behind 28 February is 1 March. */
function datesOf([first, last]: Span, lastYear: number): [first: string, behind: string][] {
  const years = Array.from({ length: lastYear - FIRST_YEAR + 1 }, (_, n) => FIRST_YEAR + n)
  return years.map((year) => [dateOf(year, first), dayBehind(dateOf(year, last), year, last)])
}

/** Where a year has no 29 February, 1 March. */
function dateOf(year: number, day: string): string {
  return new Date(`${year}-${day}`).toISOString().slice(0, 10)
}

function dayBehind(date: string, year: number, day: string): string {
  if (day === '02-29') return `${year}-03-01`
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)
}
