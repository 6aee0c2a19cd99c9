// A call of each kind with the client that hey-api makes for TypeScript.
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert'
import {
  appointmentsList,
  catalogAppointmentStatusesList,
  catalogBillingAccountsList,
  eventsList,
  leadsCreate,
  meGet,
  patientsGet,
  patientsList,
  paymentsCreate,
  queryRun,
  webhooksCreate,
  webhooksDelete,
  webhooksGet,
} from './client'
import { client } from './client/client.gen'

const { BASE_URL = '', SC_API_KEY = '', RUN = '' } = process.env
client.setConfig({ baseUrl: BASE_URL, auth: SC_API_KEY })
const throwOnError = true

async function calls(): Promise<void> {
  const { data: first } = await patientsList({ query: { limit: 2 }, throwOnError })
  const { data: second } = await patientsList({ query: { limit: 2, cursor: first.next_cursor ?? '' }, throwOnError })
  const id = first.data[0]?.id ?? ''
  strictEqual(second.data.length, 2)
  notStrictEqual(second.data[0]?.id, id)
  console.log('pages')

  const { data: patient } = await patientsGet({ path: { id }, query: { response_format: 'detailed' }, throwOnError })
  strictEqual(patient.data.id, id)
  strictEqual(patient.data.gender, 'added_later')
  console.log('read')

  const body = {
    first_name: 'Dana',
    phone: '052-765-4324',
    source: 'social',
    external_id: RUN,
    attribution: { utm_source: 'hey-api', clicks: 3 },
  } as const
  const { data: lead } = await leadsCreate({ body, throwOnError })
  strictEqual(lead.data.first_name, 'Dana')
  deepStrictEqual(lead.data.attribution, body.attribution)
  strictEqual(lead.data.status, 'added_later')
  console.log('lead')

  const { data: accounts } = await catalogBillingAccountsList({ throwOnError })
  const pay = () =>
    paymentsCreate({
      path: { id },
      headers: { 'Idempotency-Key': RUN },
      body: { amount: 123456.78, method_type: 'cash', billing_account_id: accounts.data[0]?.id ?? '' },
      throwOnError,
    })
  const { data: payment } = await pay()
  strictEqual(payment.data.amount, 123456.78)
  strictEqual((await pay()).data.data.id, payment.data.id)
  console.log('payment')

  const { data: webhook } = await webhooksCreate({
    body: { url: 'https://crm.example.com/hooks', event_types: ['patient.created'] },
    throwOnError,
  })
  deepStrictEqual(webhook.data.event_types, ['patient.created'])
  await webhooksDelete({ path: { id: webhook.data.id }, throwOnError })
  const { error } = await webhooksGet({ path: { id: webhook.data.id } })
  strictEqual(error?.status, 404)
  console.log('webhook')

  const { data: result } = await queryRun({
    body: {
      dataset: 'treatments',
      measures: ['treatment_count'],
      dimensions: [{ field: 'effective_date', grain: 'month' }],
      filters: [
        { field: 'effective_date', op: 'between', value: ['2020-01-01', new Date().toISOString().slice(0, 10)] },
      ],
    },
    throwOnError,
  })
  const { rows, totals } = result.data
  ok(rows.length > 1)
  strictEqual(
    rows.reduce((sum, row) => sum + Number(row.treatment_count), 0),
    totals.treatment_count,
  )
  const { data: empty } = await queryRun({
    body: {
      dataset: 'production',
      measures: ['avg_net_price'],
      filters: [{ field: 'effective_date', op: 'between', value: ['1990-01-01', '1990-01-02'] }],
    },
    throwOnError,
  })
  strictEqual(empty.data.totals.avg_net_price, null)
  console.log('query')

  const { data: statuses } = await catalogAppointmentStatusesList({ throwOnError })
  const { data: visits } = await appointmentsList({ query: { limit: 2 }, throwOnError })
  const visit = visits.data[0]
  strictEqual(typeof statuses.data[0]?.enabled, 'boolean')
  ok(visit?.type && visit.type.duration_minutes > 0 && visit.status?.color && visit.branch?.name)
  console.log('parts')

  const { data: me } = await meGet({ throwOnError })
  ok(me.data.scopes.includes('rooms:read'))
  const { data: feed } = await eventsList({ query: { limit: 1 }, throwOnError })
  strictEqual(feed.data.at(-1)?.type, 'room.opened')
  console.log('additions')
}

void calls()
