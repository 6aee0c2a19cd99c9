// The catalogs and the key's introspection.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insert } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

test('each catalog is the clinic’s whole list, by name', async () => {
  const clinic = await testClinic(owner)
  const haifa = { street: '12 Herzl', city: 'Haifa', postal_code: null, country: 'IL' }
  await insert(owner, clinic, 'branch', { id: 'b1', name: 'North', phone: '04-812-3456', color: '#e76f51', ...haifa })
  await insert(owner, clinic, 'branch', { id: 'b2', name: 'East' })
  await insert(owner, clinic, 'provider', { id: 'r1', name: 'Dr. A', type: 'dentist', color: null })
  await insert(owner, clinic, 'appointment_type', {
    id: 'c1',
    name: 'Check-up',
    duration_minutes: 30,
    color: '#2a9d8f',
  })
  await insert(owner, clinic, 'appointment_status', { id: 's1', name: 'Booked', color: '#457b9d', enabled: false })
  await insert(owner, clinic, 'treatment_category', { id: 'hygiene', name: 'Hygiene' })
  await insert(owner, clinic, 'catalog_treatment', {
    id: 't1',
    name: 'Cleaning',
    code: 'D1110',
    price_minor: 35_050,
    category_id: 'hygiene',
  })
  await insert(owner, clinic, 'catalog_treatment', { id: 't2', name: 'Advice' })
  await insert(owner, clinic, 'billing_account', { id: 'm1', business_name: 'Carmel Dental', business_id: '514000000' })

  const list = async (id: `catalog.${string}.list` & Parameters<typeof ask>[2]) => (await ask(backend, clinic, id)).data
  assert.deepEqual(await list('catalog.branches.list'), [
    { id: 'b2', name: 'East', phone: null, address: null, color: null },
    { id: 'b1', name: 'North', phone: '04-812-3456', address: haifa, color: '#e76f51' },
  ])
  assert.deepEqual(await list('catalog.providers.list'), [{ id: 'r1', name: 'Dr. A', type: 'dentist', color: null }])
  assert.deepEqual(await list('catalog.appointment_types.list'), [
    { id: 'c1', name: 'Check-up', duration_minutes: 30, color: '#2a9d8f' },
  ])
  assert.deepEqual(await list('catalog.appointment_statuses.list'), [
    { id: 's1', name: 'Booked', color: '#457b9d', enabled: false },
  ])
  assert.deepEqual(await list('catalog.treatments.list'), [
    { id: 't2', name: 'Advice', code: null, price: null, color: null, category_id: null, category_name: null },
    {
      id: 't1',
      name: 'Cleaning',
      code: 'D1110',
      price: 350.5,
      color: null,
      category_id: 'hygiene',
      category_name: 'Hygiene',
    },
  ])
  assert.deepEqual(await list('catalog.billing_accounts.list'), [
    { id: 'm1', business_name: 'Carmel Dental', business_id: '514000000' },
  ])
  const other = await testClinic(owner)
  assert.deepEqual((await ask(backend, other, 'catalog.branches.list')).data, [])
})

test('a key learns its scopes, its clinic and the day that it is there', async () => {
  const { clinic_id } = await testClinic(owner)
  const clinic = { clinic_id, time_zone: 'Asia/Jerusalem', currency: 'ILS', country: 'IL', min_visit_minutes: 15 }
  const late = createBackend({ database: app, now: () => new Date('2026-07-12T21:30:00Z'), log: failingLog })
  const about = async (more: Pick<Clinic, 'week_start'> & { name?: string }) =>
    (await ask(late, { ...clinic, ...more }, 'me.get', { scopes: ['patients:read'] })).data
  const facts = { time_zone: 'Asia/Jerusalem', currency: 'ILS', today: '2026-07-13' }
  assert.deepEqual(await about({ name: 'Carmel Dental', week_start: 0 }), {
    clinic_id,
    scopes: ['patients:read'],
    clinic: { name: 'Carmel Dental', week_start: 'sunday', ...facts },
  })
  assert.deepEqual((await about({ week_start: 1 })).clinic, { name: null, week_start: 'monday', ...facts })
})
