// Estimates the end of an appointment that has none. Availability and utilization use it to decide whether a provider is free
// (docs/decisions/0029).
import { type Statement, sql } from '@clinic-data/database'

/** No estimate is longer than this (MAX.duration_minutes). It is in hours, because not every day has 24. */
export const LONGEST_VISIT = sql`interval '24 hours'`

/** The start plus the type's duration, or plus `visitMinutes` if there is no type. `attending` is a row of `appointment_provider`. */
export function estimatedEnd(attending: Statement, clinic_id: Statement, visitMinutes: Statement): Statement {
  return sql`${attending}.start_sort + make_interval(mins => coalesce((select nullif(type.duration_minutes, 0)
    from appointment visit join appointment_type type on type.clinic_id = ${clinic_id} and type.id = visit.type_id
    where visit.clinic_id = ${clinic_id} and visit.id = ${attending}.appointment_id), ${visitMinutes}))`
}
