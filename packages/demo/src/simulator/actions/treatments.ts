// Treatments are recorded, corrected and removed.
import type { LivingClinic } from '../living-clinic.ts'
import type { Action } from './action.ts'

const PATH = '/treatments'

async function treat(clinic: LivingClinic): Promise<boolean> {
  const { random, catalog } = clinic
  const visit = clinic.sentTo('/appointments').pick(random)
  await clinic.tell(
    PATH,
    {
      id: clinic.newId('t'),
      patient_id: visit?.patient_id ?? random.pick(clinic.people).id,
      appointment_id: visit?.id ?? null,
      branch_id: visit?.branch_id ?? random.pick(catalog.branches),
      provider_id: random.pick(catalog.providers),
      catalog_treatment_id: random.pick(catalog.catalog_treatments),
      quantity: random.whole(1, 3),
      price: random.whole(50, 2_000),
      discount: random.pick([0, 0, 0, 25, 50]),
      performed_at: clinic.instant(),
    },
    'treatment.created',
  )
  return true
}

async function correct(clinic: LivingClinic): Promise<boolean> {
  const treatment = clinic.sentTo(PATH).pick(clinic.random)
  if (treatment === undefined) return false
  await clinic.tell(PATH, { ...treatment, price: treatment.price + 10 }, 'treatment.updated')
  return true
}

async function remove(clinic: LivingClinic): Promise<boolean> {
  const treatment = clinic.sentTo(PATH).pick(clinic.random)
  if (treatment === undefined) return false
  await clinic.tell('/treatments/remove', { id: treatment.id }, 'treatment.cancelled')
  clinic.sentTo(PATH).forget(treatment.id)
  return true
}

export const treatmentActions: readonly Action[] = [
  { name: 'a treatment is recorded', weight: 3, run: treat },
  { name: 'a treatment is corrected', weight: 1, run: correct },
  { name: 'a treatment is removed', weight: 0.5, run: remove },
]
