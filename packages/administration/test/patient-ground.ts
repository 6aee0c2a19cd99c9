// Patients of a test's clinic, and what owners may ask about them, as a whole service answers it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Database, openDatabase } from '@clinic-data/database'
import { patientRights } from '@clinic-data/server/private/patient-rights'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'

const PHONE = '+972501111111'
const SHARED = '+972503333333'

/** @param ownerUrl the owner's, as the service has it. */
export async function rightsOver(owner: Database, ownerUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'patient-rights-'))
  after(() => rm(dataDir, { recursive: true }))
  const openOwner = () => openDatabase({ url: ownerUrl, readConnections: 1, writeConnections: 1 })
  return { dataDir, patientRights: patientRights({ openOwner, asOwner: (work) => work(owner), dataDir }) }
}

/** With a visit, a payment, a call of their own, and a call of a phone that another patient has too. */
export async function storePatient(owner: Database, clinic: Clinic, id: string): Promise<void> {
  await insertPatient(owner, clinic, { id, first_name: 'Rivka', last_name: 'Mizrahi', phone: PHONE }, [PHONE, SHARED])
  await insertPatient(owner, clinic, { id: `${id}_other`, first_name: 'Avi', last_name: 'Azulay' }, [SHARED])
  await insert(owner, clinic, 'branch', { id: `${id}_branch` })
  await insert(owner, clinic, 'appointment', {
    id: `${id}_visit`,
    patient_id: id,
    branch_id: `${id}_branch`,
    note: 'Afraid',
  })
  await insert(owner, clinic, 'payment', { id: `${id}_paid`, patient_id: id, description: 'Crown' })
  await insert(owner, clinic, 'call', { id: `${id}_call`, patient_phone: PHONE, note: 'Rang about pain' })
  await insert(owner, clinic, 'call', { id: `${id}_shared`, patient_phone: SHARED, note: 'Whose' })
}

/** Everything else that may be held of the patient. */
export async function storeRest(owner: Database, clinic: Clinic, id: string): Promise<void> {
  const at = '2026-03-01T08:00:00.000Z'
  const times = { created_at: at, updated_at: at }
  await insert(owner, clinic, 'treatment_plan', { id: `${id}_plan` })
  await insert(owner, clinic, 'catalog_treatment', { id: `${id}_cleaning` })
  const planned = { patient_id: id, plan_id: `${id}_plan`, catalog_treatment_id: `${id}_cleaning`, price_minor: 100 }
  await insert(owner, clinic, 'treatment', { id: `${id}_treatment`, appointment_id: `${id}_visit`, ...planned })
  await insert(owner, clinic, 'billing_account', { id: `${id}_business` })
  const issued = {
    payment_id: `${id}_paid`,
    billing_account_id: `${id}_business`,
    type: 'receipt',
    number: 1,
    issued_at: at,
  }
  const content = JSON.stringify({ customer: { name: 'Rivka Mizrahi', id_number: null }, description: 'Crown' })
  await insert(owner, clinic, 'payment_document', { id: `${id}_receipt`, content, ...issued })
  await insert(owner, clinic, 'file', { id: `${id}_sound` })
  await insert(owner, clinic, 'file_piece', { file_id: `${id}_sound`, position: 0, content: Buffer.from('wav') })
  await insert(owner, clinic, 'call', { id: `${id}_recorded`, patient_phone: PHONE, recording_file_id: `${id}_sound` })
  await insert(owner, clinic, 'chat_conversation', { id: `${id}_chat`, patient_phone: PHONE })
  await insert(owner, clinic, 'chat_message', {
    id: 'in_1',
    conversation_id: `${id}_chat`,
    patient_phone: PHONE,
    text: 'Hello',
  })
  const lead = { first_name: 'Rivka', source: 'website', phone: PHONE, phone_normal: PHONE, created_date: '2026-03-01' }
  await insert(owner, clinic, 'lead', { id: `${id}_lead`, ...lead, ...times })
  await insert(owner, clinic, 'lead_activity', {
    id: `${id}_asked`,
    lead_id: `${id}_lead`,
    kind: 'note',
    created_at: at,
  })
  const body = JSON.stringify({ id: `${id}_event`, type: 'patient.updated', created_at: at, data: { id, ...times } })
  await insert(owner, clinic, 'event', {
    id: `${id}_event`,
    position: 1,
    type: 'patient.updated',
    body,
    created_at: at,
  })
  const kept = { scope: 'POST /v1/patients', key: 'one', request_hash: '0'.repeat(64), created_at: at }
  const answer = JSON.stringify({ id: `${id}_lead`, ...lead, attribution: null, ...times })
  await insert(owner, clinic, 'idempotency', { ...kept, answer })
}
