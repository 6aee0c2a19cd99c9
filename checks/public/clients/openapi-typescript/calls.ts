// A call of each kind with openapi-fetch and the types that openapi-typescript makes.
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert'
import createClient from 'openapi-fetch'
import type { paths } from './openapi'

const { BASE_URL = '', SC_API_KEY = '', RUN = '' } = process.env
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${SC_API_KEY}` } })

/** The answer of a call that succeeds. */
async function done<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

async function calls(): Promise<void> {
  const first = await done(client.GET('/v1/patients', { params: { query: { limit: 2 } } }))
  const cursor = first.next_cursor ?? ''
  const second = await done(client.GET('/v1/patients', { params: { query: { limit: 2, cursor } } }))
  const id = first.data[0]?.id ?? ''
  strictEqual(second.data.length, 2)
  notStrictEqual(second.data[0]?.id, id)
  console.log('pages')

  const { data: patient } = await done(client.GET('/v1/patients/{id}', { params: { path: { id } } }))
  strictEqual(patient.id, id)
  strictEqual(patient.gender, 'added_later')
  console.log('read')

  const body = {
    first_name: 'Dana',
    phone: '052-765-4325',
    source: 'social',
    external_id: RUN,
    attribution: { utm_source: 'openapi-fetch', clicks: 3 },
  } as const
  const { data: lead } = await done(client.POST('/v1/leads', { body }))
  strictEqual(lead.first_name, 'Dana')
  deepStrictEqual(lead.attribution, body.attribution)
  strictEqual(lead.status, 'added_later')
  console.log('lead')

  const accounts = await done(client.GET('/v1/catalog/billing/accounts'))
  const pay = () =>
    done(
      client.POST('/v1/patients/{id}/payments', {
        params: { path: { id }, header: { 'Idempotency-Key': RUN } },
        body: { amount: 123456.78, method_type: 'cash', billing_account_id: accounts.data[0]?.id ?? '' },
      }),
    )
  const { data: payment } = await pay()
  strictEqual(payment.amount, 123456.78)
  strictEqual((await pay()).data.id, payment.id)
  console.log('payment')

  const { data: webhook } = await done(
    client.POST('/v1/webhooks', {
      body: { url: 'https://crm.example.com/hooks', event_types: ['patient.created'] },
    }),
  )
  deepStrictEqual(webhook.event_types, ['patient.created'])
  const params = { path: { id: webhook.id } }
  strictEqual((await client.DELETE('/v1/webhooks/{id}', { params })).response.status, 204)
  strictEqual((await client.GET('/v1/webhooks/{id}', { params })).error?.status, 404)
  console.log('webhook')

  const { data: result } = await done(
    client.POST('/v1/query', {
      body: {
        dataset: 'treatments',
        measures: ['treatment_count'],
        dimensions: [{ field: 'effective_date', grain: 'month' }],
        filters: [
          { field: 'effective_date', op: 'between', value: ['2020-01-01', new Date().toISOString().slice(0, 10)] },
        ],
      },
    }),
  )
  ok(result.rows.length > 1)
  strictEqual(
    result.rows.reduce((sum, row) => sum + Number(row.treatment_count), 0),
    result.totals.treatment_count,
  )
  const { data: empty } = await done(
    client.POST('/v1/query', {
      body: {
        dataset: 'production',
        measures: ['avg_net_price'],
        filters: [{ field: 'effective_date', op: 'between', value: ['1990-01-01', '1990-01-02'] }],
      },
    }),
  )
  strictEqual(empty.totals.avg_net_price, null)
  console.log('query')

  const statuses = await done(client.GET('/v1/catalog/appointments/statuses'))
  const visits = await done(client.GET('/v1/appointments', { params: { query: { limit: 2 } } }))
  const visit = visits.data[0]
  strictEqual(typeof statuses.data[0]?.enabled, 'boolean')
  ok(visit?.type && visit.type.duration_minutes > 0 && visit.status?.color && visit.branch?.name)
  console.log('parts')

  const { data: me } = await done(client.GET('/v1/me'))
  ok(me.scopes.includes('rooms:read'))
  const feed = await done(client.GET('/v1/events', { params: { query: { limit: 1 } } }))
  strictEqual(feed.data.at(-1)?.type, 'room.opened')
  console.log('additions')
}

void calls()
