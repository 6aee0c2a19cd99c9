// Leads: their capture, where a submission that matches an open one is answered with it; their list, and one by id.
import type { Finding } from '../input/findings.ts'
import { type About, type Format, formats } from '../input/formats.ts'
import { MAX } from '../limits.ts'
import { paging, period, updatedSince } from '../list-parameters.ts'
import { answersOne, answersPage, latestFirst, operation, reading } from '../operation.ts'
import { Lead, LeadDetailed, LeadRequest, leadSources, leadStatuses } from '../resources/lead.ts'
import { choice, strictObject, Type, text } from '../schema/schema.ts'

export const leadsCreate = operation({
  id: 'leads.create',
  method: 'POST',
  path: '/v1/leads',
  scope: 'leads:write',
  tag: 'Leads',
  summary: 'Capture a lead',
  description:
    '201: the lead was created. 200: it existed already, because the `external_id` was known or the phone or email matched an open lead. The submission is then added to the activity timeline of the existing lead, and that lead is returned.',
  body: LeadRequest,
  checkBody: (body, _, about) => checkContacts(body, about),
  untrustedText: false,
  // A lead is not a patient, even one with a patient's phone.
  patients: 'none',
  ...answersOne(Lead),
  status: 201,
  alsoStatus: 200,
  effect: 'once a key',
  problems: ['conflict', 'idempotency-key-reused'],
  example: { body: { first_name: 'Dana', phone: '052-765-4321', source: 'social', external_id: 'form-8841' } },
})

const read = reading({ scope: 'leads:read', tag: 'Leads', untrustedText: true, patients: 'none' })

export const leadsList = operation({
  ...read('leads.list', '/v1/leads'),
  summary: 'List leads',
  description:
    'Latest first. `has_been_contacted=false` with `status=new` finds the people whom the clinic has not called or written to yet.',
  query: strictObject({
    ...period('created_at'),
    status: Type.Optional(choice(leadStatuses, { description: 'Only leads that have come so far.' })),
    source: Type.Optional(choice(leadSources, { description: 'Only leads that came in this way.' })),
    phone: Type.Optional(
      text(MAX.phone, {
        minLength: 1,
        format: 'phone',
        description: 'Only leads with this phone, in any common form.',
      }),
    ),
    email: Type.Optional(
      text(MAX.email, { minLength: 1, description: 'Only leads with this whole email, in upper or lower case.' }),
    ),
    has_been_contacted: Type.Optional(
      Type.Boolean({
        description:
          "Only leads whom the clinic has called or written to by chat, or whose call it has answered, at the lead's phone since the lead came (`true`), or the others (`false`), also those without a phone.",
      }),
    ),
    ...updatedSince,
    ...paging,
  }),
  ...answersPage(LeadDetailed, latestFirst('created_at')),
  example: { query: { status: 'converted' } },
})

export const leadsGet = operation({
  ...read('leads.get', '/v1/leads/{id}'),
  summary: 'One lead',
  description: 'By id.',
  ids: { id: 'lead' },
  ...answersOne(LeadDetailed),
})

/** A lead is not lost because of one unreadable contact while the clinic can use the other one. */
function checkContacts(body: unknown, about: About): Finding[] {
  if (typeof body !== 'object' || body === null) return []
  const contacts = Object.entries(contactFormats).flatMap(([name, format]) => {
    const [text, form]: [unknown, Format | undefined] = [Reflect.get(body, name), formats[format]]
    return typeof text === 'string' && form ? [{ name, form, isGood: form.accepts(text, about) }] : []
  })
  if (contacts.some(({ isGood }) => isGood)) return []
  return contacts.map(({ name, form }) => ({ place: `/${name}`, code: 'format', detail: form.hint }))
}

const contactFormats = { phone: 'phone-with-extension', email: 'email' }
