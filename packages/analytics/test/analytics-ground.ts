// The base of the analytics tests: a backend, and clinics with recorded treatments.

import { createBackend } from '@clinic-data/backend'
import type { AnyAnswer, Clinic } from '@clinic-data/contract'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'

const database = await testDatabase()
export const { owner } = database
const now = () => new Date('2026-07-12T06:30:00.123Z')
const backend = createBackend({ database: database.app, now, log: failingLog })

export async function query(clinic: Clinic, body: unknown) {
  const { data } = await ask(backend, clinic, 'query.run', { body })
  return data
}

/** The values of filters that the answer calls the id of nothing. */
export async function unknownIn(clinic: Clinic, body: unknown) {
  return ((await ask(backend, clinic, 'query.run', { body })) as AnyAnswer).unknown_values
}

/** Creates a clinic with treatments. Each has a day, a provider, a price in cents, and other columns that a test needs. */
export async function treatments(
  settings: Partial<Clinic>,
  ...rows: [day: string | null, provider: string | null, price: number, more?: Row][]
) {
  const clinic = await testClinic(owner, settings)
  await insert(owner, clinic, 'provider', { id: 'a', name: 'Ada' }, { id: 'b', name: 'Bea' })
  await insert(owner, clinic, 'patient', { id: 'p' }, { id: 'q' })
  const stored = rows.map(([effective_date, provider_id, price_minor, more = {}], at) => {
    return { ...{ id: `t${at}`, effective_date, provider_id, price_minor, patient_id: 'p', removed_at: null }, ...more }
  })
  await insert(owner, clinic, 'treatment', ...stored)
  return clinic
}

export const all = { field: 'effective_date', op: 'between', value: ['2021-01-01', '2030-12-31'] }
export const count = { dataset: 'treatments', measures: ['treatment_count'], filters: [all] }
