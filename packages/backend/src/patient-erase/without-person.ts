// Resources without the person: what an event or a kept answer still holds of a patient who was erased. Whatever a resource gains has to be
// decided here, or it does not compile.
import type { EventTypeRecord } from '@clinic-data/contract/event-types'
import type { Appointment } from '@clinic-data/contract/resources/appointment'
import type { Call } from '@clinic-data/contract/resources/call'
import type { ChatMessage } from '@clinic-data/contract/resources/chat'
import type { Lead } from '@clinic-data/contract/resources/lead'
import type { Patient } from '@clinic-data/contract/resources/patient'
import type { Payment } from '@clinic-data/contract/resources/payment'
import type { Treatment } from '@clinic-data/contract/resources/treatment'
import type { Static } from '@clinic-data/contract/schema'
import { NO_NAME } from '@clinic-data/records/storing/erased-records'

interface Resources {
  Patient: Static<typeof Patient>
  Appointment: Static<typeof Appointment>
  Treatment: Static<typeof Treatment>
  Payment: Static<typeof Payment>
  Call: Static<typeof Call>
  ChatMessage: Static<typeof ChatMessage>
  Lead: Static<typeof Lead>
}

export type ErasedResource = keyof Resources & (EventTypeRecord['resource'] | 'Lead')

type Summary = { id: string; first_name: string | null; last_name: string | null }

const nameless = ({ id }: Summary): Summary => ({ id, first_name: null, last_name: null })
const namelessOrNull = (patient: Summary | null) => (patient === null ? null : nameless(patient))

/** The keys of an attribution by which analytics counts leads: they name campaigns, and nobody. */
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign', 'campaign_name']

export function campaignOf(attribution: Resources['Lead']['attribution']): Resources['Lead']['attribution'] {
  const kept = Object.entries(attribution ?? {}).filter(([key]) => CAMPAIGN.includes(key))
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** The side of the clinic stays. */
const sidesOf = ({ direction, from_phone, to_phone }: Resources['Call'] | Resources['ChatMessage']) =>
  direction === 'inbound' ? { from_phone: null, to_phone } : { from_phone, to_phone: null }

const blanks: { readonly [R in ErasedResource]: (resource: Resources[R]) => Resources[R] } = {
  Patient: ({ id, created_at, updated_at }) => ({
    id,
    first_name: null,
    last_name: null,
    phone: null,
    email: null,
    gender: null,
    birth_date: null,
    status: null,
    created_at,
    updated_at,
  }),
  Appointment: ({ id, patient, branch, type, status, providers, start, end, created_at, updated_at }) => ({
    id,
    patient: namelessOrNull(patient),
    branch,
    type,
    status,
    providers,
    start,
    end,
    created_at,
    updated_at,
  }),
  Treatment: (resource) => ({
    id: resource.id,
    patient: namelessOrNull(resource.patient),
    treatment: resource.treatment,
    provider: resource.provider,
    appointment: resource.appointment,
    plan: resource.plan === null ? null : { id: resource.plan?.id, name: NO_NAME },
    quantity: resource.quantity,
    price: resource.price,
    performed_at: resource.performed_at,
    created_at: resource.created_at,
    updated_at: resource.updated_at,
  }),
  Payment: (resource) => ({
    id: resource.id,
    patient: namelessOrNull(resource.patient),
    billing_account: resource.billing_account,
    amount: resource.amount,
    currency: resource.currency,
    method_type: resource.method_type,
    is_refund: resource.is_refund,
    refunded_payment_id: resource.refunded_payment_id,
    status: resource.status,
    refunds: resource.refunds,
    description: null,
    documents: resource.documents,
    external_id: null,
    paid_at: resource.paid_at,
    created_at: resource.created_at,
    updated_at: resource.updated_at,
  }),
  Call: (resource) => ({
    id: resource.id,
    direction: resource.direction,
    status: resource.status,
    ...sidesOf(resource),
    patient_phone: null,
    clinic_phone: resource.clinic_phone,
    patients: [],
    handled_by: resource.handled_by,
    branch: resource.branch,
    started_at: resource.started_at,
    answered_at: resource.answered_at,
    ended_at: resource.ended_at,
    duration_seconds: resource.duration_seconds,
    ring_seconds: resource.ring_seconds,
    note: null,
    recording: { available: false, duration_seconds: null },
    transcript: { status: null, language: null, summary: null, segments: null },
    created_at: resource.created_at,
    updated_at: resource.updated_at,
  }),
  ChatMessage: (resource) => ({
    id: resource.id,
    conversation_id: null,
    direction: resource.direction,
    type: resource.type,
    status: resource.status,
    ...sidesOf(resource),
    patient_phone: null,
    text: null,
    media: { available: false, type: null },
    patients: [],
    template: resource.template,
    replied_to_id: resource.replied_to_id,
    failure_reason: null,
    timestamps: resource.timestamps,
    created_at: resource.created_at,
    updated_at: resource.updated_at,
  }),
  Lead: ({ id, source, status, attribution, created_at }) => ({
    id,
    first_name: NO_NAME,
    last_name: null,
    phone: null,
    email: null,
    source,
    status,
    attribution: campaignOf(attribution),
    created_at,
  }),
}

/** The resource in its contract's form, without the person. A field that an earlier version did not store stays missing. */
export function withoutPerson<R extends ErasedResource>(kind: R, resource: unknown): object {
  const blank: (resource: Resources[R]) => Resources[R] = blanks[kind]
  return blank(resource as Resources[R])
}

/** A call or a message that may be another patient's keeps its content, and no longer this one's name. */
export function withoutName(resource: object, patient_id: string): object {
  if (!('patients' in resource) || !Array.isArray(resource.patients)) return resource
  const patients = resource.patients.map((one: Summary) => (one?.id === patient_id ? nameless(one) : one))
  return { ...resource, patients }
}

/** A treatment of another patient in one of these plans keeps all but the plan's name. */
export function withoutPlan<R extends { readonly plan?: { readonly id: string } | null }>(
  resource: R,
  plans: readonly string[],
): R {
  const { plan } = resource
  return plan && plans.includes(plan.id) ? { ...resource, plan: { id: plan.id, name: NO_NAME } } : resource
}
