// Questions that an owner asks: figures of weeks, months and the year.
import { type Statement, sql } from '@clinic-data/database'
import { labelled, type Question, type Tables, todayOf } from './question.ts'
import { between, byLabel, type Row } from './walker.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** The last calendar month of a column of time. */
function lastMonth({ now }: Tables, column: Statement): Statement {
  const month = sql`date_trunc('month', ${todayOf(now)})`
  return sql`${column} >= ${month} - interval '1 month' and ${column} < ${month}`
}

const visits = sql`appointment a join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id`

function cashOfAWeek(tables: Tables): Question {
  const today = todayOf(tables.now)
  const sunday = sql`(${today} - extract(dow from ${today})::int)`
  return {
    words: 'How much cash did we take last week, by receipt book?',
    walk: async (agent) => {
      const filters = [between('payment_date', agent.week(-1)), { field: 'method', op: 'in', value: ['cash'] }]
      const query = { dataset: 'payments', measures: ['amount_collected'], dimensions: ['billing_account'], filters }
      return byLabel(await agent.figures(query), 'billing_account_label', 'amount_collected')
    },
    truth: async () =>
      labelled(
        await tables.rows(
          sql`select b.business_name as label, (sum(y.amount_minor) / 100.0)::float8 as figure from payment y
            join billing_account b on b.clinic_id = y.clinic_id and b.id = y.billing_account_id
            where y.clinic_id = ${tables.clinic_id} and y.method_type = 'cash' and not y.is_refund and y.status = 'recorded'
              and y.paid_at::date between ${sunday} - 7 and ${sunday} - 1 group by b.business_name`,
        ),
      ),
  }
}

function noShows(tables: Tables): Question {
  return {
    words: 'How many did not come last month, at each branch?',
    walk: async (agent) => {
      const filters = [between('start_date', agent.lastMonth())]
      const query = { dataset: 'appointments', measures: ['no_show_count'], dimensions: ['branch'], filters }
      return byLabel(await agent.figures(query), 'branch_label', 'no_show_count')
    },
    truth: async () =>
      labelled(
        await tables.rows(
          sql`select b.name as label, count(*) filter (where s.kind = 'no_show')::int as figure from ${visits}
            join branch b on b.clinic_id = a.clinic_id and b.id = a.branch_id
            where a.clinic_id = ${tables.clinic_id} and ${lastMonth(tables, sql`a.start`)} group by b.name`,
        ),
      ),
  }
}

function showRate(tables: Tables): Question {
  const today = todayOf(tables.now)
  return {
    words: 'What was our show rate by weekday over the last 90 days?',
    walk: async (agent) => {
      const filters = [between('start_date', [agent.day(-90), agent.day(-1)])]
      const measures = ['no_show_count', 'completed_count']
      const query = { dataset: 'appointments', measures, dimensions: ['weekday'], filters }
      const rates = (await agent.figures(query)).map(({ weekday, no_show_count, completed_count }) => {
        const [missed, kept] = [Number(no_show_count), Number(completed_count)]
        return [WEEKDAYS[Number(weekday)], Math.round((1000 * kept) / (kept + missed)) / 10]
      })
      return Object.fromEntries(rates)
    },
    truth: async () =>
      labelled(
        await tables.rows(
          sql`select trim(to_char(a.start, 'Day')) as label, round(100.0 * count(*) filter (where s.kind = 'completed')
              / count(*) filter (where s.kind in ('completed', 'no_show')), 1)::float8 as figure from ${visits}
            where a.clinic_id = ${tables.clinic_id} and a.start::date between ${today} - 90 and ${today} - 1 group by 1`,
        ),
      ),
  }
}

function mostCancellations(tables: Tables): Question {
  return {
    words: 'Which provider had the most cancellations last month, and how many?',
    walk: async (agent) => {
      const filters = [between('start_date', agent.lastMonth())]
      const order = [
        { by: 'cancelled_count', dir: 'desc' },
        { by: 'provider', dir: 'asc' },
      ]
      const query = {
        dataset: 'appointments',
        measures: ['cancelled_count'],
        dimensions: ['provider'],
        filters,
        order,
      }
      const [most] = await agent.figures(query)
      return `${most?.provider_label}: ${most?.cancelled_count}`
    },
    truth: async () =>
      (
        await tables.one<{ most: string }>(
          sql`select p.name || ': ' || count(*) as most from ${visits}
            join appointment_provider ap on ap.clinic_id = a.clinic_id and ap.appointment_id = a.id
            join provider p on p.clinic_id = ap.clinic_id and p.id = ap.provider_id
            where a.clinic_id = ${tables.clinic_id} and s.kind = 'cancelled' and ${lastMonth(tables, sql`a.start`)}
            group by p.id, p.name order by count(*) desc, p.id limit 1`,
        )
      ).most,
  }
}

