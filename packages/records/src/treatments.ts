// Stores the treatments of patients, and the plans that they belong to.

import { type Clinic, MAX } from '@clinic-data/contract'
import { GivenId, Id, nullable, type Static, strictObject, text, whole } from '@clinic-data/contract/schema'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { decimalFaults } from './currency.ts'
import { erasedAmong, isErased, NO_NAME } from './storing/erased-records.ts'
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
  const erased = await plansOfErased(
    tx,
    clinic,
    records.map(({ id }) => id),
  )
  await forgetNames(tx, clinic, erased)
  const living = records.filter(({ id }) => !erased.has(id))
  return storedOf(records, { ...(await storeRows(tx, clinic, plans, living)), erased })
}

/** Those of these plans whose treatments are all of erased patients, but for removed ones. The name of such a plan is free text about them. */
async function plansOfErased(tx: Transaction, { clinic_id }: Clinic, ids: readonly string[]): Promise<Set<string>> {
  const plansOf = async (from: Statement, condition: Statement, among: readonly string[]) => {
    const { rows } = await tx.query<{ id: string }>(sql`select distinct t.plan_id as id from ${from}
      where t.clinic_id = ${clinic_id} and t.plan_id = any(${among}::text[]) and ${condition}`)
    return new Set(rows.map(({ id }) => id))
  }
  // From the erased patients, who are few: treatments have no index by their plan.
  const theirs = sql`erased_record gone join treatment t on t.clinic_id = gone.clinic_id and t.patient_id = gone.id`
  const found = await plansOf(theirs, sql`gone.clinic_id = ${clinic_id} and gone.kind = 'patient'`, ids)
  if (found.size === 0) return found
  const isOfErased = isErased({ clinic_id }, 'patient', sql`t.patient_id`)
  return found.difference(await plansOf(sql`treatment t`, sql`t.removed_at is null and not ${isOfErased}`, [...found]))
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
  const ids = await storeRows(tx, clinic, treatments, records)
  await forgetPlans(tx, clinic, records)
  return storedOf(records, ids)
}

/** A plan may be stored before its first treatment says that it is of an erased patient. */
async function forgetPlans(tx: Transaction, clinic: Clinic, records: readonly TreatmentRecord[]): Promise<void> {
  const planned = records.filter(({ plan_id }) => plan_id !== null)
  const patients = planned.map(({ patient_id }) => patient_id)
  const erased = await erasedAmong(tx, clinic, 'patient', patients)
  const named = planned.flatMap(({ patient_id, plan_id }) => (erased.has(patient_id ?? '') && plan_id ? plan_id : []))
  if (named.length === 0) return
  await forgetNames(tx, clinic, await plansOfErased(tx, clinic, named))
}

/** Also names that a former version, which knows no erasures, has stored. */
async function forgetNames(tx: Transaction, { clinic_id }: Clinic, plans: ReadonlySet<string>): Promise<void> {
  if (plans.size === 0) return
  await tx.query(sql`update treatment_plan set name = ${NO_NAME}
    where clinic_id = ${clinic_id} and id = any(${[...plans]}::text[]) and name <> ${NO_NAME}`)
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
