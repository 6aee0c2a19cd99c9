// Leads are read back: how each looks, which note it shows, and whom the clinic has not called or written to since they came.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { insert } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
let at = '2026-07-12T06:30:00.123Z'
const backend = createBackend({ database: app, now: () => new Date(at), log: failingLog })
const submit = (clinic: Clinic, body: object) => ask(backend, clinic, 'leads.create', { body })
const idsOf = async (clinic: Clinic, query: Record<string, unknown>) => {
  const { data } = await ask(backend, clinic, 'leads.list', { query })
  return data.map(({ id }: { id: string }) => id)
}

test('a lead is read as it was captured, with the latest note of its submissions', async () => {
  const clinic = await testClinic(owner)
  const person = { first_name: 'Dana', last_name: 'Mizrahi', phone: '052-765-4321', source: 'social' }
  const attribution = { utm_source: 'instagram' }
  const { data: lead } = await submit(clinic, { ...person, attribution, note: 'Whitening', external_id: 'form-1' })
  const read = async () => (await ask(backend, clinic, 'leads.get', { params: { id: lead.id } })).data
  const whole = { ...lead, external_id: 'form-1', converted_at: null, updated_at: lead.created_at }
  assert.deepEqual(await read(), { ...whole, note: 'Whitening' })
  at = '2026-07-12T07:00:00.000Z'
  await submit(clinic, { ...person, note: 'And implants', external_id: 'form-2' })
  await submit(clinic, person)
  // The entry of a status holds its name where others hold a note.
  const entry = { lead_id: lead.id, kind: 'status', note: 'in_progress', created_at: '2026-07-12T09:00:00Z' }
  await insert(owner, clinic, 'lead_activity', { id: 'act_status', ...entry })
  assert.deepEqual(await read(), { ...whole, note: 'And implants' })
  assert.deepEqual((await ask(backend, clinic, 'leads.list')).data, [await read()])
  await assert.rejects(ask(backend, clinic, 'leads.get', { params: { id: 'none' } }), problem('not-found'))
})

test('leads are found by phone in any form, by email in any case, by source, status and time, the latest first', async () => {
  const clinic = await testClinic(owner)
  const on = (day: number) => ({ created_at: `2026-07-0${day}T21:30:00Z` })
  await insert(owner, clinic, 'lead', { id: 'l1', ...on(1), phone_normal: '+972527654321', source: 'bot' })
  await insert(owner, clinic, 'lead', { id: 'l2', ...on(2), email_folded: 'dana@example.com', status: 'lost' })
  await insert(owner, clinic, 'lead', { id: 'l3', ...on(3), phone_normal: '+972527654321', status: 'converted' })
  assert.deepEqual(await idsOf(clinic, {}), ['l3', 'l2', 'l1'])
  assert.deepEqual(await idsOf(clinic, { phone: '+972 52-765-4321' }), ['l3', 'l1'])
  assert.deepEqual(await idsOf(clinic, { email: 'Dana@Example.com' }), ['l2'])
  assert.deepEqual(await idsOf(clinic, { source: 'bot' }), ['l1'])
  assert.deepEqual(await idsOf(clinic, { status: 'converted' }), ['l3'])
  // Half past nine in the evening is the next day in the clinic.
  assert.deepEqual(await idsOf(clinic, { from: '2026-07-03', to: '2026-07-03' }), ['l2'])
  await assert.rejects(idsOf(clinic, { phone: '12' }), problem('invalid-request', /phone/))
})

test('a lead has been contacted since the clinic called or wrote to it, or answered it, after it came', async () => {
  const clinic = await testClinic(owner)
  const came = '2026-07-10T08:00:00Z'
  const [before, after] = ['2026-07-10T07:59:00Z', '2026-07-10T09:00:00Z']
  const contacts: Record<string, (patient_phone: string, id: string) => Promise<void>> = {
    called: (patient_phone, id) =>
      insert(owner, clinic, 'call', {
        id,
        patient_phone,
        started_at: after,
        direction: 'outbound',
        status: 'no_answer',
      }),
    answered: (patient_phone, id) => insert(owner, clinic, 'call', { id, patient_phone, started_at: after }),
    written: (patient_phone) =>
      insert(owner, clinic, 'chat_message', {
        id: 'out_1',
        patient_phone,
        created_at: after,
        direction: 'outbound',
        status: 'sent',
      }),
    missed: (patient_phone, id) =>
      insert(owner, clinic, 'call', { id, patient_phone, started_at: after, status: 'missed' }),
    earlier: (patient_phone, id) => insert(owner, clinic, 'call', { id, patient_phone, started_at: before }),
    failed: (patient_phone) =>
      insert(owner, clinic, 'chat_message', {
        id: 'out_2',
        patient_phone,
        created_at: after,
        direction: 'outbound',
        status: 'failed',
      }),
    wrote: (patient_phone) => insert(owner, clinic, 'chat_message', { id: 'in_1', patient_phone, created_at: after }),
    nothing: async () => undefined,
  }
  for (const [n, [id, contact]] of Object.entries(contacts).entries()) {
    const phone_normal = `+97252765432${n}`
    await insert(owner, clinic, 'lead', { id, phone_normal, created_at: came })
    await contact(phone_normal, `c${n}`)
  }
  await insert(owner, clinic, 'lead', { id: 'without', phone_normal: null, created_at: came })
  assert.deepEqual((await idsOf(clinic, { has_been_contacted: true })).sort(), ['answered', 'called', 'written'])
  const others = ['earlier', 'failed', 'missed', 'nothing', 'without', 'wrote']
  assert.deepEqual((await idsOf(clinic, { has_been_contacted: false })).sort(), others)
})
