// Joins the row that an id refers to: a patient, a branch, a provider.
import { type Statement, sql } from '@clinic-data/database'

/**
 * `id` is the column that refers to the row. `name` is the joined relation's name.
 *
 * The `limit 1` tells the planner that there is at most one row. Ids of different clinics are alike. So without the limit it would
 * expect several rows for each id, and read whole tables if some are joined.
 */
export function lookUp(table: string, clinic_id: string, id: Statement, name: string = table): Statement {
  return sql`left join lateral (select * from ${sql.identifier(table)}
    where clinic_id = ${clinic_id} and id = ${id} limit 1) ${sql.identifier(name)} on true`
}

/**
 * Does the same for a table with some dozens of rows per clinic. The planner may read them all, once for the whole page. On pages of
 * 25 appointments this was a fifth faster than looking each row up.
 */
export function catalogEntry(table: string, clinic_id: string, id: Statement, name: string = table): Statement {
  const entry = sql.identifier(name)
  return sql`left join ${sql.identifier(table)} ${entry} on ${entry}.clinic_id = ${clinic_id} and ${entry}.id = ${id}`
}
