// Lead capture. Leads cannot be read back.
import { one, operation } from '../operation.ts'
import { Lead, LeadRequest } from '../resources/lead.ts'

export const leadsCreate = operation({
  id: 'leads.create',
  method: 'POST',
  path: '/v1/leads',
  scope: 'leads:write',
  tag: 'Leads',
  summary: 'Capture a lead',
  description:
    '201: the lead was created. 200: it existed already, by `external_id` or because the phone or email matched an open lead; the submission then joins the activity timeline of that lead, which is returned.',
  body: LeadRequest,
  shape: 'one',
  output: one(Lead),
  status: 201,
  alsoStatus: 200,
  idempotent: true,
  problems: ['conflict', 'idempotency-key-reused'],
  example: { body: { first_name: 'Dana', phone: '052-765-4321', source: 'social', external_id: 'form-8841' } },
})
