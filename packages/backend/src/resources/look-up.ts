// Joins the one row that an id names: a patient, a branch, a provider.
import { type Statement, sql } from '@clinic-data/database'

/**
 * `id` is the column that names the row, `name` is the joined relation's name.
 *
 * States that there is at most one row: ids of one clinic resemble those of another, so the planner would expect several for each
 * and, with some tables joined, decide to read whole tables.
 */
export function lookUp(table: string, clinic_id: string, id: Statement, name: string = table): Statement {
  return sql`left join lateral (select * from ${sql.identifier(table)}
    where clinic_id = ${clinic_id} and id = ${id} limit 1) ${sql.identifier(name)} on true`
}

/**
 * The same for a table with some dozens of rows per clinic: the planner may read them all, once for the whole page. Measured on
 * pages of 25 appointments: a fifth faster than looking each one up.
 */
export function catalogEntry(table: string, clinic_id: string, id: Statement, name: string = table): Statement {
  const entry = sql.identifier(name)
  return sql`left join ${sql.identifier(table)} ${entry} on ${entry}.clinic_id = ${clinic_id} and ${entry}.id = ${id}`
}
