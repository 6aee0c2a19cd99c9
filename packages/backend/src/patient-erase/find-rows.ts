// Finds the rows of one person that an erasure changes, by the rules of their export, and counts what may be another person's.
import { isDeepStrictEqual } from 'node:util'
import { type Statement, sql } from '@clinic-data/database'
import { contactsOf, partsOf, withContact } from '@clinic-data/records/persons/whose'
import { isErased, NO_NAME } from '@clinic-data/records/storing/erased-records'
import { withPhone } from '../patient-export/conversations.ts'
import { documentsInTheirName, documentsOfOthers, type IssuedDocument } from '../patient-export/documents.ts'
import { type Activity, isTheirActivity, isTheirLead } from '../patient-export/leads.ts'
import type { Doubt } from '../patient-export/left-out.ts'
import { LeftOut } from '../patient-export/left-out.ts'
import { idsWhere } from '../patient-export/own-rows.ts'
import { type Person, phonesOf } from '../patient-export/person.ts'
import type { Reader } from '../patient-export/reader.ts'
import { erasedAt, hasComeBack, heldAmong } from './come-back.ts'
import { findAnswers, findEvents, type KeptAnswer, plansInEvents, type StoredEvent } from './find-copies.ts'
import { isFilled } from './personal-columns.ts'
import { campaignOf } from './without-person.ts'

export interface FoundRows {
  /** When the patient was erased last, in UTC. Null: never. Then only what has come back is found. */
  readonly erasedBefore: string | null
  /** Whether something is stored of the patient, or nobody has erased them. */
  readonly isHeld: boolean
  /** Appointments that have a note, and calls that have one: their change is an event. */
  readonly notedAppointments: readonly string[]
  readonly notedCalls: readonly string[]
  readonly payments: readonly string[]
  /** With their content in place of the one that names the person. Null: it was issued elsewhere. */
  readonly documents: readonly { readonly id: string; readonly content: string | null }[]
  readonly plans: readonly string[]
  readonly calls: readonly string[]
  readonly conversations: readonly string[]
  readonly messages: readonly string[]
  readonly leads: readonly { readonly id: string; readonly attribution: string | null }[]
  readonly activities: readonly string[]
  readonly files: readonly string[]
  readonly events: readonly StoredEvent[]
  readonly answers: readonly KeptAnswer[]
  /** Messages to the person that are being sent. */
  readonly waiting: number
  /** May be another person's, and stays. */
  readonly doubtful: Readonly<Partial<Record<Doubt, number>>>
}

/** @param reader of the transaction that goes on to change the rows, or of a database for a look. */
export async function findRows(reader: Reader, person: Person): Promise<FoundRows> {
  const { clinic, patient_id, withDoubtful } = person
  const leftOut = new LeftOut()
  const where = async (table: string, owned: ReturnType<typeof sql>) => [
    ...(await idsWhere(reader, person, table, owned)),
  ]
  const erasedBefore = await erasedAt(reader, clinic, patient_id)
  const isHeld = erasedBefore === null || (await heldAmong(reader, clinic, [patient_id])).size > 0
  const back = (kind: Parameters<typeof hasComeBack>[1]) =>
    erasedBefore === null ? sql`false` : hasComeBack(clinic, kind)
  const theirs = withPhone(phonesOf(person))
  const calls = await where('call', sql`(${theirs} or ${back('call')})`)
  const conversations = await where('chat_conversation', sql`(${theirs} or ${back('chat_conversation')})`)
  // A message has the phone of its conversation.
  const messages = await where(
    'chat_message',
    sql`(${theirs} or own.conversation_id = any(${conversations}::text[]) or ${back('chat_message')})`,
  )
  if (!withDoubtful) {
    const shared = withPhone(contactsOf(person, 'phone', 'shared'))
    for (const [doubt, table] of SHARED) leftOut.add(doubt, (await where(table, shared)).length)
  }
  const { leads, activities } = await findLeads(reader, person, back('lead'), leftOut)
  const documents = await findDocuments(reader, person, leftOut)
  const records = { Call: calls, ChatMessage: messages, Lead: leads.map(({ id }) => id) }
  const noted = (table: string, ids: readonly string[]) =>
    where(table, sql`own.id = any(${ids}::text[]) and own.note is not null`)
  const files = await findFiles(reader, person, { calls, messages, documents: documents.map(({ id }) => id) })
  const plans = await where('treatment_plan', ownPlan(person, await plansInEvents(reader, person)))
  return {
    erasedBefore,
    isHeld,
    notedAppointments: await noted('appointment', [...person.appointments]),
    notedCalls: await noted('call', calls),
    payments: await where('payment', sql`own.patient_id = ${patient_id} and ${isFilled('payment', 'own')}`),
    documents,
    plans,
    calls,
    conversations,
    messages,
    leads,
    activities,
    files,
    events: await findEvents(reader, person, records, plans, erasedBefore !== null, leftOut),
    answers: await findAnswers(reader, person, records),
    waiting: await waitingTo(reader, person, messages),
    doubtful: leftOut.counts,
  }
}

const SHARED = [
  ['calls', 'call'],
  ['chat_conversations', 'chat_conversation'],
  ['chat_messages', 'chat_message'],
] as const

/**
 * A plan is of this person alone when no treatment of another patient who is not erased is part of it, but for removed ones. Its name is free
 * text. It may have lost their treatments: then their events tell.
 */
