// Questions that end in something looked up: a day's visits, one patient's, payments, calls, chats, what the clinic offers.
import { sql } from '@clinic-data/database'
import type { Asked, Named } from './asked.ts'
import type { Tables } from './question.ts'
import { at, nameOf, type Row } from './walker.ts'

const clock = (start: unknown) => String(start).slice(11, 16)

export async function lookedUp(tables: Tables, { today, clinic, people }: Named): Promise<Asked[]> {
  const { one } = tables
  /** Somebody whose whole name nobody else has, with a past and a future here. */
  const { who } = await one<{ who: string }>(
    sql`select min(name) as who from ${people} where first_name is not null and last_name is not null and is_coming
      and visited is not null and paid is not null and phone is not null
      group by name having count(*) = 1 order by 1 limit 1`,
  )
  const { provider, branch } = await one<{ provider: string; branch: string }>(
    sql`select min(w.name) as provider, min(b.name) as branch from provider w, branch b where w.${clinic} and b.${clinic}`,
  )
  const them = sql`(select id from patient p where p.${clinic} and concat_ws(' ', p.first_name, p.last_name) = ${who})`
  const visit = sql`appointment a left join patient p on p.clinic_id = a.clinic_id and p.id = a.patient_id`
  const written = sql`to_char(a.start, 'HH24:MI ') || concat_ws(' ', p.first_name, p.last_name)`
  const write = (rows: readonly Row[]) => rows.map(({ start, patient }) => `${clock(start)} ${nameOf(patient)}`)
  const fields = ['start', 'patient']
  const find = async (agent: Parameters<Asked['ask']>[0], more: Row = {}): Promise<Row> => {
    const { data } = await agent.call('patients_list', { query: who, ...more })
    return data.find((row) => nameOf(row) === who) ?? {}
  }
  return [
    {
      words: 'Which new leads has nobody called or written to yet?',
      ask: async (agent) => {
        const filters = { status: 'new', has_been_contacted: false, fields: ['first_name', 'last_name'], limit: 100 }
        return (await agent.rows('leads_list', filters)).map(nameOf)
      },
      truth: sql`select concat_ws(' ', l.first_name, l.last_name) as said from lead l where l.${clinic} and l.status = 'new'
        and not exists (select from call c where c.${clinic} and c.patient_phone = l.phone_normal and c.started_at >= l.created_at
          and (c.direction = 'outbound' or c.status = 'answered'))
        and not exists (select from chat_message m where m.${clinic} and m.patient_phone = l.phone_normal
          and m.created_at >= l.created_at and m.direction = 'outbound' and m.status <> 'failed')`,
    },
    {
      words: 'Who comes today?',
      ask: async (agent) => {
        const rows = await agent.rows('appointments_list', { from: agent.today, to: agent.today, fields, limit: 100 })
        return write(rows)
      },
      truth: sql`select ${written} as said from ${visit} where a.${clinic} and a.start::date = ${today}`,
    },
    {
      words: `Who comes to ${provider} tomorrow?`,
      ask: async (agent) => {
        const provider_id = await agent.idOf('providers', provider)
        const day = { from: agent.day(1), to: agent.day(1) }
        return write(await agent.rows('appointments_list', { ...day, provider_id, fields, limit: 100 }))
      },
      truth: sql`select ${written} as said from ${visit} join appointment_provider ap on ap.clinic_id = a.clinic_id and ap.appointment_id = a.id
        join provider w on w.clinic_id = ap.clinic_id and w.id = ap.provider_id
        where a.${clinic} and w.name = ${provider} and a.start::date = ${today} + 1`,
    },
    {
      words: `Who comes to ${branch} tomorrow?`,
      ask: async (agent) => {
        const branch_id = await agent.idOf('branches', branch)
        const day = { from: agent.day(1), to: agent.day(1) }
        return write(await agent.rows('appointments_list', { ...day, branch_id, fields, limit: 100 }))
      },
      truth: sql`select ${written} as said from ${visit} join branch b on b.clinic_id = a.clinic_id and b.id = a.branch_id
        where a.${clinic} and b.name = ${branch} and a.start::date = ${today} + 1`,
    },
    {
      words: `When does ${who} come next?`,
      ask: async (agent) => {
        const { id } = await find(agent, { fields: ['id', 'first_name', 'last_name'] })
        const { today: from } = agent
        const rows = await agent.rows('appointments_list', { patient_id: id, from, fields: ['start', 'status'] })
        const [next] = rows.filter(({ status }) => !/cancel/i.test(String((status as Row | null)?.name)))
        return String(next?.start).slice(0, 16)
      },
      truth: sql`select to_char(min(a.start), 'YYYY-MM-DD"T"HH24:MI') as said from appointment a join appointment_status s
        on s.clinic_id = a.clinic_id and s.id = a.status_id where a.${clinic} and a.patient_id = ${them}
          and a.start::date >= ${today} and s.kind <> 'cancelled'`,
    },
    {
      words: `What does ${who} owe us?`,
      ask: async (agent) =>
        (at(await find(agent, { response_format: 'detailed' }), 'balance') as { amount?: number }).amount,
      truth: sql`select owed::float8 as said from ${people} where name = ${who}`,
    },
    {
      words: `What is ${who}'s phone?`,
      ask: async (agent) => (await find(agent)).phone,
      truth: sql`select phone as said from ${people} where name = ${who}`,
    },
    {
      words: `What has ${who} paid, and when?`,
      ask: async (agent) => {
        const { id } = await find(agent)
        const rows = await agent.rows('payments_list', { patient_id: id, fields: ['paid_at', 'amount'], limit: 100 })
        return rows.map(({ paid_at, amount }) => `${String(paid_at).slice(0, 10)} ${amount}`)
      },
      truth: sql`select concat_ws(' ', paid_at::date, (amount_minor / 100.0)::float8) as said from payment y where y.${clinic} and patient_id = ${them}`,
    },
    {
      words: `What was done for ${who}?`,
      ask: async (agent) => {
        const { id } = await find(agent)
        const rows = await agent.rows('treatments_list', { patient_id: id, fields: ['treatment'], limit: 100 })
        return rows.map((row) => at(row, 'treatment').name)
      },
      truth: sql`select c.name as said from treatment t join catalog_treatment c on c.clinic_id = t.clinic_id
        and c.id = t.catalog_treatment_id where t.${clinic} and t.patient_id = ${them} and t.removed_at is null`,
    },
    {
      words: 'What came in yesterday?',
      ask: async (agent) => {
        const day = { from: agent.day(-1), to: agent.day(-1) }
        const rows = await agent.rows('payments_search', { ...day, fields: ['amount', 'patient'], limit: 100 })
        return rows.map(({ amount, patient }) => `${nameOf(patient)} ${amount}`)
      },
      truth: sql`select concat_ws(' ', first_name, last_name, (amount_minor / 100.0)::float8) as said from payment y
        join patient p on p.clinic_id = y.clinic_id and p.id = y.patient_id where y.${clinic} and y.paid_at::date = ${today} - 1`,
    },
    {
      words: 'Which calls did we miss in the last two days?',
      ask: async (agent) => {
        const since = { from: agent.day(-2), status: 'missed', fields: ['patient_phone'], limit: 100 }
        return (await agent.rows('calls_list', since)).map((row) => row.patient_phone)
      },
      truth: sql`select patient_phone_local as said from call c where c.${clinic} and status = 'missed' and started_at::date >= ${today} - 2`,
    },
    {
      words: 'Which chats has nobody dealt with yet?',
      ask: async (agent) => {
        const open = { is_handled: false, fields: ['patient_phone'], limit: 100 }
        return (await agent.rows('chat_conversations_list', open)).map((row) => row.patient_phone)
      },
      truth: sql`select patient_phone_local as said from chat_conversation v where v.${clinic} and not is_handled`,
    },
    {
      words: 'Which message templates may we send?',
      ask: async (agent) => {
        const approved = { status: 'approved', fields: ['name', 'language'], limit: 100 }
        return (await agent.rows('chat_templates_list', approved)).map((row) => `${row.name} ${row.language}`)
      },
      truth: sql`select name || ' ' || language as said from chat_template m where m.${clinic} and status = 'approved'`,
    },
    {
      words: 'What do we charge for each treatment?',
      ask: async (agent) =>
        (await agent.rows('catalog_list', { kind: 'treatments' })).map((row) => `${row.name}: ${row.price}`),
      truth: sql`select name || ': ' || coalesce((price_minor / 100.0)::float8::text, 'null') as said from catalog_treatment c where c.${clinic}`,
    },
  ]
}