function bestTreatments(tables: Tables): Question {
  const today = todayOf(tables.now)
  return {
    words: 'What are our five best treatments this year, by revenue?',
    walk: async (agent) => {
      const filters = [between('effective_date', [`${agent.today.slice(0, 4)}-01-01`, agent.today])]
      const order = [{ by: 'net_revenue', dir: 'desc' }]
      const query = { dataset: 'production', measures: ['net_revenue'], dimensions: ['treatment'], filters, order }
      return pairs(await agent.figures(query), 'treatment_label', 'net_revenue').slice(0, 5)
    },
    truth: async () =>
      (
        await tables.rows<{ label: string; figure: number }>(
          sql`select c.name as label, (sum(t.price_minor - t.discount_minor) / 100.0)::float8 as figure from treatment t
            join catalog_treatment c on c.clinic_id = t.clinic_id and c.id = t.catalog_treatment_id
            where t.clinic_id = ${tables.clinic_id} and t.removed_at is null
              and t.performed_at::date between date_trunc('year', ${today}) and ${today} group by c.name order by 2 desc limit 5`,
        )
      ).map(({ label, figure }) => [label, figure]),
  }
}

function newPatients(tables: Tables): Question {
  const today = todayOf(tables.now)
  return {
    words: 'How many new patients did we get each month this year?',
    walk: async (agent) => {
      const filters = [between('created_date', [`${agent.today.slice(0, 4)}-01-01`, agent.today])]
      const dimensions = [{ field: 'created_date', grain: 'month' }]
      const rows = await agent.figures({ dataset: 'patients', measures: ['patient_count'], dimensions, filters })
      return Object.fromEntries(rows.map((row) => [String(row.created_date).slice(0, 7), row.patient_count]))
    },
    truth: async () =>
      labelled(
        await tables.rows(
          sql`select to_char(p.created_at, 'YYYY-MM') as label, count(*)::int as figure from patient p
            where p.clinic_id = ${tables.clinic_id} and p.created_at >= date_trunc('year', ${today}) and p.created_at < ${today} + 1 group by 1`,
        ),
      ),
  }
}

function paidBack(tables: Tables): Question {
  return {
    words: 'How much did we pay back last month, and how often?',
    walk: async (agent) => {
      const filters = [between('payment_date', agent.lastMonth())]
      const [sums] = await agent.figures({
        dataset: 'payments',
        measures: ['amount_refunded', 'refund_count'],
        filters,
      })
      return [sums?.amount_refunded, sums?.refund_count]
    },
    truth: async () => {
      const { amount, times } = await tables.one<{ amount: number; times: number }>(
        sql`select (sum(amount_minor) / 100.0)::float8 as amount, count(*)::int as times from payment
          where clinic_id = ${tables.clinic_id} and is_refund and status = 'recorded' and ${lastMonth(tables, sql`paid_at`)}`,
      )
      return [amount, times]
    },
  }
}

function newLeads(tables: Tables): Question {
  return {
    words: 'How many leads of last month are still new, by source?',
    walk: async (agent) => {
      const filters = [between('created_date', agent.lastMonth()), { field: 'status', op: 'in', value: ['new'] }]
      const query = { dataset: 'leads', measures: ['lead_count'], dimensions: ['source'], filters }
      return byLabel(await agent.figures(query), 'source', 'lead_count')
    },
    truth: async () =>
      labelled(
        await tables.rows(
          sql`select source as label, count(*)::int as figure from lead
            where clinic_id = ${tables.clinic_id} and status = 'new' and ${lastMonth(tables, sql`created_at`)} group by source`,
        ),
      ),
  }
}

function missedHours(tables: Tables): Question {
  return {
    words: 'At which hours did we miss calls last month?',
    walk: async (agent) => {
      const filters = [between('started_date', agent.lastMonth())]
      const query = { dataset: 'calls', measures: ['missed_count'], dimensions: ['hour_of_day'], filters }
      const missed = (await agent.figures(query)).filter(({ missed_count }) => missed_count !== 0)
      return byLabel(missed, 'hour_of_day', 'missed_count')
    },
    truth: async () =>
      labelled(
        await tables.rows(
          sql`select extract(hour from started_at)::int::text as label, count(*)::int as figure from call
            where clinic_id = ${tables.clinic_id} and status = 'missed' and ${lastMonth(tables, sql`started_at`)} group by 1`,
        ),
      ),
  }
}

export const questionsAboutFigures = [
  cashOfAWeek,
  noShows,
  showRate,
  mostCancellations,
  bestTreatments,
  newPatients,
  paidBack,
  newLeads,
  missedHours,
]

function pairs(rows: readonly Row[], label: string, figure: string): [unknown, unknown][] {
  return rows.map((row) => [row[label], row[figure]])
}
