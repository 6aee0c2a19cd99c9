// Dataset `appointments`.
import { type Statement, sql } from '@clinic-data/database'
import { type DatasetSql, joined } from '../dataset-sql.ts'
import { day, entity, filterBy, hourOfDay, patientOf, weekday, weekdayOf } from '../dimension-sql.ts'
import { average, count, distinct, plain, ratio, secondsAsMinutes, sum } from '../measure-sql.ts'
import { CLINIC } from '../parameters.ts'

const status = joined('appointment_status', 's', sql`t.status_id`)
const isCancelled = sql`s.kind = 'cancelled'`
const isNoShow = sql`s.kind = 'no_show'`
const isCompleted = sql`s.kind = 'completed'`
/** True without a status too: such an appointment is neither cancelled, missed nor completed. */
const stands = sql`s.kind is distinct from 'cancelled'`

/** Joins the patient's first appointment that was not cancelled, also if it is outside the query's range. */
const first = sql`left join lateral (select e.id from appointment e
    left join appointment_status es on es.clinic_id = ${CLINIC} and es.id = e.status_id
    where e.clinic_id = ${CLINIC} and e.patient_id = t.patient_id and es.kind is distinct from 'cancelled'
    order by e.start_sort, e.id limit 1) f on true`

const dimensions: DatasetSql<'appointments'>['dimensions'] = {
  branch: entity(sql`t.branch_id`, 'branch'),
  provider: {
    ...entity(sql`a.provider_id`, 'provider'),
    several: {
      join: (condition) => sql`left join appointment_provider a
        on a.clinic_id = ${CLINIC} and a.appointment_id = t.id and ${condition}`,
      exists: (condition) => sql`exists (select from appointment_provider a
        where a.clinic_id = ${CLINIC} and a.appointment_id = t.id and ${condition})`,
    },
  },
  type: entity(sql`t.type_id`, 'appointment_type'),
  status: entity(sql`t.status_id`, 'appointment_status'),
  patient: patientOf(sql`t.patient_id`, joined('patient', 'p', sql`t.patient_id`)),
  weekday: weekday(sql`t.start_date`),
  hour_of_day: hourOfDay(sql`t.start`),
  start_date: day(sql`t.start_date`),
  created_date: day(sql`t.created_date`),
}

export const appointments: DatasetSql<'appointments'> = {
  from: sql`appointment t`,
  date: sql`t.start_date`,
  measures: {
    appointment_count: count(),
    new_patient_count: count({ only: sql`t.id = f.id`, joins: [first] }),
    cancelled_count: countOf(isCancelled),
    no_show_count: countOf(isNoShow),
    completed_count: countOf(isCompleted),
    patient_count: distinct(sql`t.patient_id`),
    scheduled_minutes: sum(sql`extract(epoch from t."end" - t.start)::bigint`, secondsAsMinutes, {
      only: stands,
      joins: [status],
    }),
    no_show_rate: ratio(isNoShow, sql`s.kind in ('completed', 'no_show')`, [status]),
    cancellation_rate: ratio(isCancelled, sql`true`, [status]),
    // An appointment recorded after its day has no lead time.
    avg_lead_days: average(sql`t.start_date - t.created_date`, plain, { only: sql`t.created_date <= t.start_date` }),
  },
  dimensions,
  filters: {
    branch: filterBy(dimensions.branch),
    provider: filterBy(dimensions.provider),
    type: filterBy(dimensions.type),
    status: filterBy(dimensions.status),
    weekday: { sql: weekdayOf(sql`t.start_date`), type: 'integer' },
  },
}

function countOf(only: Statement) {
  return count({ only, joins: [status] })
}
