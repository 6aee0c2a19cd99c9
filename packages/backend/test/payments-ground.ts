// The base of the tests of payments: a clinic with payments, their changes, events and balances.
import assert from 'node:assert/strict'
import { cancelPayments, changePayments } from '@clinic-data/changes/payments'
import { type Refund, refundPayments } from '@clinic-data/changes/refunds'
import { RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import type { PatientDetailed } from '@clinic-data/contract/resources/patient'
import type { Static } from '@clinic-data/contract/schema'
import { sql } from '@clinic-data/database'
import { PaymentRecord } from '@clinic-data/records/payments'
import { complete } from '@clinic-data/records/storing/complete-record'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

export const { owner, app } = await testDatabase()
export const now = () => new Date('2026-07-12T06:30:00.700Z')
export const parts = { database: app, now }
export const backend = createBackend({ ...parts, log: failingLog })

export async function payingClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  return clinic
}

export const record = (fields: Partial<PaymentRecord> & { id: string }): PaymentRecord =>
  complete(PaymentRecord, {
    patient_id: 'p1',
    billing_account_id: 'main',
    amount: 100,
    currency: 'ILS',
    method_type: 'cash',
    is_refund: false,
    status: 'recorded',
    paid_at: '2026-07-01T08:00:00Z',
    created_at: '2026-07-01T08:00:00Z',
    updated_at: '2026-07-01T08:00:00Z',
    ...fields,
  })

export const change = (clinic: Clinic, ...records: PaymentRecord[]) =>
  writeChanges(parts, clinic, (tx) => changePayments(tx, clinic, records))

export const cancel = (clinic: Clinic, ...ids: string[]) =>
  writeChanges(parts, clinic, (tx, at) => cancelPayments(tx, clinic, ids, at))

export const refund = (clinic: Clinic, ...refunds: Refund[]) =>
  writeChanges(parts, clinic, (tx, at) => refundPayments(tx, clinic, refunds, at))

/** Through the public API: it carries a receipt that was issued here. */
export const pay = async (clinic: Clinic, amount: number) =>
  (await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body: { amount, method_type: 'check' } })).data

export const get = async (clinic: Clinic, id: string) =>
  (await ask(backend, clinic, 'payments.get', { params: { id } })).data

/** Type and payment of each event after a position, in their order. */
export async function events(clinic: Clinic, from = 0): Promise<string[]> {
  const { rows } = await owner.query<{ type: string; body: string }>(sql`
    select type, body from event where clinic_id = ${clinic.clinic_id} and position > ${from} order by position`)
  return rows.map(({ type, body }) => `${type} ${JSON.parse(body).data.id}`)
}

export async function lastEventData(clinic: Clinic): Promise<string> {
  const { rows } = await owner.query<{ body: string }>(sql`
    select body from event where clinic_id = ${clinic.clinic_id} order by position desc limit 1`)
  return /"data":(.*)\}$/.exec(rows[0]?.body ?? '')?.[1] ?? ''
}

export async function balance(clinic: Clinic): Promise<number | undefined> {
  const query = { response_format: 'detailed' }
  const { data } = await ask(backend, clinic, 'patients.get', { params: { id: 'p1' }, query })
  return (data as Static<typeof PatientDetailed>).balance?.amount
}

export const refusing =
  (...rows: [index: number, place: string, code: string][]) =>
  (error: unknown) => {
    assert.ok(error instanceof RefusedRows, `${error}`)
    assert.deepEqual(
      error.rows.map(({ index, place, code }) => [index, place, code]),
      rows,
    )
    return true
  }
