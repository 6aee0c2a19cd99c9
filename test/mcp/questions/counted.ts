// Questions that end in figures: visits, patients, treatments and money, of days, weeks, months and the year.
import { sql } from '@clinic-data/database'
import { type Asked, figure, figures, type Named } from './asked.ts'
import { between } from './walker.ts'

export function counted({ today, clinic }: Named): Asked[] {
  const sunday = sql`(${today} - extract(dow from ${today})::int)`
  const month = sql`date_trunc('month', ${today})::date`
  const ofLastMonth = (day: ReturnType<typeof sql>) =>
    sql`${day} >= ${month} - interval '1 month' and ${day} < ${month}`
  const visits = sql`appointment a left join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id where a.${clinic}`
  const paid = sql`payment y where y.${clinic} and y.status = 'recorded' and ${ofLastMonth(sql`y.paid_at::date`)}`
  const done = sql`treatment t where t.${clinic} and t.removed_at is null`
  return [
    {
      words: 'How many appointments do we have today?',
      ask: (agent) => figure(agent, 'appointments', 'appointment_count', ['start_date', [agent.today, agent.today]]),
      truth: sql`select count(*)::int as said from ${visits} and a.start::date = ${today}`,
    },
    {
      words: 'How many appointments are there at each branch tomorrow?',
      ask: (agent) => {
        const filters = [between('start_date', [agent.day(1), agent.day(1)])]
        const query = { dataset: 'appointments', measures: ['appointment_count'], dimensions: ['branch'], filters }
        return figures(agent, query, 'branch_label')
      },
      truth: sql`select b.name || ': ' || count(*) as said from appointment a join branch b on b.clinic_id = a.clinic_id
        and b.id = a.branch_id where a.${clinic} and a.start::date = ${today} + 1 group by b.id, b.name`,
    },
    {
      words: 'How many people did not show up last month?',
      ask: (agent) => figure(agent, 'appointments', 'no_show_count', ['start_date', agent.lastMonth()]),
      truth: sql`select count(*) filter (where s.kind = 'no_show')::int as said from ${visits} and ${ofLastMonth(sql`a.start::date`)}`,
    },
    {
      words: 'What share of last month’s appointments was cancelled?',
      ask: (agent) => figure(agent, 'appointments', 'cancellation_rate', ['start_date', agent.lastMonth()]),
      truth: sql`select round(100.0 * count(*) filter (where s.kind = 'cancelled') / count(*), 2)::float8 as said
        from ${visits} and ${ofLastMonth(sql`a.start::date`)}`,
    },
    {
      words: 'On which weekdays were we full in the last 90 days?',
      ask: (agent) => {
        const filters = [between('start_date', [agent.day(-90), agent.day(-1)])]
        const query = { dataset: 'appointments', measures: ['appointment_count'], dimensions: ['weekday'], filters }
        return figures(agent, query, 'weekday')
      },
      truth: sql`select extract(dow from a.start)::int || ': ' || count(*) as said from ${visits}
        and a.start::date between ${today} - 90 and ${today} - 1 group by extract(dow from a.start)`,
    },
    {
      words: 'How many visits of each type did we have last month?',
      ask: (agent) => {
        const filters = [between('start_date', agent.lastMonth())]
        const query = { dataset: 'appointments', measures: ['appointment_count'], dimensions: ['type'], filters }
        return figures(agent, query, 'type_label')
      },
      truth: sql`select y.name || ': ' || count(*) as said from appointment a join appointment_type y on y.clinic_id = a.clinic_id
        and y.id = a.type_id where a.${clinic} and ${ofLastMonth(sql`a.start::date`)} group by y.id, y.name`,
    },
    {
      words: 'How many new patients did we get last month?',
      ask: (agent) => figure(agent, 'patients', 'patient_count', ['created_date', agent.lastMonth()]),
      truth: sql`select count(*)::int as said from patient p where p.${clinic} and ${ofLastMonth(sql`p.created_at::date`)}`,
    },
    {
      words: 'How many of our patients are men, and how many women?',
      ask: (agent) =>
        figures(agent, { dataset: 'patients', measures: ['patient_count'], dimensions: ['gender'] }, 'gender'),
      truth: sql`select coalesce(gender, 'null') || ': ' || count(*) as said from patient p where p.${clinic} group by gender`,
    },
    {
      words: 'How many patients are under 18?',
      ask: async (agent) => {
        const filters = [{ field: 'age_band', op: 'eq', value: '0-17' }]
        const [row] = await agent.figures({ dataset: 'patients', measures: ['patient_count'], filters })
        return row?.patient_count ?? 0
      },
      truth: sql`select count(*)::int as said from patient p where p.${clinic} and extract(year from age(${today}, birth_date)) < 18`,
    },
    {
      words: 'How much did we take last month?',
      ask: (agent) => figure(agent, 'payments', 'amount_collected', ['payment_date', agent.lastMonth()]),
      truth: sql`select coalesce(sum(amount_minor) filter (where not is_refund), 0)::float8 / 100 as said from ${paid}`,
    },
    {
      words: 'How was it paid, by method?',
      ask: (agent) => {
        const filters = [between('payment_date', agent.lastMonth())]
        const query = { dataset: 'payments', measures: ['amount_collected'], dimensions: ['method'], filters }
        return figures(agent, query, 'method')
      },
      truth: sql`select method_type || ': ' || (coalesce(sum(amount_minor) filter (where not is_refund), 0) / 100.0)::float8 as said
        from ${paid} group by method_type`,
    },
    {
      words: 'How many patients paid something last month?',
      ask: (agent) => figure(agent, 'payments', 'paying_patient_count', ['payment_date', agent.lastMonth()]),
      truth: sql`select count(distinct patient_id) filter (where not is_refund)::int as said from ${paid}`,
    },
    {
      words: 'What is the average payment of last month?',
      ask: (agent) => figure(agent, 'payments', 'avg_payment', ['payment_date', agent.lastMonth()]),
      truth: sql`select round(avg(amount_minor) filter (where not is_refund) / 100, 2)::float8 as said from ${paid}`,
    },
    {
      words: 'What did each provider bring in this year?',
      ask: (agent) => {
        const filters = [between('effective_date', [`${agent.today.slice(0, 4)}-01-01`, agent.today])]
        const query = { dataset: 'treatments', measures: ['net_revenue'], dimensions: ['provider'], filters }
        return figures(agent, query, 'provider_label')
      },
      truth: sql`select w.name || ': ' || (sum(t.price_minor - t.discount_minor) / 100.0)::float8 as said from treatment t
        join provider w on w.clinic_id = t.clinic_id and w.id = t.provider_id where t.${clinic} and t.removed_at is null
          and t.performed_at::date between date_trunc('year', ${today}) and ${today} group by w.id, w.name`,
    },
    {
      words: 'How many patients did each provider treat last month?',
      ask: (agent) => {
        const filters = [between('effective_date', agent.lastMonth())]
        const query = { dataset: 'production', measures: ['patient_count'], dimensions: ['provider'], filters }
        return figures(agent, query, 'provider_label')
      },
      truth: sql`select w.name || ': ' || count(distinct t.patient_id) as said from treatment t
        join provider w on w.clinic_id = t.clinic_id and w.id = t.provider_id where t.${clinic} and t.removed_at is null
          and ${ofLastMonth(sql`t.performed_at::date`)} group by w.id, w.name`,
    },
    {
      words: 'Which treatments did we do last month, and how often?',
      ask: (agent) => {
        const filters = [between('effective_date', agent.lastMonth())]
        const query = { dataset: 'production', measures: ['treatment_count'], dimensions: ['treatment'], filters }
        return figures(agent, query, 'treatment_label')
      },
      truth: sql`select c.name || ': ' || count(*) as said from treatment t
        join catalog_treatment c on c.clinic_id = t.clinic_id and c.id = t.catalog_treatment_id
        where t.${clinic} and t.removed_at is null and ${ofLastMonth(sql`t.performed_at::date`)} group by c.id, c.name`,
    },
    {
      words: 'How much did we give away in discounts this year?',
      ask: (agent) => {
        const year: [string, string] = [`${agent.today.slice(0, 4)}-01-01`, agent.today]
        return figure(agent, 'production', 'discount_total', ['effective_date', year])
      },
      truth: sql`select coalesce(sum(t.discount_minor) filter (where t.price_minor is not null), 0)::float8 / 100 as said
        from ${done} and t.performed_at::date between date_trunc('year', ${today}) and ${today}`,
    },
    {
      words: 'Who are our ten best payers of this year, and how much did each pay?',
      ask: async (agent) => {
        const filters = [between('payment_date', [`${agent.today.slice(0, 4)}-01-01`, agent.today])]
        const order = [{ by: 'amount_collected', dir: 'desc' }]
        const query = { dataset: 'payments', measures: ['amount_collected'], dimensions: ['patient'], filters, order }
        const rows = await agent.figures({ ...query, limit: 10 })
        return rows.map((row) => `${row.patient_label}: ${row.amount_collected}`)
      },
      truth: sql`select concat_ws(' ', p.first_name, p.last_name) || ': ' || (sum(y.amount_minor) / 100.0)::float8 as said from payment y
        join patient p on p.clinic_id = y.clinic_id and p.id = y.patient_id where y.${clinic} and y.status = 'recorded' and not y.is_refund
          and y.paid_at::date between date_trunc('year', ${today}) and ${today}
        group by p.id, p.first_name, p.last_name order by sum(y.amount_minor) desc, p.id limit 10`,
    },
    {
      words: 'Who did not show up more than once in the last year?',
      ask: async (agent) => {
        const filters = [between('start_date', [agent.day(-365), agent.today])]
        const order = [{ by: 'no_show_count', dir: 'desc' }]
        const query = { dataset: 'appointments', measures: ['no_show_count'], dimensions: ['patient'], filters, order }
        const rows = await agent.figures({ ...query, limit: 50 })
        return rows.filter((row) => Number(row.no_show_count) > 1).map((row) => row.patient_label)
      },
      truth: sql`select concat_ws(' ', p.first_name, p.last_name) as said from appointment a
        join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id and s.kind = 'no_show'
        join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id where a.${clinic}
          and a.start::date between ${today} - 365 and ${today} group by p.id, p.first_name, p.last_name having count(*) > 1`,
    },
    {
      words: 'Where did our leads of last month come from?',
      ask: (agent) => {
        const filters = [between('created_date', agent.lastMonth())]
        const query = { dataset: 'leads', measures: ['lead_count'], dimensions: ['source'], filters }
        return figures(agent, query, 'source')
      },
      truth: sql`select source || ': ' || count(*) as said from lead l where l.${clinic} and ${ofLastMonth(sql`l.created_at::date`)} group by source`,
    },
    {
      words: 'How many leads of this year became patients?',
      ask: (agent) => {
        const year: [string, string] = [`${agent.today.slice(0, 4)}-01-01`, agent.today]
        return figure(agent, 'leads', 'converted_count', ['created_date', year])
      },
      truth: sql`select count(*) filter (where status = 'converted')::int as said from lead l where l.${clinic}
        and l.created_at::date between date_trunc('year', ${today}) and ${today}`,
    },
    {
      words: 'How many calls did we miss last week?',
      ask: (agent) => figure(agent, 'calls', 'missed_count', ['started_date', agent.week(-1)]),
      truth: sql`select count(*) filter (where status = 'missed')::int as said from call c where c.${clinic}
        and c.started_at::date between ${sunday} - 7 and ${sunday} - 1`,
    },
    {
      words: 'At which hours do people call us, over the last thirty days?',
      ask: (agent) => {
        const filters = [between('started_date', [agent.day(-30), agent.day(-1)]), inbound]
        const query = { dataset: 'calls', measures: ['call_count'], dimensions: ['hour_of_day'], filters }
        return figures(agent, query, 'hour_of_day')
      },
      truth: sql`select extract(hour from started_at)::int || ': ' || count(*) as said from call c where c.${clinic}
        and direction = 'inbound' and c.started_at::date between ${today} - 30 and ${today} - 1 group by extract(hour from started_at)`,
    },
    {
      words: 'How many messages did patients write to us last week?',
      ask: (agent) => figure(agent, 'chat', 'inbound_count', ['created_date', agent.week(-1)]),
      truth: sql`select count(*) filter (where direction = 'inbound')::int as said from chat_message m where m.${clinic}
        and m.created_at::date between ${sunday} - 7 and ${sunday} - 1`,
    },
    {
      words: 'How many of our messages failed in the last thirty days?',
      ask: (agent) => figure(agent, 'chat', 'failed_count', ['created_date', [agent.day(-30), agent.today]]),
      truth: sql`select count(*) filter (where status = 'failed')::int as said from chat_message m where m.${clinic}
        and m.created_at::date between ${today} - 30 and ${today}`,
    },
  ]
}

const inbound = { field: 'direction', op: 'eq', value: 'inbound' }
