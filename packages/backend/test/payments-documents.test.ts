// Issued accounting documents: nothing changes one, and its page is printed once.

import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { changePayments } from '@clinic-data/changes/payments'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import { DatabaseError, type Statement, sql } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { PaymentRecord } from '@clinic-data/records/payments'
import { complete } from '@clinic-data/records/storing/complete-record'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const now = () => new Date('2026-07-12T06:30:00.700Z')
const parts = { database: app, now }
const backend = createBackend({ ...parts, log: failingLog })

async function paidClinic() {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'נועה', last_name: 'לוי' })
  await insert(owner, clinic, 'billing_account', { id: 'main', business_name: 'Carmel Dental' })
  const body = { amount: 350, method_type: 'cash' }
  const { data } = await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body })
  const document_id = data.documents[0]?.id ?? ''
  return { clinic, payment: data, document_id }
}

const documentRows = async ({ clinic_id }: Clinic) => {
  const { rows } = await owner.query(sql`select * from payment_document where clinic_id = ${clinic_id}`)
  return rows
}

async function bytesOf(clinic: Clinic, file_id: string): Promise<Buffer> {
  const { clinic_id } = clinic
  await owner.query(sql`insert into api_key
      (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
    values (${clinic_id}, 'k1', encode(sha256(${clinic_id}::text::bytea), 'hex'), '', '', '', '{}', now())
    on conflict do nothing`)
  const opened = await backend.openFile({ clinic_id, key_id: 'k1', file_id }, null)
  assert.ok(opened.state === 'open')
  return buffer(opened.stream)
}

test('a document is printed at the first request and is the same file from then on', async () => {
  const { clinic, document_id } = await paidClinic()
  const { file } = await documentFile(app, clinic, document_id, now())
  assert.deepEqual([file.content_type, file.file_name], ['application/pdf', 'receipt-1.pdf'])
  const bytes = await bytesOf(clinic, file.file_id)
  assert.equal(bytes.length, file.size_bytes)
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  await owner.query(sql`update patient set last_name = 'Other' where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual((await documentFile(app, clinic, document_id, now())).file, file)
  assert.deepEqual(await bytesOf(clinic, file.file_id), bytes)
})

test('simultaneous requests for a page all get the stored one', async () => {
  const { clinic, document_id } = await paidClinic()
  const files = await Promise.all(Array.from({ length: 12 }, () => documentFile(app, clinic, document_id, now())))
  assert.equal(new Set(files.map((file) => JSON.stringify(file))).size, 1)
  const { rows } = await owner.query(sql`select id from file where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 1)
})

test('a document that was issued elsewhere, another clinic’s and an unknown one have no page', async () => {
  const { clinic, payment, document_id } = await paidClinic()
  const elsewhere = {
    id: 'd1',
    billing_account_id: 'main',
    type: 'receipt',
    number: 9,
    issued_at: '2026-01-01T08:00:00Z',
  }
  await insert(owner, clinic, 'payment_document', { ...elsewhere, payment_id: payment.id })
  await assert.rejects(documentFile(app, clinic, 'd1', now()), problem('not-found', /issued elsewhere/))
  await assert.rejects(documentFile(app, clinic, 'd2', now()), problem('not-found', /No document has the id d2/))
  await assert.rejects(documentFile(app, await testClinic(owner), document_id, now()), problem('not-found'))
})

test('the program has no way to change or remove an issued document', async () => {
  const { clinic, document_id } = await paidClinic()
  const before = await documentRows(clinic)
  const { clinic_id } = clinic
  const refused = (statement: Statement) =>
    assert.rejects(
      app.write(clinic, (tx) => tx.query(statement)),
      (error) => error instanceof DatabaseError && error.code === '42501',
    )
  for (const set of [sql`number = 2`, sql`content = '{}'`, sql`issued_at = now()`, sql`type = 'tax_invoice'`]) {
    await refused(sql`update payment_document set ${set} where clinic_id = ${clinic_id} and id = ${document_id}`)
  }
  await refused(sql`delete from payment_document where clinic_id = ${clinic_id}`)
  await refused(sql`insert into payment_document (clinic_id, id, payment_id, billing_account_id, type, number, issued_at)
    select clinic_id, id, payment_id, billing_account_id, type, 9, issued_at from payment_document
      where clinic_id = ${clinic_id} on conflict (clinic_id, id) do update set number = 9`)
  assert.deepEqual(await documentRows(clinic), before)
})

/** As the clinic's own systems report it. */
async function report(clinic: Clinic, payment: { id: string; paid_at: string | null }, said: Partial<PaymentRecord>) {
  const record = complete(PaymentRecord, {
    id: payment.id,
    patient_id: 'p1',
    billing_account_id: 'main',
    amount: 350,
    currency: 'ILS',
    method_type: 'cash',
    is_refund: false,
    status: 'recorded',
    paid_at: payment.paid_at,
    created_at: '2026-07-12T06:30:00Z',
    updated_at: '2026-07-12T06:31:00Z',
    ...said,
  })
  return writeChanges(parts, clinic, (tx) => changePayments(tx, clinic, [record]))
}

test('whoever reads a page has read of the patient whom it names, however often its payment was corrected to another', async () => {
  const { clinic, payment, document_id } = await paidClinic()
  for (const id of ['p2', 'p3']) await insertPatient(owner, clinic, { id })
  const { file } = await documentFile(app, clinic, document_id, now())
  const readOf = async () => {
    const { patient_ids } = await documentFile(app, clinic, document_id, now())
    const opened = await backend.openFile({ clinic_id: clinic.clinic_id, key_id: 'k1', file_id: file.file_id }, null)
    assert.ok(opened.state === 'open')
    assert.deepEqual(opened.patient_ids?.toSorted(), patient_ids.toSorted())
    return patient_ids
  }
  await bytesOf(clinic, file.file_id)
  assert.deepEqual(await readOf(), ['p1'])
  for (const [patient_id, patient_ids] of [
    ['p1', ['p1']],
    ['p2', ['p1', 'p2']],
    ['p3', ['p1', 'p3']],
    [null, ['p1']],
  ] as const) {
    await report(clinic, payment, { patient_id, description: `for ${patient_id}` })
    assert.deepEqual(await readOf(), patient_ids)
  }
})

test('a report of a payment with a document of the same id leaves the document as it was issued', async () => {
  const { clinic, payment, document_id } = await paidClinic()
  const before = await documentRows(clinic)
  const changed = { id: document_id, billing_account_id: 'main', type: 'tax_invoice' as const, number: 5 }
  const documents = [{ ...changed, issued_at: '2020-01-01T08:00:00Z', allocation_number: '1' }]
  const { updated } = await report(clinic, payment, { description: 'Changed', documents })
  assert.deepEqual([...updated], [payment.id])
  assert.deepEqual(await documentRows(clinic), before)
  const { data } = await ask(backend, clinic, 'payments.get', { params: { id: payment.id } })
  assert.deepEqual(data.documents, payment.documents)
})
