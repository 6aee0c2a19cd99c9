// Questions about days: who comes, who is free, how full a week is.
import { sql } from '@clinic-data/database'
import { labelled, type Question, type Tables, todayOf } from './question.ts'
import { at, between, byLabel, nameOf } from './walker.ts'

const isOff = (status: unknown) => /cancel|postpone/i.test(String((status as { name: string } | null)?.name))
const MORNING_ENDS = 'T12:00'

/** Each minute of the working hours `w` of the next two weeks, and whether nothing takes it. */
function minutesOf({ clinic_id, now }: Tables) {
  const today = todayOf(now)
  const freeMinute = sql`not exists (select from time_off t where t.clinic_id = ${clinic_id}
        and (t.provider_id is null or t.provider_id = w.provider_id) and (t.branch_id is null or t.branch_id = w.branch_id)
        and t.start <= minute and t."end" > minute)
      and not exists (select from appointment_provider ap join appointment a on a.clinic_id = ap.clinic_id and a.id = ap.appointment_id
        join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
        where ap.clinic_id = ${clinic_id} and ap.provider_id = w.provider_id and s.kind <> 'cancelled'
        and a.start <= minute and a."end" > minute)`
  const workedMinutes = sql`working_hours w cross join generate_series(${today}, ${today} + 13, interval '1 day') day
      cross join lateral generate_series(day + w.starts_at, day + w.ends_at - interval '1 minute', interval '1 minute') local
      cross join lateral (select local::timestamptz as minute) at`
  return { freeMinute, workedMinutes }
}

async function whoComes(tables: Tables): Promise<Question> {
  const { clinic_id, rows, one } = tables
  const today = todayOf(tables.now)
  const here = sql`clinic_id = ${clinic_id}`
  const { branch } = await one<{ branch: string }>(
    sql`select name as branch from branch where ${here} order by id limit 1`,
  )

  return {
    words: `Who comes tomorrow morning at ${branch}?`,
    walk: async (agent) => {
      const branch_id = await agent.idOf('branches', branch)
      const day = agent.day(1)
      const fields = ['start', 'patient', 'status']
      const visits = await agent.rows('appointments_list', { from: day, to: day, branch_id, fields, limit: 100 })
      return visits
        .filter(({ start, status }) => String(start) < `${day}${MORNING_ENDS}` && !isOff(status))
        .map(({ start, patient }) => `${String(start).slice(11, 16)} ${nameOf(patient)}`)
    },
    truth: async () =>
      (
        await rows<{ visit: string }>(
          sql`select to_char(a.start, 'HH24:MI ') || concat_ws(' ', p.first_name, p.last_name) as visit
            from appointment a join branch b on b.clinic_id = a.clinic_id and b.id = a.branch_id
            join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id
            join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
            where a.clinic_id = ${clinic_id} and b.name = ${branch} and s.kind <> 'cancelled'
              and a.start::date = ${today} + 1 and extract(hour from a.start) < 12 order by a.start, a.id`,
        )
      ).map(({ visit }) => visit),
  }
}

async function nextFree(tables: Tables): Promise<Question> {
  const { clinic_id, now, one } = tables
  const here = sql`clinic_id = ${clinic_id}`
  const { freeMinute, workedMinutes } = minutesOf(tables)
  const { provider, at_branch } = await one<{ provider: string; at_branch: string }>(
    sql`select p.name as provider, b.name as at_branch from working_hours w join provider p using (clinic_id)
      join branch b using (clinic_id) where w.clinic_id = ${clinic_id} and p.id = provider_id and b.id = branch_id
      group by p.id, p.name, b.name order by p.id, count(*) desc limit 1`,
  )

  return {
    words: `When is ${provider}'s next free 45 minutes at ${at_branch}?`,
    walk: async (agent) => {
      const provider_id = await agent.idOf('providers', provider)
      const branch_id = await agent.idOf('branches', at_branch)
      const toolArguments = { provider_id, branch_id, from: agent.today, to: agent.day(13), duration_minutes: 45 }
      const [first] = await agent.rows('availability_list', { ...toolArguments, fields: ['start', 'provider_name'] })
      return `${String(first?.start).slice(0, 16)} ${first?.provider_name}`
    },
    truth: async () =>
      (
        await one<{ start: string }>(
          sql`with free as (select w.provider_id, minute from ${workedMinutes}
              where w.clinic_id = ${clinic_id} and w.weekday = extract(dow from day) and minute >= ${now} and ${freeMinute}
                and w.provider_id = (select id from provider where ${here} and name = ${provider})
                and w.branch_id = (select id from branch where ${here} and name = ${at_branch}))
            select to_char(minute, 'YYYY-MM-DD"T"HH24:MI ') || ${provider} as start from free
            where (select count(*) from free next where next.minute >= free.minute
              and next.minute < free.minute + interval '45 minutes') = 45 order by minute limit 1`,
        )
      ).start,
  }
}

