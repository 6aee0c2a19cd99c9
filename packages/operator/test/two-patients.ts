// A clinic with two patients whose data is alike. Every text of the one has the mark of the one, and nothing else has it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient, type Row } from '@clinic-data/testing/grounds/rows'
import { ask, emptyClinic, keyOf, type TestService } from '@clinic-data/testing/run/test-service'

/** The mark of the one begins that of the other: an id is found whole or not at all. */
export const OWN = 'zq1'
export const OTHER = 'zq12'
/** What may be either's. */
export const DOUBTFUL = 'zqdoubtful'
/** The path of a webhook's address. */
export const SECRET = 'zqsecret'

const OWN_PHONE = '+972501111111'
const OTHER_PHONE = '+972502222222'
const SHARED_PHONE = '+972503333333'
const AT = '2026-03-01T08:00:00.000Z'
const TIMES = { created_at: AT, updated_at: AT }

interface Marked {
  readonly mark: string
  readonly phone: string
  /** Ids of messages are digits. */
  readonly digits: number
}

export interface TwoPatients {
  readonly clinic: Clinic
  readonly key: string
}

export async function twoPatients(service: TestService): Promise<TwoPatients> {
  const { owner } = service
  const clinic = await emptyClinic(owner)
  for (const table of ['branch', 'provider', 'appointment_type', 'patient_status', 'catalog_treatment'])
    await insert(owner, clinic, table, { id: 'one' })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  const key = await keyOf(owner, clinic, allScopes, null, 'Reader')
  const people = [
    { mark: OWN, phone: OWN_PHONE, digits: 1001 },
    { mark: OTHER, phone: OTHER_PHONE, digits: 2002 },
  ]
  for (const person of people) await fillPerson(owner, clinic, person)
  await fillBetween(owner, clinic)
  for (const { mark } of people) {
    const body = { amount: 350, method_type: 'cash', description: `${mark}-paid`, external_id: `${mark}-external` }
    await ask(service, key, `/v1/patients/${mark}/payments`, { method: 'POST', body })
    await ask(service, key, `/v1/patients/${mark}`)
  }
  return { clinic, key }
}

