// A call of each kind with the client that openapi-generator makes for TypeScript.
import { deepStrictEqual, notStrictEqual, ok, rejects, strictEqual } from 'node:assert'
import {
  AnalyticsApi,
  AppointmentsApi,
  CatalogApi,
  Configuration,
  IdentityApi,
  LeadsApi,
  PatientsApi,
  PaymentsApi,
  ResponseError,
  WebhooksApi,
} from './client'

const { BASE_URL = '', SC_API_KEY = '', RUN = '' } = process.env
const configuration = new Configuration({ basePath: BASE_URL, accessToken: SC_API_KEY })
const patients = new PatientsApi(configuration)
const payments = new PaymentsApi(configuration)
const analytics = new AnalyticsApi(configuration)
const webhooks = new WebhooksApi(configuration)

async function calls(): Promise<void> {
  const first = await patients.patientsList({ limit: 2 })
  const second = await patients.patientsList({ limit: 2, cursor: first.nextCursor ?? '' })
  const id = first.data[0]?.id ?? ''
  strictEqual(second.data.length, 2)
  notStrictEqual(second.data[0]?.id, id)
  console.log('pages')

  const { data: patient } = await patients.patientsGet({ id })
  strictEqual(patient.id, id)
  strictEqual(patient.gender, 'added_later')
  strictEqual(patient.firstName, first.data[0]?.firstName)
  console.log('read')

  const attribution = { utm_source: 'openapi-generator', clicks: 3 }
  const { data: lead } = await new LeadsApi(configuration).leadsCreate({
    leadRequest: { firstName: 'Dana', phone: '052-765-4326', source: 'social', externalId: RUN, attribution },
  })
  strictEqual(lead.firstName, 'Dana')
  deepStrictEqual(lead.attribution, attribution)
  strictEqual(lead.status, 'added_later')
  console.log('lead')

  const catalog = new CatalogApi(configuration)
  const accounts = await catalog.catalogBillingAccountsList()
  const billingAccountId = accounts.data[0]?.id ?? ''
  const pay = () =>
    payments.paymentsCreate({
      id,
      idempotencyKey: RUN,
      paymentsCreateRequest: { amount: 123456.78, methodType: 'cash', billingAccountId },
    })
  const { data: payment } = await pay()
  strictEqual(payment.amount, 123456.78)
  strictEqual((await pay()).data.id, payment.id)
  console.log('payment')

  const { data: webhook } = await webhooks.webhooksCreate({
    webhookRequest: { url: 'https://crm.example.com/hooks', eventTypes: ['patient.created'] },
  })
  deepStrictEqual(webhook.eventTypes, ['patient.created'])
  await webhooks.webhooksDelete({ id: webhook.id })
  await rejects(
    webhooks.webhooksGet({ id: webhook.id }),
    (error) => error instanceof ResponseError && error.response.status === 404,
  )
  console.log('webhook')

  const { data: result } = await analytics.queryRun({
    query: {
      dataset: 'treatments',
      measures: ['treatment_count'],
      dimensions: [{ field: 'effective_date', grain: 'month' }],
      filters: [
        { field: 'effective_date', op: 'between', value: ['2020-01-01', new Date().toISOString().slice(0, 10)] },
      ],
    },
  })
  ok(result.rows.length > 1)
  strictEqual(
    result.rows.reduce((sum, row) => sum + Number(row.treatment_count), 0),
    result.totals.treatment_count,
  )
  const { data: empty } = await analytics.queryRun({
    query: {
      dataset: 'production',
      measures: ['avg_net_price'],
      filters: [{ field: 'effective_date', op: 'between', value: ['1990-01-01', '1990-01-02'] }],
    },
  })
  strictEqual(empty.totals.avg_net_price, null)
  console.log('query')

  const statuses = await catalog.catalogAppointmentStatusesList()
  const visits = await new AppointmentsApi(configuration).appointmentsList({ limit: 2 })
  const visit = visits.data[0]
  strictEqual(typeof statuses.data[0]?.enabled, 'boolean')
  ok(visit?.type && visit.type.durationMinutes > 0 && visit.status?.color && visit.branch?.name)
  console.log('parts')

  const { data: me } = await new IdentityApi(configuration).meGet()
  ok(me.scopes.includes('rooms:read'))
  const feed = await webhooks.eventsList({ limit: 1 })
  strictEqual(feed.data.at(-1)?.type, 'room.opened')
  console.log('additions')
}

void calls()