function ownPlan({ clinic, patient_id }: Person, fromEvents: readonly string[]) {
  const treatments = (
    whose: ReturnType<typeof sql>,
  ) => sql`exists (select from treatment where clinic_id = ${clinic.clinic_id}
    and plan_id = own.id and ${whose})`
  return sql`own.name <> ${NO_NAME} and (own.id = any(${fromEvents}::text[]) or ${treatments(sql`patient_id = ${patient_id}`)}) and not ${treatments(sql`removed_at is null and patient_id is distinct from ${patient_id} and not ${isErased(clinic, 'patient', sql`treatment.patient_id`)}`)}`
}

async function findLeads(reader: Reader, person: Person, hasComeBack: Statement, leftOut: LeftOut) {
  const { clinic, withDoubtful } = person
  const { clinic_id } = clinic
  interface Held {
    id: string
    first_name: string
    last_name: string | null
    attribution: Record<string, string> | null
    is_alone: boolean
    has_come_back: boolean
  }
  const held = await reader.read<Held>(
    clinic,
    sql`select own.id, own.first_name, own.last_name, own.attribution, ${withContact(person, sql`own`, 'theirs')} as is_alone,
        ${hasComeBack} as has_come_back
      from lead own where own.clinic_id = ${clinic_id} and (${withContact(person, sql`own`, 'either')} or ${hasComeBack}) order by own.id`,
  )
  const leads = held.filter((lead) => withDoubtful || lead.has_come_back || isTheirLead(person, lead))
  leftOut.add('leads', held.length - leads.length)
  const timeline = await reader.read<Pick<Activity, 'id' | 'lead_id' | 'submission'>>(
    clinic,
    sql`select id, lead_id, submission from lead_activity where clinic_id = ${clinic_id}
      and lead_id = any(${leads.map(({ id }) => id)}::text[]) order by id`,
  )
  // An erased patient has no name. A lead of theirs that has come back has it.
  const names = new Map(
    leads.map(({ id, first_name, last_name, has_come_back }) => [
      id,
      has_come_back ? partsOf(first_name, last_name) : person.name,
    ]),
  )
  const isTheirs = (activity: Pick<Activity, 'lead_id' | 'submission'>) =>
    isTheirActivity({ ...person, name: names.get(activity.lead_id) ?? person.name }, activity)
  const activities = timeline.filter((activity) => withDoubtful || isTheirs(activity))
  leftOut.add('lead_activities', timeline.length - activities.length)
  return {
    leads: leads.map(({ id, attribution }) => {
      const campaign = campaignOf(attribution)
      return { id, attribution: campaign === null ? null : JSON.stringify(campaign) }
    }),
    activities: activities.map(({ id }) => id),
  }
}

const NOBODY = { customer: { name: '', id_number: null }, description: null }

/** A page that was printed again from a document without a customer names nobody. */
function namesSomebody({ content, file_id }: IssuedDocument): boolean {
  if (content === null) return file_id !== null
  const { customer, description } = content
  return !isDeepStrictEqual({ customer, description }, NOBODY)
}

/** The number, the date and the amount of a document stay, as the law asks. */
async function findDocuments(reader: Reader, person: Person, leftOut: LeftOut) {
  const { clinic, withDoubtful } = person
  const payments = [...person.payments]
  const issued = await reader.read<IssuedDocument>(
    clinic,
    sql`select id, content, file_id from payment_document
      where clinic_id = ${clinic.clinic_id} and payment_id = any(${payments}::text[]) order by id`,
  )
  const inTheirName = await documentsInTheirName(
    reader,
    person,
    payments.map((id) => ({ id })),
  )
  const own = issued.map((document) => ({ ...document, isTheirs: inTheirName.has(document.id) }))
  const naming = [...own, ...(await documentsOfOthers(reader, person))].filter(namesSomebody)
  const theirs = naming.filter(({ isTheirs }) => withDoubtful || isTheirs)
  leftOut.add('documents', naming.length - theirs.length)
  return theirs.map(({ id, content }) => {
    const anonymous = { ...content, ...NOBODY }
    return { id, content: content === null ? null : JSON.stringify(anonymous) }
  })
}

async function findFiles(
  reader: Reader,
  { clinic }: Person,
  { calls, messages, documents }: Record<'calls' | 'messages' | 'documents', readonly string[]>,
): Promise<string[]> {
  const { clinic_id } = clinic
  const rows = await reader.read<{ file_id: string }>(
    clinic,
    sql`select recording_file_id as file_id from call
        where clinic_id = ${clinic_id} and id = any(${calls}::text[]) and recording_file_id is not null
      union select media_file_id from chat_message
        where clinic_id = ${clinic_id} and id = any(${messages}::text[]) and media_file_id is not null
      union select file_id from payment_document
        where clinic_id = ${clinic_id} and id = any(${documents}::text[]) and file_id is not null`,
  )
  return rows.map(({ file_id }) => file_id)
}

async function waitingTo(reader: Reader, { clinic }: Person, messages: readonly string[]): Promise<number> {
  const rows = await reader.read(
    clinic,
    sql`select from chat_send where clinic_id = ${clinic.clinic_id} and message_id = any(${messages}::text[])`,
  )
  return rows.length
}

/** Whether an erasure would change nothing. */
export function isNothing({ isHeld, erasedBefore, waiting, doubtful, ...rows }: FoundRows): boolean {
  return !isHeld && Object.values(rows).every(({ length }) => length === 0)
}
