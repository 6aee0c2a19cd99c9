// The rows that the documentation's examples name, made of these examples: a sample that is pasted answers what it shows.
//
// They are one story: Noa Levi calls, comes for a cleaning, pays and writes. Its dates move with the reader's week
// (`datedNear`), and lie in the week before the demo's first start (docs/decisions/0042).

import { exampleNear } from '@clinic-data/contract/example-dates'
import { exampleIds } from '@clinic-data/contract/operation'
import { AppointmentDetailed } from '@clinic-data/contract/resources/appointment'
import { Call } from '@clinic-data/contract/resources/call'
import { ChatConversation, ChatMessage } from '@clinic-data/contract/resources/chat'
import { LeadDetailed } from '@clinic-data/contract/resources/lead'
import { PatientDetailed } from '@clinic-data/contract/resources/patient'
import { Payment } from '@clinic-data/contract/resources/payment'
import { Treatment } from '@clinic-data/contract/resources/treatment'
import { exampleOf } from '@clinic-data/contract/schema'
import { AppointmentRecord } from '@clinic-data/records/appointments'
import { CallRecord } from '@clinic-data/records/calls'
import { ChatConversationRecord, ChatMessageRecord } from '@clinic-data/records/chat'
import { LeadRecord } from '@clinic-data/records/leads'
import type { PatientRecord } from '@clinic-data/records/patients'
import { complete } from '@clinic-data/records/storing/complete-record'
import type { ClinicPlan } from '../clinic-plan.ts'
import { dayNumber, instantText } from '../local-days.ts'
import { PICTURE, RECORDINGS } from '../media.ts'

/** The number of the examples' patient. A smaller clinic has none of the examples. */
export const EXAMPLE_PATIENT = 41

/** The id of the picture message, which the sample for media names. */
export const EXAMPLE_PICTURE_MESSAGE = 'in_88120'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

export function hasExamples({ patients }: Pick<ClinicPlan, 'patients'>): boolean {
  return patients > EXAMPLE_PATIENT
}

/** The examples say this of the patient; the rest is drawn as for everybody. */
export function examplePatient(): Omit<PatientRecord, 'id' | 'contacts' | 'created_at' | 'updated_at'> {
  const { first_name, last_name, phone, email, gender, birth_date, status, address, id_number } =
    exampleOf(PatientDetailed)
  return {
    first_name,
    last_name,
    phone,
    email,
    gender,
    birth_date,
    status_id: status?.id ?? null,
    address: address ?? null,
    id_number: id_number ?? null,
  }
}

export function examplePhone(): string {
  return exampleOf(PatientDetailed).phone ?? ''
}

/** The visit, its treatment and its payment. The generator fits them into its calendar and numbers the payment's document. */
export interface ExampleVisit {
  day: number
  /** In minutes of the local day. */
  from: number
  to: number
  id: string
  type_id: string
  note: string | null
  treatment: { id: string; catalog_treatment_id: string; price: number }
  payment: { id: string; method_type: 'credit_card'; description: string | null; afterMs: number }
}

/** @param isOff whether the visit's provider has that day off. Then the visit was a week earlier. */
export function exampleVisit(plan: ClinicPlan, isOff: (day: number) => boolean): ExampleVisit | null {
  if (!hasExamples(plan)) return null
  const now = new Date(plan.now)
  const { id, start, end, type, note } = exampleNear(exampleOf(AppointmentDetailed), now)
  let day = dayNumber(String(start).slice(0, 10))
  while (isOff(day)) day -= 7
  const { id: treatmentId, treatment, price } = exampleOf(Treatment)
  const { id: paymentId, description, paid_at } = exampleNear(exampleOf(Payment), now)
  return {
    day,
    id,
    from: minuteOf(start),
    to: minuteOf(end),
    type_id: type?.id ?? '',
    note: note ?? null,
    treatment: { id: treatmentId, catalog_treatment_id: treatment?.id ?? '', price: price ?? 0 },
    payment: {
      id: paymentId,
      method_type: 'credit_card',
      description,
      afterMs: Date.parse(paid_at ?? '') - Date.parse(end ?? ''),
    },
  }
}

