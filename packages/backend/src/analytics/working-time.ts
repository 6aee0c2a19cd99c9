// How much of each day each provider works at each branch, and how much of it appointments take: by the rules of
// availability (operations/availability.ts), for whole days, past ones too.
import { sql } from '@clinic-data/database'
import { firstInstant } from '../operations/period.ts'
import { CLINIC, FROM, TO } from './parameters.ts'

/** A row a provider, branch and local day on which there are working hours; both times in seconds. */
export const workingTime = sql`(
  with day as materialized (
    select day, extract(dow from day) as weekday, ${firstInstant(sql`day`)} as begins, ${firstInstant(sql`day + 1`)} as ends
    from (select ${FROM} + i as day from generate_series(0, ${TO} - ${FROM}) i) days
  ),
  hours as (
    select w.provider_id, w.branch_id, day.day, day.begins, day.ends,
      range_agg(tstzrange(opens, greatest(opens, closes))) * tstzmultirange(tstzrange(day.begins, day.ends)) as open
    from day join working_hours w on w.clinic_id = ${CLINIC} and w.weekday = day.weekday
      cross join lateral (select (day.day + w.starts_at)::timestamptz as opens, (day.day + w.ends_at)::timestamptz as closes) at
    group by w.provider_id, w.branch_id, day.day, day.begins, day.ends
  ),
  off as (
    select o.provider_id, o.branch_id, day.day, tstzrange(o.start, o."end") as span
    from time_off o join day on day.begins < o."end" and day.ends > o.start where o.clinic_id = ${CLINIC}
  ),
  working as (
    select h.provider_id, h.branch_id, h.day, h.open - coalesce(range_agg(off.span) filter (where off.span is not null), '{}') as open
    from hours h left join off on off.day = h.day and (off.provider_id is null or off.provider_id = h.provider_id)
      and (off.branch_id is null or off.branch_id = h.branch_id)
    where not isempty(h.open)
    group by h.provider_id, h.branch_id, h.day, h.open
  ),
  asked as (select min(begins) as begins, max(ends) as ends from day),
  taken as (
    select a.provider_id, day.day, range_agg(tstzrange(a.start_sort, a."end")) as busy
    from asked, appointment_provider a join day on day.begins < a."end" and day.ends > a.start_sort
    where a.clinic_id = ${CLINIC} and a.busy and a."end" > asked.begins and a.start_sort < asked.ends
    group by a.provider_id, day.day
  )
  select ${CLINIC} as clinic_id, provider_id, branch_id, day as work_date,
    (select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)::bigint from unnest(open) span) as open_seconds,
    (select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)::bigint
      from unnest(open * coalesce(busy, '{}')) span) as booked_seconds
  from working left join taken using (provider_id, day)
) t`
