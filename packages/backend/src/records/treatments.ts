// Stores what was done for patients, and the plans that treatments belong to.

import { type Clinic, MAX } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { type Bounds, type Fault, faultsOf, id, instant, MOST_MINOR, nullable, text, whole } from './bounds.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows } from './store-rows.ts'

export type TreatmentPlanRecord = { id: string; name: string }

const planBounds: Bounds<TreatmentPlanRecord> = { id, name: text(MAX.name) }

export function checkTreatmentPlan(record: TreatmentPlanRecord): Fault[] {
  return faultsOf(planBounds, record)
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
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, plans, records))
}

export type TreatmentRecord = {
  id: string
  patient_id: string | null
  catalog_treatment_id: string | null
  provider_id: string | null
  branch_id: string | null
  appointment_id: string | null
  plan_id: string | null
  quantity: number
  /** The row's total in minor units, before the discount. */
  price_minor: number | null
  discount_minor: number
  performed_at: string | null
  created_at: string
  updated_at: string
}

const bounds: Bounds<TreatmentRecord> = {
  id,
  patient_id: nullable(id),
  catalog_treatment_id: nullable(id),
  provider_id: nullable(id),
  branch_id: nullable(id),
  appointment_id: nullable(id),
  plan_id: nullable(id),
  quantity: whole(0, MAX.quantity),
  price_minor: nullable(whole(-MOST_MINOR, MOST_MINOR)),
  discount_minor: whole(0, MOST_MINOR),
  performed_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
}

export function checkTreatment(record: TreatmentRecord): Fault[] {
  return faultsOf(bounds, record)
}

const { fields, localDate, once } = columnsOf<TreatmentRecord>()

const treatments: RecordTable<TreatmentRecord> = {
  name: 'treatment',
  key: fields('id'),
  columns: [
    ...fields('patient_id', 'catalog_treatment_id', 'provider_id', 'branch_id', 'appointment_id', 'plan_id'),
    ...fields('quantity', 'price_minor', 'discount_minor', 'performed_at'),
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
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, treatments, records))
}
