// The values that a compiled query leaves open, by name. In its statement the names stand in their places.
import { type Statement, sql } from '@clinic-data/database'

/** `today` is the clinic's local date. A filter's values are named after its place in the query. */
export type ParameterName = 'clinic_id' | 'today' | 'from' | 'to' | 'limit' | `filter_${number}`

/** A place for a value. */
export function parameter(name: ParameterName): Statement {
  return sql`${name}`
}

export const CLINIC = parameter('clinic_id')
export const TODAY = sql`${parameter('today')}::date`
export const FROM = sql`${parameter('from')}::date`
export const TO = sql`${parameter('to')}::date`