async function fillPerson(owner: Database, clinic: Clinic, { mark, phone, digits }: Marked): Promise<void> {
  const add = (table: string, row: Row) => insert(owner, clinic, table, row)
  const email = `${mark}-mail@example.com`
  const of = (name: string) => `${mark}-${name}`
  const address = { street: of('street'), city: of('city'), postal_code: of('postal'), country: 'IL' }
  const known = { phone: of('phone'), email: of('email'), gender: 'female', birth_date: '1988-03-14', status_id: 'one' }
  const named = { id: mark, first_name: of('first'), last_name: of('last'), id_number: of('number') }
  await insertPatient(owner, clinic, { ...named, ...address, ...known }, [phone, SHARED_PHONE])
  await add('patient_contact', {
    patient_id: mark,
    position: 7,
    type: 'email',
    value: email,
    value_normal: email,
    label: of('label'),
  })
  await add('appointment', { id: of('appointment'), patient_id: mark, branch_id: 'one', note: of('note'), start: AT })
  await add('appointment_provider', { appointment_id: of('appointment'), provider_id: 'one', start_sort: AT })
  await add('treatment_plan', { id: of('plan'), name: of('plan-name') })
  const treatment = { patient_id: mark, plan_id: of('plan'), catalog_treatment_id: 'one', price_minor: 100 }
  await add('treatment', { id: of('treatment'), appointment_id: of('appointment'), ...treatment })
  await add('treatment', { id: of('removed'), removed_at: AT, ...treatment })
  await add('treatment', { ...treatment, id: `mistaken-${digits}`, patient_id: null, removed_at: AT })
  for (const kind of ['recording', 'media']) {
    const content = Buffer.from(of(`${kind}-bytes`))
    await add('file', { id: of(kind), file_name: `${of(kind)}.wav`, size_bytes: content.length })
    await add('file_piece', { file_id: of(kind), position: 0, content })
  }
  await add('call', {
    id: of('call'),
    patient_phone: phone,
    patient_phone_local: of('local'),
    from_phone: phone,
    to_phone: '+97248123456',
    clinic_phone: '+97248123456',
    handled_by_name: 'Efrat',
    handled_by_id: 'agent',
    note: of('call-note'),
    recording_file_id: of('recording'),
    transcript_status: 'completed',
    transcript_language: of('language'),
    transcript_summary: of('summary'),
    transcript_segments: JSON.stringify([
      { speaker: 'patient', start_seconds: 0, end_seconds: 1, text: of('segment') },
    ]),
  })
  await add('chat_conversation', {
    id: of('conversation'),
    patient_phone: phone,
    patient_phone_local: of('chat-local'),
    clinic_phone: '+97248123456',
    display_name: of('display'),
    last_message_preview: of('preview'),
  })
  await add('chat_message', {
    id: `out_${digits}`,
    conversation_id: of('conversation'),
    direction: 'outbound',
    patient_phone: phone,
    patient_phone_local: of('message-local'),
    from_phone: '+97248123456',
    to_phone: phone,
    text: of('text'),
    type: 'image',
    status: 'failed',
    media_type: 'image/png',
    media_file_id: of('media'),
    template: of('template'),
    failure_reason: of('reason'),
  })
  await add('payment', { id: of('pay'), patient_id: mark })
  const issued = { payment_id: of('pay'), billing_account_id: 'main', type: 'receipt', number: digits, issued_at: AT }
  await add('payment_document', { id: of('document'), allocation_number: of('allocation'), ...issued })
  await fillLead(owner, clinic, mark, { phone, email })
  await addEvent(owner, clinic, digits, of('event'), 'patient.updated', { id: mark, note: of('event-data') })
}

async function fillLead(owner: Database, clinic: Clinic, mark: string, contact: { phone: string; email: string }) {
  const of = (name: string) => `${mark}-${name}`
  const attribution = JSON.stringify({ utm: of('utm') })
  const said = {
    source: 'website',
    attribution,
    meta: JSON.stringify({ told: of('meta') }),
    external_id: of('lead-ext'),
  }
  const reached = { phone: of('lead-phone'), phone_normal: contact.phone, email: of('lead-mail') }
  const dated = { ...TIMES, created_date: '2026-03-01' }
  const named = { id: of('lead'), first_name: of('first'), last_name: of('last') }
  await insert(owner, clinic, 'lead', { ...named, ...said, ...reached, email_folded: contact.email, ...dated })
  await insert(owner, clinic, 'lead_activity', {
    id: of('activity'),
    lead_id: of('lead'),
    kind: 'submission',
    note: of('activity-note'),
    external_id: of('activity-ext'),
    submission: JSON.stringify({ first_name: of('first'), note: of('submitted') }),
    created_at: AT,
  })
  // By the phone alone, in another name.
  const stranger = { first_name: DOUBTFUL, source: 'phone', phone: DOUBTFUL, phone_normal: contact.phone }
  await insert(owner, clinic, 'lead', { id: `${DOUBTFUL}-${mark.length}`, ...stranger, ...dated })
  await insert(owner, clinic, 'lead_activity', {
    id: `${DOUBTFUL}-of-${mark.length}`,
    lead_id: of('lead'),
    kind: 'submission',
    submission: JSON.stringify({ first_name: DOUBTFUL }),
    created_at: AT,
  })
}

