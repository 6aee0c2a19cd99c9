// Questions of the front desk that end in a list of patients: whom to call, greet or remind.
import { sql } from '@clinic-data/database'
import { type Asked, dayOfYear, type Named, names } from './asked.ts'
import { nameOf } from './walker.ts'

/** Whoever the filters ask for has the condition. */
function people({ people: from }: Named, condition: ReturnType<typeof sql>) {
  return sql`select name as said from ${from} where ${condition}`
}

export function recalls(tables: Named): Asked[] {
  const { today } = tables
  const sunday = sql`(${today} - extract(dow from ${today})::int)`
  const march = sql`make_date(extract(year from ${today})::int, 3, 1)`
  const month = sql`date_trunc('month', ${today})::date`
  return [
    {
      words: 'Who owes us and has not paid since March?',
      ask: (agent) => names(agent, { owes_more_than: 0, last_payment_before: `${agent.today.slice(0, 4)}-03-01` }),
      truth: people(tables, sql`owed > 0 and (paid is null or paid < ${march})`),
    },
    {
      words: 'Who has not paid anything since March?',
      ask: (agent) => names(agent, { last_payment_before: `${agent.today.slice(0, 4)}-03-01` }),
      truth: people(tables, sql`paid is null or paid < ${march}`),
    },
    {
      words: 'Who has not been here for a year?',
      ask: (agent) => names(agent, { last_visit_before: agent.day(-365) }),
      truth: people(tables, sql`visited is null or visited < ${today} - 365`),
    },
    {
      words: 'Whose birthday is this week?',
      ask: (agent) => {
        const [birthday_from, birthday_to] = agent.week(0).map(dayOfYear)
        return names(agent, { birthday_from, birthday_to })
      },
      truth: people(tables, sql`birthday between to_char(${sunday}, 'MM-DD') and to_char(${sunday} + 6, 'MM-DD')`),
    },
    {
      words: 'Whose birthday is in the next thirty days?',
      ask: (agent) => names(agent, { birthday_from: dayOfYear(agent.day(0)), birthday_to: dayOfYear(agent.day(30)) }),
      truth: people(tables, sql`birthday in (select to_char(${today} + n, 'MM-DD') from generate_series(0, 30) n)`),
    },
    {
      words: 'Whom do we wish a happy birthday between Christmas and the sixth of January?',
      ask: (agent) => names(agent, { birthday_from: '12-24', birthday_to: '01-06' }),
      truth: people(tables, sql`birthday >= '12-24' or birthday <= '01-06'`),
    },
    {
      words: 'Who owes us more than a thousand?',
      ask: (agent) => names(agent, { owes_more_than: 1000 }),
      truth: people(tables, sql`owed > 1000`),
    },
    {
      words: 'Who owes us money and has no appointment ahead?',
      ask: (agent) => names(agent, { owes_more_than: 0, has_future_appointment: false }),
      truth: people(tables, sql`owed > 0 and not is_coming`),
    },
    {
      words: 'Who owes us money and comes soon, so that we can ask?',
      ask: (agent) => names(agent, { owes_more_than: 0, has_future_appointment: true }),
      truth: people(tables, sql`owed > 0 and is_coming`),
    },
    {
      words: 'Who was here in the last seven days and has no next appointment?',
      ask: (agent) => names(agent, { last_visit_after: agent.day(-7), has_future_appointment: false }),
      truth: people(tables, sql`visited >= ${today} - 7 and not is_coming`),
    },
    {
      words: 'Whom should we call back in: no visit for six months, and nothing booked?',
      ask: (agent) => names(agent, { last_visit_before: agent.day(-182), has_future_appointment: false }),
      truth: people(tables, sql`(visited is null or visited < ${today} - 182) and not is_coming`),
    },
    {
      words: 'Who came last between six months and a year ago?',
      ask: (agent) => names(agent, { last_visit_after: agent.day(-365), last_visit_before: agent.day(-182) }),
      truth: people(tables, sql`visited >= ${today} - 365 and visited < ${today} - 182`),
    },
    {
      words: 'Who has paid this month?',
      ask: (agent) => names(agent, { last_payment_after: `${agent.today.slice(0, 7)}-01` }),
      truth: people(tables, sql`paid >= ${month}`),
    },
    {
      words: 'Who was here this month and has never paid?',
      ask: (agent) =>
        names(agent, { last_visit_after: `${agent.today.slice(0, 7)}-01`, last_payment_before: '1900-01-01' }),
      truth: people(tables, sql`visited >= ${month} and paid is null`),
    },
    {
      words: 'What do those owe who owe more than a thousand, with their phones?',
      ask: async (agent) => {
        const fields = ['first_name', 'last_name', 'phone', 'balance']
        const filters = { owes_more_than: 1000, response_format: 'detailed', fields, limit: 100 }
        const rows = await agent.rows('patients_list', filters)
        return rows.map((row) => `${nameOf(row)} ${row.phone} ${(row.balance as { amount: number }).amount}`)
      },
      truth: sql`select concat_ws(' ', name, coalesce(phone, 'null'), owed::float8) as said from ${tables.people} where owed > 1000`,
    },
    {
      words: 'Which patients have never been here at all?',
      ask: (agent) => names(agent, { last_visit_before: '1900-01-01' }),
      truth: people(tables, sql`visited is null`),
    },
  ]
}
