// Computes how long each provider works at each branch on each day, and how much of that time appointments take. Follows the
// rules of availability (operations/availability.ts), but for whole days, including past ones.
import { type Statement, sql } from '@clinic-data/database'
import { firstInstant } from '@clinic-data/records/filters/period'
import { estimatedEnd, LONGEST_VISIT } from '@clinic-data/records/resources/estimated-end'
import { CLINIC, FROM, TO } from './parameters.ts'

/** Lists the requested local days that a span touches, by whole numbers: a series of timestamps drifts where a clock changes at midnight. */
const daysOf = (start: Statement, end: Statement) => {
  const first = sql`greatest((${start})::date, ${FROM})`
  return sql`(select ${first} + i as day from generate_series(0, least((${end})::date, ${TO}) - ${first}) i) touched`
}

const seconds = (ranges: Statement) =>
  sql`(select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)::bigint from unnest(${ranges}) span)`

const SHORTEST_VISIT = sql`(select min_visit_minutes from clinic where clinic_id = ${CLINIC})`

/**
 * The relation `t`: one row for each provider, branch and local day with working hours. Both times are in seconds. It joins by
 * day, because a join by ranges would compare each appointment with each day.
 */
export const workingTime = sql`(
  with day as materialized (
    select day, extract(dow from day) as weekday, ${firstInstant(sql`day`)} as begins, ${firstInstant(sql`day + 1`)} as ends
    from (select ${FROM} + i as day from generate_series(0, ${TO} - ${FROM}) i) days
  ),
  hours as (
    select w.provider_id, w.branch_id, day.day,
      range_agg(tstzrange(opens, greatest(opens, closes))) * tstzmultirange(tstzrange(min(day.begins), min(day.ends))) as open
    from day join working_hours w on w.clinic_id = ${CLINIC} and w.weekday = day.weekday
      cross join lateral (select (day.day + w.starts_at)::timestamptz as opens, (day.day + w.ends_at)::timestamptz as closes) at
    group by w.provider_id, w.branch_id, day.day
  ),
  off as (
    select o.provider_id, o.branch_id, touched.day, tstzrange(o.start, o."end") as span
    from time_off o cross join lateral ${daysOf(sql`o.start`, sql`o."end"`)} where o.clinic_id = ${CLINIC}
  ),
  working as (
    select h.provider_id, h.branch_id, h.day, h.open - coalesce(range_agg(off.span) filter (where off.span is not null), '{}') as open
    from hours h left join off on off.day = h.day and (off.provider_id is null or off.provider_id = h.provider_id)
      and (off.branch_id is null or off.branch_id = h.branch_id)
    group by h.provider_id, h.branch_id, h.day, h.open
  ),
  visit as (
    select a.provider_id, a.start_sort as start, a."end" from appointment_provider a
    where a.clinic_id = ${CLINIC} and a.busy and a."end" > (select min(begins) from day) and a.start_sort < (select max(ends) from day)
    union all
    select a.provider_id, a.start_sort, ${estimatedEnd(sql`a`, CLINIC, SHORTEST_VISIT)} from appointment_provider a
    where a.clinic_id = ${CLINIC} and a.busy and a."end" is null
      and a.start_sort > (select min(begins) from day) - ${LONGEST_VISIT} and a.start_sort < (select max(ends) from day)
  ),
  taken as (
    select v.provider_id, touched.day, range_agg(tstzrange(v.start, v."end")) as busy
    from visit v cross join lateral ${daysOf(sql`v.start`, sql`v."end"`)}
    group by v.provider_id, touched.day
  ),
  measured as materialized (
    select ${CLINIC}::text as clinic_id, provider_id, branch_id, day as work_date, ${seconds(sql`open`)} as open_seconds,
      ${seconds(sql`open * coalesce(busy, '{}')`)} as booked_seconds
    from working left join taken using (provider_id, day)
  )
  select * from measured where open_seconds > 0
) t`