function freeForLong(tables: Tables): Question {
  const { clinic_id, rows } = tables
  const today = todayOf(tables.now)
  const { freeMinute, workedMinutes } = minutesOf(tables)
  return {
    words: 'Who is free for 90 minutes tomorrow, at any branch?',
    walk: async (agent) => {
      const [from, to] = [agent.day(1), agent.day(1)]
      const [branch_id, ...others] = (await agent.rows('catalog_list', { kind: 'branches' })).map(({ id }) => id)
      const fields = ['provider_name', 'branch_name']
      const anywhere = { branch_id, ...(others.length > 0 && { further_branch_ids: others.join() }) }
      const slots = await agent.rows('availability_list', { ...anywhere, from, to, duration_minutes: 90, fields })
      const free = new Set(slots.map((row) => `${row.provider_name}, ${row.branch_name}`))
      return [...free].sort()
    },
    truth: async () =>
      (
        await rows<{ who: string }>(
          sql`with free as materialized (select w.provider_id, w.branch_id, minute from ${workedMinutes}
              where w.clinic_id = ${clinic_id} and w.weekday = extract(dow from day) and day::date = ${today} + 1 and ${freeMinute}),
            numbered as (select *, minute - row_number() over (partition by provider_id, branch_id order by minute) * interval '1 minute' as run from free)
            select distinct p.name || ', ' || b.name as who from numbered n
            join provider p on p.clinic_id = ${clinic_id} and p.id = n.provider_id
            join branch b on b.clinic_id = ${clinic_id} and b.id = n.branch_id
            group by p.name, b.name, n.provider_id, n.branch_id, run having count(*) >= 90`,
        )
      )
        .map(({ who }) => who)
        .sort(),
  }
}

async function confirmed(tables: Tables): Promise<Question> {
  const { clinic_id, now, one } = tables
  const today = todayOf(tables.now)
  const { patient } = await one<{ patient: string }>(
    sql`select concat_ws(' ', p.first_name, p.last_name) as patient from appointment a join patient p on p.clinic_id = a.clinic_id
      and p.id = a.patient_id where a.clinic_id = ${clinic_id} and a.start::date > ${today} and a.cancelled_at is null
      and p.first_name is not null and p.last_name is not null
      and not exists (select from appointment b where b.clinic_id = a.clinic_id and b.patient_id = a.patient_id and b.start::date = ${today})
      and (select count(*) from patient q where q.clinic_id = p.clinic_id and q.first_name = p.first_name and q.last_name = p.last_name) = 1
      order by a.start, a.id limit 1`,
  )

  return {
    words: `Did ${patient} confirm the next appointment?`,
    walk: async (agent) => {
      const patient_id = await agent.patient(patient)
      const toolArguments = { patient_id, from: agent.today, fields: ['start', 'status'] }
      const visit = (await agent.rows('appointments_list', toolArguments)).find(({ status }) => !isOff(status))
      return `${String(visit?.start).slice(0, 10)}: ${at(visit ?? {}, 'status').name}`
    },
    truth: async () =>
      (
        await one<{ visit: string }>(
          sql`select to_char(a.start, 'YYYY-MM-DD: ') || s.name as visit from appointment a
            join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id
            join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
            where a.clinic_id = ${clinic_id} and concat_ws(' ', p.first_name, p.last_name) = ${patient}
              and a.start >= ${now} and s.kind <> 'cancelled' order by a.start limit 1`,
        )
      ).visit,
  }
}

function freeMinutesOfAWeek(tables: Tables): Question {
  const { clinic_id, rows } = tables
  const today = todayOf(tables.now)
  return {
    words: 'How many free minutes does each provider have next week?',
    walk: async (agent) => {
      const filters = [between('work_date', agent.week(1))]
      const query = { dataset: 'utilization', measures: ['free_minutes'], dimensions: ['provider'], filters }
      return byLabel(await agent.figures(query), 'provider_label', 'free_minutes')
    },
    truth: async () =>
      labelled(
        await rows(
          sql`with week as (select ${today} - extract(dow from ${today})::int + 7 as sunday),
            worked as materialized (select w.provider_id, tstzrange((day + w.starts_at)::timestamptz, (day + w.ends_at)::timestamptz) as hours
              from week cross join generate_series(sunday, sunday + 6, interval '1 day') day
              join working_hours w on w.clinic_id = ${clinic_id} and w.weekday = extract(dow from day)),
            busy as materialized (select ap.provider_id, tstzrange(a.start, a."end") as taken from week, appointment a
              join appointment_provider ap on ap.clinic_id = a.clinic_id and ap.appointment_id = a.id
              join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
              where a.clinic_id = ${clinic_id} and s.kind <> 'cancelled' and a.start >= sunday and a.start < sunday + 7
              union all select coalesce(t.provider_id, p.id), tstzrange(t.start, t."end") from time_off t
              join provider p on p.clinic_id = t.clinic_id and p.id = coalesce(t.provider_id, p.id) where t.clinic_id = ${clinic_id})
            select p.name as label, count(*)::int as figure from worked
              cross join generate_series(lower(hours), upper(hours) - interval '1 minute', interval '1 minute') minute
              join provider p on p.clinic_id = ${clinic_id} and p.id = worked.provider_id
              where not exists (select from busy where busy.provider_id = worked.provider_id and taken @> minute) group by p.name`,
        ),
      ),
  }
}

export const questionsAboutDays = [whoComes, nextFree, freeForLong, confirmed, freeMinutesOfAWeek]
