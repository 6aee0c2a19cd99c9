// When an appointment without an end is over, to decide whether a provider is free: for availability and utilization.
import { type Statement, sql } from '@clinic-data/database'

/** No appointment without an end takes longer (MAX.duration_minutes). In hours, because not every day has 24. */
export const LONGEST_VISIT = sql`interval '24 hours'`

/** After its type's duration, or else after the shortest visit. `attending` is a row of `appointment_provider`. */
export function estimatedEnd(attending: Statement, clinic_id: Statement, visitMinutes: Statement): Statement {
  return sql`${attending}.start_sort + make_interval(mins => coalesce((select nullif(type.duration_minutes, 0)
    from appointment visit join appointment_type type on type.clinic_id = ${clinic_id} and type.id = visit.type_id
    where visit.clinic_id = ${clinic_id} and visit.id = ${attending}.appointment_id), ${visitMinutes}))`
}
