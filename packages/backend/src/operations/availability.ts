// Free slots: working hours without time off and busy appointments, in one statement.
//
// Everything is a range of instants, so a day of 23 or 25 hours needs no special case. A wall-clock time that a clock change skips
// counts as the one after the gap, and one that comes twice as its second occurrence. Each day's hours are cut at its midnights.
// Ranges are half-open: a visit may start when another ends. Nothing is offered before the next step of the clinic's clock, such as
// the next five minutes: people book 18:35, not 18:30:16.
import { AVAILABILITY_DAYS, type Clinic, type HandlerInput, MAX, type Operations, Problem } from '@clinic-data/contract'
import { type Database, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { firstInstant } from '@clinic-data/records/filters/period'
import { estimatedEnd, LONGEST_VISIT } from '@clinic-data/records/resources/estimated-end'
import { notFound } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'

type Query = HandlerInput<Operations['availability.list']>['query']

interface SlotRow {
  provider_id: string
  provider_name: string
  branch_id: string
  branch_name: string
  start: string
  end: string
  latest_start: string
}

export function availabilityHandlers({ database, now }: HandlerParts): HandlersOf<'availability.list'> {
  return {
    'availability.list': async ({ clinic }, { query }) => {
      const rows = await database.read<SlotRow>(clinic, freeSlots(clinic, query, now()))
      if (rows.length > MAX.slots) throw tooMany()
      const branches = branchesOf(query)
      if (rows.length === 0 || branches.length > 1) await requireBranches(database, clinic, branches)
      return {
        data: rows.map(({ provider_id, provider_name, branch_id, branch_name, start, end, latest_start }) => ({
          provider_id,
          provider_name,
          branch_id,
          branch_name,
          start: wholeSecond(start),
          end: wholeSecond(end),
          latest_start: wholeSecond(latest_start),
        })),
      }
    },
  }
}

function branchesOf({ branch_id, further_branch_ids }: Query): string[] {
  return [...new Set([branch_id, ...(further_branch_ids?.split(',') ?? [])])]
}

/** @throws Problem `not-found` for the first branch that the clinic does not have. */
async function requireBranches(database: Database, clinic: Clinic, branches: readonly string[]): Promise<void> {
  const known = await database.read<{ id: string }>(
    clinic,
    sql`select id from branch where clinic_id = ${clinic.clinic_id} and id = any(${branches}::text[])`,
  )
  const missing = branches.find((branch) => !known.some(({ id }) => id === branch))
  if (missing !== undefined) throw notFound('branch', missing, ' The catalog of branches lists them.')
}

function freeSlots({ clinic_id, min_visit_minutes }: Clinic, query: Query, now: Date): Statement {
  const { from, to, provider_id, duration_minutes = 0 } = query
  const branches = sql`${branchesOf(query)}::text[]`
  const visit = sql`make_interval(mins => ${Math.max(min_visit_minutes, duration_minutes)})`
  const endsAt = estimatedEnd(sql`ap`, sql`${clinic_id}`, sql`${min_visit_minutes}`)
  const ofProvider = provider_id === undefined ? sql.empty : sql`and w.provider_id = ${provider_id}`
  return sql`
    with earliest as materialized (
      select ${now}::timestamptz + make_interval(secs => mod(60 * slot_step_minutes
        - mod(extract(epoch from ${now}::timestamptz::timestamp), 60 * slot_step_minutes), 60 * slot_step_minutes)) as start
      from clinic where clinic_id = ${clinic_id}
    ),
    day as (
      select day, extract(dow from day) as weekday, ${firstInstant(sql`day`)} as begins, ${firstInstant(sql`day + 1`)} as ends
      from (select ${from}::date + i as day from generate_series(0, ${to}::date - ${from}::date) i) days
    ),
    span as (select greatest(min(begins), min(earliest.start)) as begins, max(ends) as ends from day, earliest),
    hours as (
      select w.provider_id, w.branch_id, day.begins, range_agg(tstzrange(opens, greatest(opens, closes)))
        * tstzmultirange(tstzrange(greatest(day.begins, earliest.start), greatest(day.ends, earliest.start))) as open
      from earliest cross join day join working_hours w on w.clinic_id = ${clinic_id} and w.branch_id = any(${branches})
          and w.weekday = day.weekday ${ofProvider}
        cross join lateral (select (day.day + w.starts_at)::timestamptz as opens, (day.day + w.ends_at)::timestamptz as closes) at
      group by w.provider_id, w.branch_id, day.day, day.begins, day.ends, earliest.start
    ),
    taken as materialized (
      select p.provider_id, p.branch_id, coalesce((select range_agg(tstzrange(t.start, t."end")) from time_off t, span
          where t.clinic_id = ${clinic_id} and t."end" > span.begins and t.start < span.ends
            and (t.provider_id is null or t.provider_id = p.provider_id)
            and (t.branch_id is null or t.branch_id = p.branch_id)), '{}')
        + coalesce((select range_agg(tstzrange(ap.start_sort, ap."end")) from appointment_provider ap, span
          where ap.clinic_id = ${clinic_id} and ap.provider_id = p.provider_id and ap.busy
            and ap."end" > span.begins and ap.start_sort < span.ends), '{}')
        + coalesce((select range_agg(tstzrange(ap.start_sort, ${endsAt})) from appointment_provider ap, span
          where ap.clinic_id = ${clinic_id} and ap.provider_id = p.provider_id and ap.busy and ap."end" is null
            and ap.start_sort > span.begins - ${LONGEST_VISIT} and ap.start_sort < span.ends), '{}') as busy
      from (select distinct provider_id, branch_id from hours where not isempty(open)) p
    )
    select provider_id, provider.name as provider_name, branch_id, branch.name as branch_name, lower(free) as start,
      upper(free) as "end", upper(free) - ${visit} as latest_start
    from (select provider_id, branch_id, unnest(hours.open - taken.busy) as free
        from hours join taken using (provider_id, branch_id)) slots
      join provider on provider.clinic_id = ${clinic_id} and provider.id = provider_id
      join branch on branch.clinic_id = ${clinic_id} and branch.id = branch_id
    where upper(free) - lower(free) >= ${visit}
    order by lower(free), provider_id collate "C", branch_id collate "C" limit ${MAX.slots + 1}`
}

function tooMany(): Problem {
  const detail = `There are more than ${MAX.slots} slots. Ask for one provider, or for fewer than ${AVAILABILITY_DAYS} days.`
  return new Problem('invalid-request', detail, { errors: [{ parameter: 'to', code: 'too_many', detail }] })
}
