// Lead capture. Leads cannot be listed; a submission that matches an open one is answered with it.
import type { Finding } from '../input/findings.ts'
import { type About, type Format, formats } from '../input/formats.ts'
import { answersOne, operation } from '../operation.ts'
import { Lead, LeadRequest } from '../resources/lead.ts'

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
