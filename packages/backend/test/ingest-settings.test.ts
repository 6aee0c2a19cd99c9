// The clinic's settings and the pages of its documents, for its own systems.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ingestPrincipal, revokeIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { openFileLink } from '@clinic-data/contract/file-link'
import { FileLink } from '@clinic-data/contract/resources/file-link'
import { validatorOf } from '@clinic-data/contract/validator'
import { ask } from '@clinic-data/testing/grounds/ask'
import { askIngest, BASE_URL, fileLinkKeys, openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const database = await testDatabase()
const { owner, app } = database
const now = () => new Date('2026-07-12T06:30:00.500Z')
const backend = createBackend({ database: app, now, log: failingLog })
const ingest = await openIngest(database, { now })

const wrapping = { category: 'marketing', status: 'approved', body: 'From the clinic: {{text}}' }

test('only the settings that are sent change, and the answer has all of them', async () => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  await insert(owner, clinic, 'chat_template', { id: 't', name: 'wrapped', language: 'he', ...wrapping })
  const first = {
    name: 'Test clinic',
    time_zone: 'Asia/Jerusalem',
    country: 'IL',
    currency: 'ILS',
    week_start: 0,
    min_visit_minutes: 15,
    slot_step_minutes: 5,
    ai_transcription: false,
    wrapping_template: null,
  }
  const read = async () => (await askIngest(ingest, '/settings', { method: 'GET', token })).json
  assert.deepEqual(await read(), { data: first })
  const changes = [
    { week_start: 1 },
    { min_visit_minutes: 20, slot_step_minutes: 30, ai_transcription: true },
    { name: 'Another name', wrapping_template: { name: 'wrapped', language: 'he' } },
    { wrapping_template: null },
    {},
  ]
  let expected: object = first
  for (const body of changes) {
    expected = { ...expected, ...body }
    const changed = await askIngest(ingest, '/settings', { token, body })
    assert.deepEqual([changed.status, changed.json], [200, { data: expected }])
    assert.deepEqual(await read(), { data: expected })
  }
  const principal = await ingestPrincipal(app, token)
  assert.deepEqual([principal?.clinic.week_start, principal?.clinic.min_visit_minutes], [1, 20])
})

test("settings out of bounds, the operator's settings, and an unknown template are refused and change nothing", async () => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  const refused = async (body: object) => {
    const { status, json } = await askIngest(ingest, '/settings', { token, body })
    return [status, ...json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)]
  }
  assert.deepEqual(await refused({ week_start: 2, min_visit_minutes: 0, slot_step_minutes: 7 }), [
    400,
    '#/week_start out_of_range',
    '#/min_visit_minutes out_of_range',
    '#/slot_step_minutes not_allowed',
  ])
  assert.deepEqual(await refused({ name: '  ', week_start: 1 }), [400, '#/name format'])
  assert.deepEqual(await refused({ time_zone: 'Europe/Paris' }), [400, '#/time_zone unknown'])
  assert.deepEqual(await refused({ week_start: 1, wrapping_template: { name: 'none', language: 'he' } }), [
    422,
    '#/wrapping_template unknown_template',
  ])
  assert.equal((await ingestPrincipal(app, token))?.clinic.week_start, 0)
})

test('free text is wrapped only in an approved marketing template with one variable, in its body', async () => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  const unsuitable = {
    utility: [{ category: 'utility' }, 'not_marketing'],
    authentication: [{ category: 'authentication' }, 'not_marketing'],
    pending: [{ status: 'pending' }, 'not_approved'],
    paused: [{ status: 'paused' }, 'not_approved'],
    picture: [{ header_type: 'image' }, 'media_header'],
    none: [{ body: 'Hello' }, 'variables'],
    two: [{ body: '{{a}} and {{b}}' }, 'variables'],
    above: [{ header_type: 'text', header_text: 'For {{text}}' }, 'variables'],
  } as const
  for (const [name, [difference]] of Object.entries(unsuitable)) {
    await insert(owner, clinic, 'chat_template', { id: name, name, language: 'he', ...wrapping, ...difference })
  }
  const set = (name: string) =>
    askIngest(ingest, '/settings', { token, body: { week_start: 1, wrapping_template: { name, language: 'he' } } })
  for (const [name, [, code]] of Object.entries(unsuitable)) {
    const { status, json } = await set(name)
    const { pointer, code: faultCode } = json.errors[0]
    assert.deepEqual([status, json.errors.length, pointer, faultCode], [422, 1, '#/wrapping_template', code], name)
  }
  assert.equal((await ingestPrincipal(app, token))?.clinic.week_start, 0)
  await insert(owner, clinic, 'chat_template', { id: 'good', name: 'good', language: 'he', ...wrapping })
  assert.equal((await set('good')).status, 200)
})

test("a document's page is linked until the token that asked for the link is revoked", async () => {
  const clinic = await testClinic(owner)
  const { id: token_id, token } = await tokenOf(owner, clinic)
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa', last_name: 'Levi' })
  const { data: payment } = await ask(backend, clinic, 'payments.create', {
    params: { id: 'p' },
    body: { amount: 350, method_type: 'cash' },
  })
  const document_id = payment.documents[0]?.id ?? assert.fail()

  const { status, json } = await askIngest(ingest, `/documents/${document_id}/link`, { method: 'GET', token })
  assert.equal(status, 200)
  assert.deepEqual(validatorOf(FileLink)(json.data, clinic), [])
  assert.deepEqual([json.data.content_type, json.data.expires_at], ['application/pdf', '2026-07-12T09:45:00+03:00'])
  const url = new URL(json.data.url)
  assert.equal(url.origin, BASE_URL)
  const link = {
    opaque: url.pathname.slice('/files/'.length),
    exp: url.searchParams.get('exp') ?? '',
    sig: url.searchParams.get('sig') ?? '',
  }
  const reference = openFileLink(fileLinkKeys, link, now().getTime())
  assert.ok(typeof reference === 'object' && reference.key_id === token_id)
  const opened = await backend.openFile(reference, null)
  assert.ok(opened.state === 'open')
  const bytes = Buffer.concat(await opened.stream.toArray())
  assert.deepEqual([bytes.subarray(0, 5).toString(), bytes.length], ['%PDF-', json.data.size_bytes])

  const other = await testClinic(owner)
  assert.deepEqual(await backend.openFile({ ...reference, clinic_id: other.clinic_id }, null), { state: 'revoked' })
  await revokeIngestToken(owner, { clinic_id: clinic.clinic_id, id: token_id, now: now() })
  assert.deepEqual(await backend.openFile(reference, null), { state: 'revoked' })
})

test('there is no link to a document of another clinic, of an unknown id, or one that was issued elsewhere', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  const { token } = await tokenOf(owner, clinic)
  for (const one of [clinic, other]) {
    await insert(owner, one, 'billing_account', { id: 'main' })
    await insert(owner, one, 'payment', { id: 'y' })
  }
  const elsewhere = {
    payment_id: 'y',
    billing_account_id: 'main',
    type: 'receipt',
    issued_at: '2026-07-01T00:00:00Z',
  }
  await insert(owner, clinic, 'payment_document', { ...elsewhere, id: 'd1', number: 1 })
  await insert(owner, other, 'payment_document', { ...elsewhere, id: 'd2', number: 2 })
  for (const id of ['d1', 'd2', randomUUID(), 'x'.repeat(128), '%2e%2e']) {
    const { status } = await askIngest(ingest, `/documents/${id}/link`, { method: 'GET', token })
    assert.equal(status, 404, id)
  }
})
