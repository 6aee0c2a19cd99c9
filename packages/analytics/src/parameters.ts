// The parameters of a compiled query. Its statement holds their names where the values belong.
import { type Statement, sql } from '@clinic-data/database'

/** `currency` is the clinic's. `today` is its local date. The number of a `filter_` is the filter's position in the query. */
export type ParameterName = 'clinic_id' | 'currency' | 'today' | 'from' | 'to' | 'limit' | `filter_${number}`

export function parameter(name: ParameterName): Statement {
  return sql`${name}`
}

export const CLINIC = parameter('clinic_id')
export const CURRENCY = sql`${parameter('currency')}::text`
export const TODAY = sql`${parameter('today')}::date`
export const FROM = sql`${parameter('from')}::date`
export const TO = sql`${parameter('to')}::date`
