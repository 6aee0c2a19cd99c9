// The yardstick of `leads.ts` and `payments.ts`: bare Fastify routes that store the same rows with statements written by hand, in
// the fewest round trips: two for a lead, three for a payment. Statements that need no answer of one another leave together,
// each connection plans each statement once, and the commit is durable. No limits, checks of input, schemas or metrics.

import { hashKey } from '@clinic-data/contract/key'
import { newId } from '@clinic-data/contract/new-id'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { openDatabase, sql } from '@clinic-data/database'
import Fastify, { type FastifyRequest } from 'fastify'
import { Client, type QueryResult } from 'pg'

const [url = '', port = ''] = process.argv.slice(2)
const CONNECTIONS = 8
const database = await openDatabase({ url })
const app = Fastify({ logger: false })

type Row = Record<string, string | null>
type Query = [name: string, text: string, values: (string | null)[]]

const idle: Client[] = []
const waiting: ((client: Client) => void)[] = []
for (let i = 0; i < CONNECTIONS; i++) {
  const options = '-c plan_cache_mode=force_generic_plan -c jit=off'
  const client = new Client({ connectionString: url, pipeline: true, options })
  client.on('error', () => process.exit(1))
  await client.connect()
  idle.push(client)
}

/** One round trip. The values are texts, so every message is complete before the first is sent. */
function together(client: Client, ...queries: (string | Query)[]): Promise<QueryResult<Row>[]> {
  const { stream } = client.connection
  stream.cork()
  const answers = queries.map((query) =>
    typeof query === 'string'
      ? client.query<Row>(query)
      : client.query<Row>({ name: query[0], text: query[1], values: query[2] }),
  )
  stream.uncork()
  return Promise.all(answers)
}

async function transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = idle.pop() ?? (await new Promise<Client>((resolve) => waiting.push(resolve)))
  try {
    return await work(client)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    const next = waiting.shift()
    if (next === undefined) idle.push(client)
    else next(client)
  }
}

async function clinicOf(request: FastifyRequest) {
  const hash = hashKey((request.headers.authorization ?? '').slice('Bearer '.length))
  const [key] = await database.readByKeyHash<{ id: string; clinic_id: string }>(
    hash,
    sql`select id, clinic_id from api_key where key_hash = ${hash}`,
  )
  if (!key) throw new Error('no such key')
  return { clinic_id: key.clinic_id, key_id: key.id }
}

const TIME_ZONE = 'Asia/Jerusalem'

const begin = (clinic_id: string) =>
  `begin; set local app.clinic_id to '${clinic_id}'; set local timezone to '${TIME_ZONE}'`

function committed(answers: QueryResult[]): void {
  if (answers.at(-1)?.command !== 'COMMIT') throw new Error('rolled back')
}

function audit(request: FastifyRequest, clinic_id: string, key_id: string, operation: string, ids: string[]): Query {
  return [
    'audit',
    `insert into audit (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id, address)
      values ($1, $2, $3, $4, 'rest', $5, $6, 201, $7, $8)`,
    [
      ...[clinic_id, new Date().toISOString(), key_id, operation, `{${ids}}`, String(ids.length)],
      ...[newId('req', new Date()), request.ip],
    ],
  ]
}

app.post('/v1/leads', async (request, reply) => {
  const { clinic_id, key_id } = await clinicOf(request)
  const body = request.body as Record<string, string> & { attribution: object }
  const { first_name = '', last_name = null, phone = null, email = null, source = '', external_id = null } = body
  const email_folded = email?.toLowerCase() ?? null
  const names = [external_id, phone, email_folded].filter((name) => name !== null).sort()
  const lead = await transaction(async (client) => {
    const [, , found] = await together(
      client,
      begin(clinic_id),
      [
        'lock',
        `select pg_advisory_xact_lock(hashtextextended($1 || name, 0)) from unnest($2::text[]) name`,
        [clinic_id, `{${names}}`],
      ],
      [
        'match',
        `select id, created_at from (
          (select id, created_at, 1 as rank from lead where clinic_id = $1 and external_id = $2)
          union all
          (select l.id, l.created_at, 2 from lead_activity a join lead l on l.clinic_id = a.clinic_id and l.id = a.lead_id
            where a.clinic_id = $1 and a.external_id = $2 limit 1)
          union all
          (select id, created_at, 3 from lead where clinic_id = $1 and open_phone = $3 order by created_at desc, id desc limit 1)
          union all
          (select id, created_at, 4 from lead where clinic_id = $1 and open_email = $4 order by created_at desc, id desc limit 1)
        ) found order by rank limit 1`,
        [clinic_id, external_id, phone, email_folded],
      ],
    )
    const now = new Date()
    const time = now.toISOString()
    const known = found?.rows[0]
    const id = known?.id ?? newId('lead', now)
    const stored: Query = known
      ? [
          'activity',
          `insert into lead_activity (clinic_id, id, lead_id, kind, external_id, submission, created_at)
            values ($1, $2, $3, 'submission', $4, $5, $6)`,
          [clinic_id, newId('act', now), id, external_id, JSON.stringify(body), time],
        ]
      : [
          'lead',
          `insert into lead (clinic_id, id, first_name, last_name, phone, phone_normal, email, email_folded, source, attribution,
              external_id, created_at, updated_at, created_date)
            values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $11, $11::timestamptz::date)`,
          [
            ...[clinic_id, id, first_name, last_name, phone, email, email_folded, source],
            ...[JSON.stringify(body.attribution), external_id, time],
          ],
        ]
    committed(await together(client, stored, audit(request, clinic_id, key_id, 'leads.create', [id]), 'commit'))
    return { id, created_at: known?.created_at ?? zonedInstant(now, TIME_ZONE, 3) }
  })
  const { attribution } = body
  reply.code(201)
  return { data: { ...lead, first_name, last_name, phone, email, source, status: 'new', attribution } }
})

