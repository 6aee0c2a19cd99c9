// Questions about people: what they owe, paid, wrote and said, and who waits for an answer.
import { type Statement, sql } from '@clinic-data/database'
import { type Question, type Tables, todayOf } from './question.ts'
import { at, nameOf } from './walker.ts'

const name = sql`concat_ws(' ', p.first_name, p.last_name)`
const phones = sql`(select value_normal from patient_contact c where c.clinic_id = p.clinic_id and c.patient_id = p.id and c.type = 'phone')`
const balance = sql`(coalesce((select sum(t.price_minor - t.discount_minor) from treatment t
    where t.clinic_id = p.clinic_id and t.patient_id = p.id and t.removed_at is null), 0)
  - coalesce((select sum(case when y.is_refund then - y.amount_minor else y.amount_minor end) from payment y
    where y.clinic_id = p.clinic_id and y.patient_id = p.id and y.status = 'recorded'), 0))`

/** Patients whose whole name nobody else has. */
const known = sql`p.first_name is not null and p.last_name is not null
  and (select count(*) from patient q where q.clinic_id = p.clinic_id and q.first_name = p.first_name and q.last_name = p.last_name) = 1`

async function whoOwes(tables: Tables): Promise<Question> {
  const { clinic_id, rows, one } = tables
  const today = todayOf(tables.now)
  /** With few patients tomorrow, one of whom owes money. */
  const { provider } = await one<{ provider: string }>(
    sql`select w.name as provider from appointment a join appointment_provider ap on ap.clinic_id = a.clinic_id and ap.appointment_id = a.id
      join provider w on w.clinic_id = ap.clinic_id and w.id = ap.provider_id
      join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id
      where a.clinic_id = ${clinic_id} and a.start::date = ${today} + 1 group by w.id, w.name
      having count(distinct p.id) <= 4 and max(${balance}) > 0 order by count(distinct p.id) desc, w.id limit 1`,
  )

  return {
    words: `Who of ${provider}'s patients tomorrow owes us money, and how much?`,
    walk: async (agent) => {
      const provider_id = await agent.idOf('providers', provider)
      const toolArguments = { provider_id, from: agent.day(1), to: agent.day(1), fields: ['patient'] }
      const visits = await agent.rows('appointments_list', toolArguments)
      const owed: Record<string, unknown> = {}
      for (const patient_id of new Set(visits.map((visit) => at(visit, 'patient').id))) {
        const details = { patient_id, response_format: 'detailed' }
        const { data } = await agent.call<{ data: { balance: { amount: number } } }>('patients_get', details)
        if (data.balance.amount > 0) owed[nameOf(data)] = data.balance.amount
      }
      return owed
    },
    truth: async () =>
      Object.fromEntries(
        (
          await rows<{ patient: string; owed: number }>(
            sql`select distinct ${name} as patient, (${balance} / 100.0)::float8 as owed from appointment a
              join appointment_provider ap on ap.clinic_id = a.clinic_id and ap.appointment_id = a.id
              join provider w on w.clinic_id = ap.clinic_id and w.id = ap.provider_id
              join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id
              where a.clinic_id = ${clinic_id} and w.name = ${provider} and a.start::date = ${today} + 1 and ${balance} > 0`,
          )
        ).map(({ patient, owed }) => [patient, owed]),
      ),
  }
}

function cashPayments(tables: Tables): Question {
  const { clinic_id, rows } = tables
  const today = todayOf(tables.now)
  const sunday = sql`(${today} - extract(dow from ${today})::int)`
  return {
    words: 'Which payments of 500 or more did we take in cash last week, and from whom?',
    walk: async (agent) => {
      const [from, to] = agent.week(-1)
      const fields = ['patient', 'amount', 'is_refund', 'status']
      const toolArguments = { from, to, method_type: 'cash', limit: 100, fields }
      const payments = await agent.rows('payments_search', toolArguments)
      return payments
        .filter(({ amount, is_refund, status }) => Number(amount) >= 500 && !is_refund && status !== 'cancelled')
        .map(({ patient, amount }) => `${nameOf(patient)} ${amount}`)
    },
    truth: async () =>
      (
        await rows<{ payment: string }>(
          sql`select ${name} || ' ' || trim_scale(y.amount_minor / 100.0) as payment from payment y
            join patient p on p.clinic_id = y.clinic_id and p.id = y.patient_id where y.clinic_id = ${clinic_id}
              and y.amount_minor >= 50000 and y.method_type = 'cash' and not y.is_refund and y.status = 'recorded'
              and y.paid_at::date between ${sunday} - 7 and ${sunday} - 1 order by y.paid_at desc, y.id desc`,
        )
      ).map(({ payment }) => payment),
  }
}

