// Stores the treatments of patients, and the plans that they belong to.

import { type Clinic, MAX } from '@clinic-data/contract'
import { GivenId, Id, nullable, type Static, strictObject, text, whole } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { decimalFaults } from './currency.ts'
import { amount, type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { columnsOf, type RecordTable, type Stored } from './storing/record-table.ts'
import { storedOf, storeRows } from './storing/store-rows.ts'

export const TreatmentPlanRecord = strictObject({ id: GivenId, name: text(MAX.name) })
export type TreatmentPlanRecord = Static<typeof TreatmentPlanRecord>

export function checkTreatmentPlan(record: TreatmentPlanRecord): Finding[] {
  return findingsIn(TreatmentPlanRecord, record)
}

const plans: RecordTable<TreatmentPlanRecord> = {
  name: 'treatment_plan',
  key: columnsOf<TreatmentPlanRecord>().fields('id'),
  columns: columnsOf<TreatmentPlanRecord>().fields('name'),
}

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

const { fields, money, localDate, once, unshown } = columnsOf<TreatmentRecord>()

const treatments: RecordTable<TreatmentRecord> = {
  name: 'treatment',
  key: fields('id'),
  columns: [
    ...fields('patient_id', 'catalog_treatment_id', 'provider_id', 'appointment_id', 'plan_id'),
    ...fields('quantity', 'performed_at'),
    ...money('price', ({ price }) => price),
    ...unshown([...fields('branch_id'), ...money('discount', ({ discount }) => discount)]),
    localDate('effective_date', (record) => record.performed_at, 0),
    ...once([...fields('created_at'), localDate('created_date', (record) => record.created_at, 3)]),
  ],
  updatedAt: (record) => record.updated_at,
}

/** A treatment that was removed stays removed. */
export async function storeTreatments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly TreatmentRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, treatments, records))
}