app.post('/v1/patients/:id/payments', async (request, reply) => {
  const { clinic_id, key_id } = await clinicOf(request)
  const { id: patient_id } = request.params as { id: string }
  const body = request.body as { amount: number; method_type: string; description: string; external_id: string }
  const { amount, method_type, description, external_id } = body
  const minor = String(Math.round(amount * 100))
  const data = await transaction(async (client) => {
    const [, found] = await together(client, begin(clinic_id), [
      'found',
      `select account.id as account_id, account.document_type, account.business_name, account.business_id, site.phone, site.street,
          site.city, patient.first_name, patient.last_name, patient.id_number,
          (select id from payment where clinic_id = $1 and external_id = $3) as recorded_id
        from patient join billing_account account on account.clinic_id = $1
        left join branch site on site.clinic_id = $1 and not exists
          (select from branch other where other.clinic_id = $1 and other.id <> site.id)
        where patient.clinic_id = $1 and patient.id = $2 limit 2`,
      [clinic_id, patient_id, external_id],
    ])
    const [known, ambiguous] = found?.rows ?? []
    if (known === undefined || ambiguous !== undefined || known.recorded_id !== null) throw new Error('refused')
    const { account_id = '', business_name = '', business_id = null, first_name = '', last_name = '' } = known
    const type = known.document_type ?? ''
    const now = new Date()
    const time = now.toISOString()
    const [id, document_id, event_id] = [newId('pay', now), newId('doc', now), newId('evt', now)]
    const [, numbered, placed] = await together(
      client,
      [
        'payment',
        `insert into payment (clinic_id, id, patient_id, billing_account_id, amount_minor, currency, method_type, description,
            external_id, paid_at, paid_date, created_at, updated_at)
          values ($1, $2, $3, $4, $5, 'ILS', $6, $7, $8, $9, $9::timestamptz::date, $10, $10)`,
        [
          clinic_id,
          id,
          patient_id,
          account_id,
          minor,
          method_type,
          description,
          external_id,
          time.slice(0, 19).concat('Z'),
          time,
        ],
      ],
      [
        'number',
        `insert into document_counter as counter (clinic_id, billing_account_id, type, last_number) values ($1, $2, $3, 1)
          on conflict (clinic_id, billing_account_id, type) do update set last_number = counter.last_number + 1
          returning last_number`,
        [clinic_id, account_id, type],
      ],
      [
        'place',
        `insert into event_counter as counter (clinic_id, last_position, last_at) values ($1, 1, $2)
          on conflict (clinic_id) do update set last_position = counter.last_position + 1,
            last_at = greatest(counter.last_at, excluded.last_at)
          returning last_position, last_at`,
        [clinic_id, time],
      ],
    )
    const number = String(numbered?.rows[0]?.last_number)
    const { last_position = null, last_at = null } = placed?.rows[0] ?? {}
    const at = zonedInstant(now, TIME_ZONE, 0)
    const data = {
      id,
      patient: { id: patient_id, first_name, last_name },
      billing_account: { id: account_id, business_name },
      amount,
      currency: 'ILS',
      method_type,
      is_refund: false,
      refunded_payment_id: null,
      status: 'recorded',
      description,
      external_id,
      refunds: [],
      paid_at: at,
      documents: [{ id: document_id, type, number, issued_at: at, allocation_number: null }],
      created_at: zonedInstant(now, TIME_ZONE, 3),
      updated_at: zonedInstant(now, TIME_ZONE, 3),
    }
    const content = {
      version: 1,
      type,
      number: Number(number),
      issued_at: at,
      allocation_number: null,
      language: 'he',
      business: { name: business_name, business_id, address: `${known.street}, ${known.city}`, phone: known.phone },
      customer: { name: `${first_name} ${last_name}`, id_number: known.id_number },
      amount_minor: Number(minor),
      currency: 'ILS',
      method_type,
      paid_at: at,
      description,
      refunded: null,
    }
    const event = { id: event_id, type: 'payment.recorded', created_at: last_at, data }
    committed(
      await together(
        client,
        [
          'document',
          `insert into payment_document (clinic_id, id, payment_id, billing_account_id, type, number, issued_at, content)
            values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [clinic_id, document_id, id, account_id, type, number, at, JSON.stringify(content)],
        ],
        [
          'deliveries',
          `insert into delivery (clinic_id, subscription_id, id, event_id, event_type, due_at, created_at)
            select clinic_id, id, 'dlv_' || substr($2, 5) || '_' || id, $2, $3, $4, $4 from subscription
            where clinic_id = $1 and enabled and (event_types = '{}' or $3 = any(event_types))`,
          [clinic_id, event_id, event.type, last_at],
        ],
        [
          'event',
          `insert into event (clinic_id, id, position, type, body, created_at) values ($1, $2, $3, $4, $5, $6)`,
          [clinic_id, event_id, last_position, event.type, JSON.stringify(event), last_at],
        ],
        audit(request, clinic_id, key_id, 'payments.create', [id, patient_id]),
        'commit',
      ),
    )
    return data
  })
  reply.code(201)
  return { data }
})

await app.listen({ host: '127.0.0.1', port: Number(port) })
process.on('SIGTERM', async () => {
  await app.close()
  await database.close()
  process.exit()
})
