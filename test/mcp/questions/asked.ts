// A question of the table of fifty: its words, the calls that a model makes for it by the tools' descriptions alone, and the true
// answer in plain SQL.
import { type Statement, sql } from '@clinic-data/database'
import { type Tables, todayOf } from './question.ts'
import { between, nameOf, type Query, type Row, type Walker } from './walker.ts'

export interface Asked {
  readonly words: string
  ask(agent: Walker): Promise<unknown>
  /** Selects `said`: one row for a figure, a row for each name of a list. */
  readonly truth: Statement
}

/** The tables as the truths name them. Days are the clinic's. */
export interface Named {
  readonly today: Statement
  readonly clinic: Statement
  /** Every patient `p` with a `name` and the facts that people ask for. */
  readonly people: Statement
}

export function namedTables({ clinic_id, now }: Tables): Named {
  const kind = sql`(select s.kind from appointment_status s where s.clinic_id = x.clinic_id and s.id = x.status_id)`
  const of = sql`x.clinic_id = q.clinic_id and x.patient_id = q.id`
  const people = sql`(select q.*, concat_ws(' ', q.first_name, q.last_name) as name, to_char(q.birth_date, 'MM-DD') as birthday,
      (select max(x.start)::date from appointment x where ${of} and x.start <= ${now} and ${kind} not in ('cancelled', 'no_show')) as visited,
      (select max(x.paid_at)::date from payment x where ${of} and x.status = 'recorded' and not x.is_refund) as paid,
      exists (select from appointment x where ${of} and x.start > ${now} and ${kind} <> 'cancelled') as is_coming,
      (coalesce((select sum(x.price_minor - x.discount_minor) from treatment x where ${of} and x.removed_at is null), 0)
        - coalesce((select sum(case when x.is_refund then -1 else 1 end * x.amount_minor) from payment x
          where ${of} and x.status = 'recorded'), 0)) / 100.0 as owed
    from patient q where q.clinic_id = ${clinic_id}) p`
  return { today: sql`${todayOf(now)}`, clinic: sql`clinic_id = ${clinic_id}`, people }
}

/** The names of the patients that the filters find. */
export async function names(agent: Walker, filters: Row): Promise<string[]> {
  const rows = await agent.rows('patients_list', { ...filters, fields: ['first_name', 'last_name'], limit: 100 })
  return rows.map(nameOf)
}

/** One figure of a dataset over a period. */
export async function figure(
  agent: Walker,
  dataset: string,
  measure: string,
  [field, period]: readonly [field: string, period: readonly [string, string]],
  filters: Query['filters'] = [],
): Promise<unknown> {
  const query = { dataset, measures: [measure], filters: [between(field, period), ...filters] }
  return (await agent.figures(query))[0]?.[measure] ?? 0
}

/** A figure for each value of a dimension, as a person would write them: `cash: 1200`. */
export async function figures(agent: Walker, query: Query, labelOf: string): Promise<string[]> {
  const [measure = ''] = query.measures
  return (await agent.figures(query)).map((row) => `${row[labelOf]}: ${row[measure]}`)
}

/** `MM-DD` of a day. */
export const dayOfYear = (day: string): string => day.slice('YYYY-'.length)