/** What names both, or ties one to the other. */
async function fillBetween(owner: Database, clinic: Clinic): Promise<void> {
  const add = (table: string, row: Row) => insert(owner, clinic, table, row)
  const shared = { patient_phone: SHARED_PHONE, patient_phone_local: DOUBTFUL }
  await add('call', { id: `${DOUBTFUL}-call`, note: DOUBTFUL, ...shared })
  await add('chat_conversation', { id: `${DOUBTFUL}-conversation`, display_name: DOUBTFUL, ...shared })
  await add('chat_message', { id: 'in_3003', conversation_id: `${DOUBTFUL}-conversation`, text: DOUBTFUL, ...shared })
  await add('treatment', { id: `${OWN}-at-other`, patient_id: OWN, appointment_id: `${OTHER}-appointment` })
  const refund = { is_refund: true, method_type: 'cash', amount_minor: 10 }
  await add('payment', { id: `${OTHER}-refund`, patient_id: OTHER, refunded_payment_id: `${OWN}-pay`, ...refund })
  await add('payment', { id: `${OWN}-refund`, patient_id: OWN, refunded_payment_id: `${OTHER}-pay`, ...refund })
  const both = [{ id: OWN }, { id: OTHER, first_name: `${OTHER}-named` }]
  const data = { id: `${DOUBTFUL}-call`, note: DOUBTFUL, patients: both }
  await addEvent(owner, clinic, 3003, `${DOUBTFUL}-event`, 'call.completed', data)
  // At that time the phone was not shared.
  const alone = { id: `${DOUBTFUL}-call`, note: DOUBTFUL, patients: [{ id: OWN }] }
  await addEvent(owner, clinic, 3004, `${DOUBTFUL}-earlier`, 'call.completed', alone)
  const refunds = [{ id: `${OTHER}-refund`, amount: 1, paid_at: null }]
  const given = { id: `${OWN}-pay`, patient: { id: OWN }, refunded_payment_id: null, refunds }
  await addEvent(owner, clinic, 3005, `${OWN}-refunded`, 'payment.cancelled', given)
  // The first patient's id stands in the event, and names somebody else's row.
  const visit = { id: `${OTHER}-visit`, patient: { id: OTHER }, provider: { id: OWN } }
  await addEvent(owner, clinic, 3006, `${OTHER}-visited`, 'appointment.updated', visit)
  await add('integration', { id: 'int_crm', name: 'Harbor CRM', created_at: AT })
  const url = `https://crm.example.com/${SECRET}`
  await add('subscription', { id: 'wh_crm', url, secret: randomBytes(24), integration_id: 'int_crm' })
}

async function addEvent(owner: Database, clinic: Clinic, position: number, id: string, type: string, data: object) {
  const body = JSON.stringify({ id, type, created_at: AT, data })
  await insert(owner, clinic, 'event', { id, position, type, body, created_at: AT })
}

/**
 * Pays for the one, and corrects the payment to the other as the clinic's systems report it. The page of its document names the one by the
 * name alone. @returns the document's id
 */
export async function correctPayment(service: TestService, { clinic, key }: TwoPatients): Promise<string> {
  const { owner, database: app } = service
  await owner.query(sql`update patient set id_number = null where clinic_id = ${clinic.clinic_id} and id = ${OWN}`)
  const body = { amount: 70, method_type: 'cash' }
  const { json } = await ask(service, key, `/v1/patients/${OWN}/payments`, { method: 'POST', body })
  const { id, currency, documents } = json.data
  const send = await ingestOf({ owner, app }, clinic)
  const { status } = await send('/payments', { ...body, id, currency, patient_id: OTHER, billing_account_id: 'main' })
  assert.equal(status, 200)
  return documents[0].id
}

/** The first patient's payments again, as one that was corrected from the second: its document names the second. */
export async function movePayment(service: TestService, { clinic, key }: TwoPatients): Promise<string> {
  const body = { amount: 90, method_type: 'cash' }
  const { json } = await ask(service, key, `/v1/patients/${OTHER}/payments`, { method: 'POST', body })
  const { clinic_id } = clinic
  await service.owner.query(
    sql`update payment set patient_id = ${OWN} where clinic_id = ${clinic_id} and id = ${json.data.id}`,
  )
  return json.data.documents[0].id
}