function minuteOf(instant: string | null): number {
  const [hours, minutes] = String(instant).slice(11, 16).split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

/** Her next visit, still without a provider: booking it fires an event at the first start. */
export function exampleBooking(now: Date): AppointmentRecord {
  const { start, end, type, branch, patient } = exampleNear(exampleOf(AppointmentDetailed), now)
  const later = (instant: string | null) => instantText(Date.parse(instant ?? '') + 14 * DAY_MS)
  return complete(AppointmentRecord, {
    id: 'a88013',
    patient_id: patient?.id ?? null,
    branch_id: branch?.id ?? null,
    type_id: type?.id ?? null,
    status_id: 'booked',
    provider_ids: [],
    start: later(start),
    end: later(end),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  })
}

export function exampleCall(plan: ClinicPlan): CallRecord {
  const { branch, transcript, ...call } = exampleNear(exampleOf(Call), new Date(plan.now))
  const { id, direction, status, from_phone, to_phone, handled_by, started_at, answered_at, ended_at } = call
  const { duration_seconds, ring_seconds } = call
  const sound = RECORDINGS.at(-1)
  return complete(CallRecord, {
    id,
    direction,
    status,
    from_phone,
    to_phone,
    handled_by,
    started_at,
    answered_at,
    ended_at,
    duration_seconds,
    ring_seconds,
    created_at: call.created_at ?? '',
    updated_at: call.updated_at ?? '',
    branch_id: branch?.id ?? null,
    is_recorded: true,
    recording_file_id: sound?.file_id ?? null,
    recording_seconds: sound?.seconds ?? null,
    transcript_status: transcript.status,
    transcript_language: transcript.language,
    transcript_summary: transcript.summary,
    transcript_segments: transcript.segments,
  })
}

/** Somebody who has asked meanwhile. A submission that is pasted from the examples makes a new lead, for this one is converted. */
export function exampleLead(plan: ClinicPlan): LeadRecord {
  const {
    external_id: _,
    note: __,
    created_at,
    updated_at,
    ...lead
  } = exampleNear(exampleOf(LeadDetailed), new Date(plan.now))
  return complete(LeadRecord, { ...lead, created_at: created_at ?? '', updated_at: updated_at ?? '' })
}

/** She has just sent a picture, so free text can be sent to her for a day, and the clinic has answered. */
export function exampleChat(plan: ClinicPlan): { conversation: ChatConversationRecord; messages: ChatMessageRecord[] } {
  const { display_name, clinic_phone } = exampleOf(ChatConversation)
  const answer = exampleOf(ChatMessage)
  const phone = answer.to_phone ?? ''
  const base = plan.now - (plan.now % 1000)
  const [asked_at, answered_at] = [instantText(base - 90 * MINUTE_MS), instantText(base - 60 * MINUTE_MS)]
  const reached = instantText(base - 60 * MINUTE_MS + 2_000)
  const conversation_id = exampleIds.conversation
  const picture = complete(ChatMessageRecord, {
    id: EXAMPLE_PICTURE_MESSAGE,
    conversation_id,
    direction: 'inbound',
    type: 'image',
    text: 'Is this normal?',
    from_phone: phone,
    to_phone: clinic_phone,
    created_at: asked_at,
    updated_at: asked_at,
    media: { type: PICTURE.content_type, file_id: PICTURE.file_id },
  })
  const reply = complete(ChatMessageRecord, {
    id: answer.id,
    conversation_id,
    direction: 'outbound',
    type: 'text',
    text: answer.text,
    from_phone: clinic_phone,
    to_phone: phone,
    created_at: answered_at,
    updated_at: reached,
    sent_at: reached,
    delivered_at: reached,
  })
  const conversation = complete(ChatConversationRecord, {
    id: conversation_id,
    display_name,
    patient_phone: phone,
    clinic_phone,
    is_handled: false,
    last_message_preview: answer.text,
    last_activity_at: answered_at,
    last_inbound_at: asked_at,
    last_outbound_at: answered_at,
    created_at: asked_at,
    updated_at: answered_at,
    free_text_window_expires_at: instantText(Date.parse(asked_at) + DAY_MS),
  })
  return { conversation, messages: [picture, reply] }
}
