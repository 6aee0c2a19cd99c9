// Stores the treatments of patients, and the plans that they belong to.

import { type Clinic, MAX } from '@clinic-data/contract'
import { GivenId, Id, nullable, type Static, strictObject, text, whole } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { decimalFaults } from './currency.ts'
import { recordKind, sound } from './storing/record-kind.ts'
import { amount, type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { createdDate, localDate, recordTable, type Stored, stored } from './storing/record-table.ts'
import { storedOf, storeRows } from './storing/store-rows.ts'

export const TreatmentPlanRecord = strictObject({ id: GivenId, name: text(MAX.name) })
export type TreatmentPlanRecord = Static<typeof TreatmentPlanRecord>

export function checkTreatmentPlan(record: TreatmentPlanRecord): Finding[] {
  return findingsIn(TreatmentPlanRecord, record)
}

const plans = recordTable<TreatmentPlanRecord>()({
  name: 'treatment_plan',
  fields: { id: 'key', name: 'stored' },
})

export async function storeTreatmentPlans(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TreatmentPlanRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, plans, records))
}

export const TreatmentRecord = strictObject({
  id: GivenId,
  patient_id: nullable(Id, { description: 'Who was treated.' }),
  catalog_treatment_id: nullable(Id, { description: 'The procedure of the catalog.' }),
  provider_id: nullable(Id, { description: 'Who treated.' }),
  branch_id: nullable(Id, { description: 'Where.' }),
  appointment_id: nullable(Id, { description: 'The visit at which it was performed.' }),
  plan_id: nullable(Id, { description: 'The treatment plan that it is part of.' }),
  quantity: whole(0, MAX.quantity, { description: 'Units.' }),
  price: nullable(amount(-MAX.money, "The price of all units together in the clinic's currency, before the discount.")),
  discount: amount(0, 'What is taken off the price.'),
  performed_at: nullable(RecordedInstant, { description: 'When it was performed.' }),
  ...RecordedAt,
})
export type TreatmentRecord = Static<typeof TreatmentRecord>

export function checkTreatment(record: TreatmentRecord): Finding[] {
  return findingsIn(TreatmentRecord, record)
}

export function treatmentDecimals({ price, discount }: TreatmentRecord, currency: string): Finding[] {
  return decimalFaults({ price, discount }, currency)
}

const treatments = recordTable<TreatmentRecord>()({
  name: 'treatment',
  fields: {
    id: 'key',
    ...stored(['patient_id', 'catalog_treatment_id', 'provider_id', 'appointment_id', 'plan_id']),
    ...stored(['quantity', 'performed_at']),
    price: 'money',
    branch_id: 'unshown',
    discount: 'unshown money',
    created_at: 'once',
    updated_at: 'updated',
  },
  more: [localDate('effective_date', ({ performed_at }) => performed_at, 0), ...createdDate],
})

/** A treatment that was removed stays removed. */
export async function storeTreatments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TreatmentRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, treatments, records))
}

export const treatmentPlanKind = recordKind<TreatmentPlanRecord>({
  record: TreatmentPlanRecord,
  table: 'treatment_plan',
  check: checkTreatmentPlan,
  store: storeTreatmentPlans,
})

export const treatmentKind = recordKind<TreatmentRecord>({
  record: TreatmentRecord,
  table: 'treatment',
  references: {
    patient_id: 'patient',
    catalog_treatment_id: 'catalog_treatment',
    provider_id: 'provider',
    branch_id: 'branch',
    appointment_id: 'appointment',
    plan_id: 'treatment_plan',
  },
  check: sound(checkTreatment, (record, { currency }) => treatmentDecimals(record, currency)),
  store: storeTreatments,
})