async function lastWords(tables: Tables): Promise<Question> {
  const { clinic_id, one } = tables
  const writer = await named(
    tables,
    sql`select ${name} as patient from chat_message m join patient p on p.clinic_id = m.clinic_id and m.patient_phone in ${phones}
      where m.clinic_id = ${clinic_id} and m.direction = 'inbound' and m.type = 'text' and ${known} order by m.created_at desc, m.id limit 1`,
  )

  return {
    words: `What did ${writer} write last in the chat?`,
    walk: async (agent) => {
      const patient_id = await agent.patient(writer)
      const toolArguments = { patient_id, direction: 'inbound', limit: 1, fields: ['created_at', 'text'] }
      const { data } = await agent.call('chat_messages_list', toolArguments)
      return data[0]?.text
    },
    truth: async () =>
      (
        await one<{ text: string }>(
          sql`select m.text from chat_message m join patient p on p.clinic_id = m.clinic_id and m.patient_phone in ${phones}
            where m.clinic_id = ${clinic_id} and m.direction = 'inbound' and ${name} = ${writer} order by m.created_at desc, m.id desc limit 1`,
        )
      ).text,
  }
}

async function lastCall(tables: Tables): Promise<Question> {
  const { clinic_id, one } = tables
  const caller = await named(
    tables,
    sql`select ${name} as patient from call l join patient p on p.clinic_id = l.clinic_id and l.patient_phone in ${phones}
      where l.clinic_id = ${clinic_id} and l.transcript_status = 'completed' and ${known} order by l.started_at desc, l.id limit 1`,
  )

  return {
    words: `What was the last call with ${caller} about?`,
    walk: async (agent) => {
      const patient_id = await agent.patient(caller)
      const toolArguments = {
        patient_id,
        transcript_status: 'completed',
        limit: 1,
        fields: ['started_at', 'transcript'],
      }
      const { data } = await agent.call('calls_list', toolArguments)
      return at(data[0] ?? {}, 'transcript').summary
    },
    truth: async () =>
      (
        await one<{ summary: string }>(
          sql`select l.transcript_summary as summary from call l
            join patient p on p.clinic_id = l.clinic_id and l.patient_phone in ${phones}
            where l.clinic_id = ${clinic_id} and l.transcript_status = 'completed' and ${name} = ${caller}
            order by l.started_at desc, l.id desc limit 1`,
        )
      ).summary,
  }
}

async function lastVisit(tables: Tables): Promise<Question> {
  const { clinic_id, rows } = tables
  const treated = await named(
    tables,
    sql`select ${name} as patient from treatment t join patient p on p.clinic_id = t.clinic_id and p.id = t.patient_id
      where t.clinic_id = ${clinic_id} and t.removed_at is null and ${known} order by t.performed_at desc, t.id limit 1`,
  )

  return {
    words: `What was done at ${treated}'s last visit, and by whom?`,
    walk: async (agent) => {
      const patient_id = await agent.patient(treated)
      const toolArguments = { patient_id, limit: 10, fields: ['performed_at', 'treatment', 'provider'] }
      const { data } = await agent.call('treatments_list', toolArguments)
      const day = (row: unknown) => String((row as { performed_at: string }).performed_at).slice(0, 10)
      return data
        .filter((row) => day(row) === day(data[0]))
        .map((row) => `${day(row)} ${at(row, 'treatment').name}, ${at(row, 'provider').name}`)
        .sort()
    },
    truth: async () =>
      (
        await rows<{ done: string }>(
          sql`with done as (select t.*, max(t.performed_at) over () as latest from treatment t
              join patient p on p.clinic_id = t.clinic_id and p.id = t.patient_id
              where t.clinic_id = ${clinic_id} and t.removed_at is null and ${name} = ${treated})
            select to_char(performed_at, 'YYYY-MM-DD ') || c.name || ', ' || w.name as done from done
            join catalog_treatment c on c.clinic_id = ${clinic_id} and c.id = catalog_treatment_id
            join provider w on w.clinic_id = ${clinic_id} and w.id = provider_id where performed_at::date = latest::date`,
        )
      )
        .map(({ done }) => done)
        .sort(),
  }
}

function notCalledBack(tables: Tables): Question {
  const { clinic_id, rows } = tables
  const today = todayOf(tables.now)
  return {
    words: 'Which missed calls of the last seven days did nobody return?',
    walk: async (agent) => {
      const from = agent.day(-7)
      const toolArguments = { from, limit: 100, fields: ['started_at', 'patient_phone'] }
      const missed = await agent.rows('calls_list', { ...toolArguments, status: 'missed' })
      const returned = await agent.rows('calls_list', { ...toolArguments, direction: 'outbound' })
      const isReturned = (call: (typeof missed)[number]) =>
        returned.some(
          (later) =>
            later.patient_phone === call.patient_phone &&
            Date.parse(String(later.started_at)) > Date.parse(String(call.started_at)),
        )
      return missed.filter((call) => !isReturned(call)).map((call) => String(call.patient_phone))
    },
    truth: async () =>
      (
        await rows<{ phone: string }>(
          sql`select l.patient_phone_local as phone from call l where l.clinic_id = ${clinic_id} and l.status = 'missed'
              and l.started_at::date >= ${today} - 7 and not exists (select from call o where o.clinic_id = l.clinic_id
              and o.direction = 'outbound' and o.patient_phone = l.patient_phone and o.started_at > l.started_at)
            order by l.started_at desc, l.id desc`,
        )
      ).map(({ phone }) => phone),
  }
}

async function named({ one }: Tables, from: Statement): Promise<string> {
  return (await one<{ patient: string }>(from)).patient
}

export const questionsAboutPeople = [whoOwes, cashPayments, lastWords, lastCall, lastVisit, notCalledBack]
