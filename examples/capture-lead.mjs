// Captures a lead from a form. The form's own submission id makes it safe to send again: it stays one lead.
//
//   node capture-lead.mjs submission-17 Dana 052-765-4321
import { ClinicDataClient, InvalidRequestError } from '@clinic-data/client'

const { SC_API_KEY: apiKey, SC_BASE_URL: baseUrl } = process.env
const client = new ClinicDataClient({ apiKey, baseUrl })
const [external_id = '', first_name = '', phone = ''] = process.argv.slice(2)

try {
  const body = { first_name, phone, source: 'website', external_id, attribution: { utm_source: 'newsletter' } }
  const { status, body: lead } = await client.request('leads.create', { body })
  console.log(status === 201 ? 'new' : 'known already', lead.data.id, lead.data.status)
} catch (error) {
  if (!(error instanceof InvalidRequestError)) throw error
  for (const fault of error.problem.errors ?? []) console.error('pointer' in fault ? fault.pointer : '', fault.detail)
  process.exitCode = 2
}
