// Builds the dimensions and filters of datasets, one function for each kind.
import type { Grain } from '@clinic-data/contract/analytics/dataset'
import { type Statement, sql } from '@clinic-data/database'
import type { DimensionSql, FilterSql } from './dataset-sql.ts'

/** A word or another text. */
export function word(text: Statement, ...joins: Statement[]): DimensionSql {
  return { sql: text, type: 'text', joins }
}

/** An id whose name is in a table of its own. */
export function entity(id: Statement, table: string, name = 'name'): DimensionSql {
  return { sql: id, type: 'text', label: { table, name } }
}

/** One whose name is a text of patients. @param patients a relation of `id` and `patients`, of which the audit log names those of the answer's rows */
export function entityOfPatients(id: Statement, table: string, patients: Statement): DimensionSql {
  return { sql: id, type: 'text', label: { table, name: 'name', patients } }
}

/** The patient, with the whole name. @param patient joins the patient as `p` */
export function patientOf(id: Statement, patient: Statement): DimensionSql {
  return { ...word(id, patient), label: { sql: sql`nullif(concat_ws(' ', p.first_name, p.last_name), '')` } }
}

export function day(date: Statement): DimensionSql {
  return { sql: date, type: 'date' }
}

/** 0 is Sunday. */
export function weekday(date: Statement): DimensionSql {
  return { sql: date, type: 'integer', fold: { value: weekdayOf } }
}

export function weekdayOf(date: Statement): Statement {
  return sql`extract(dow from ${date})::integer`
}

/** In the clinic's time zone, which is the session's. */
export function hourOfDay(instant: Statement): DimensionSql {
  return { sql: sql`extract(hour from ${instant})::integer`, type: 'integer' }
}

export function yesOrNo(condition: Statement): DimensionSql {
  return { sql: condition, type: 'boolean' }
}

/** Filters by the same expression as a dimension, before it is folded. */
export function filterBy({ sql, type, joins = [], several }: DimensionSql): FilterSql {
  return { sql, type, joins, ...(several ? { several } : {}) }
}

/** The first day of the period that contains a day. Weeks begin on the clinic's `week_start`. */
export function periodOf(date: Statement, grain: Grain, weekStart: 0 | 1): Statement {
  return grain === 'week' ? weeks[weekStart](date) : periods[grain](date)
}

// Casts to a timestamp without a zone. PostgreSQL would take a plain date for midnight in the session's zone.
const periods: Readonly<Record<Exclude<Grain, 'week'>, (date: Statement) => Statement>> = {
  day: (date) => date,
  month: (date) => sql`date_trunc('month', ${date}::timestamp)::date`,
  quarter: (date) => sql`date_trunc('quarter', ${date}::timestamp)::date`,
  year: (date) => sql`date_trunc('year', ${date}::timestamp)::date`,
}

// Counts from a Sunday and a Monday that precede all records. Takes a third of the time of `date_trunc`.
const weeks: Readonly<Record<0 | 1, (date: Statement) => Statement>> = {
  0: (date) => sql`(${date} - (${date} - date '0001-01-07') % 7)`,
  1: (date) => sql`(${date} - (${date} - date '0001-01-01') % 7)`,
}
