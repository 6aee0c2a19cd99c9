// Stores a clinic's reference data: branches, providers, appointment types and statuses, the treatment menu, accounts.

import { type Clinic, MAX } from '@clinic-data/contract'
import {
  Color,
  choice,
  GivenId,
  Id,
  nullable,
  type Static,
  strictObject,
  type TObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { AddressRecord, addressColumns } from './address.ts'
import { refreshBusy } from './appointments.ts'
import { decimalFaults } from './currency.ts'
import { type RecordKind, recordKind, sound } from './storing/record-kind.ts'
import { amount, type Finding, findingsIn } from './storing/record-schema.ts'
import { type RecordTable, recordTable, type Stored, stored } from './storing/record-table.ts'
import { type Existing, storedOf, storeRows } from './storing/store-rows.ts'

const named = { id: GivenId, name: text(MAX.name) }
const color = nullable(Color, { description: 'A CSS colour.' })

export const BranchRecord = strictObject({
  ...named,
  phone: nullable(text(MAX.phone)),
  address: nullable(AddressRecord, { description: 'Where the branch is.' }),
  color,
})
export type BranchRecord = Static<typeof BranchRecord>

export const ProviderRecord = strictObject({
  ...named,
  type: text(MAX.name, { description: 'The profession, as the clinic names it.' }),
  color,
})
export type ProviderRecord = Static<typeof ProviderRecord>

export const AppointmentTypeRecord = strictObject({
  ...named,
  duration_minutes: whole(0, MAX.duration_minutes, {
    description: 'The default length of such a visit.',
  }),
  color,
})
export type AppointmentTypeRecord = Static<typeof AppointmentTypeRecord>

const statusKinds = ['booked', 'confirmed', 'arrived', 'completed', 'cancelled', 'no_show'] as const

export const AppointmentStatusRecord = strictObject({
  ...named,
  color: text(MAX.color, { description: 'A CSS colour.' }),
  enabled: Type.Boolean({ description: 'Whether the clinic uses it.' }),
  kind: choice(statusKinds, {
    description:
      "What the clinic's own status means. An appointment with a status of kind `cancelled` takes nobody's time.",
  }),
})
export type AppointmentStatusRecord = Static<typeof AppointmentStatusRecord>

export const TreatmentCategoryRecord = strictObject(named)
export type TreatmentCategoryRecord = Static<typeof TreatmentCategoryRecord>

export const CatalogTreatmentRecord = strictObject({
  ...named,
  code: nullable(text(MAX.code), { description: "The procedure's code in the clinic's price list." }),
  price: nullable(amount(0, "Default price, in the clinic's currency.")),
  color,
  category_id: nullable(Id, { description: 'Groups the treatments of the menu.' }),
})
export type CatalogTreatmentRecord = Static<typeof CatalogTreatmentRecord>

export const BillingAccountRecord = strictObject({
  id: GivenId,
  business_name: text(MAX.name, { description: 'Printed on receipts.' }),
  business_id: nullable(text(MAX.code), { description: 'Registered business number, printed on receipts.' }),
  document_type: choice(['receipt', 'tax_invoice_receipt'], {
    description: 'The document that is issued for a payment by default.',
  }),
})
export type BillingAccountRecord = Static<typeof BillingAccountRecord>

export const PatientStatusRecord = strictObject({ ...named, color })
export type PatientStatusRecord = Static<typeof PatientStatusRecord>

/** One kind of reference data. `existing` says whether rows that exist are kept as they are. */
function catalog<R extends { id: string }>(
  record: TObject,
  table: RecordTable<R>,
  references: RecordKind['references'] = {},
) {
  const check = (one: R): Finding[] => findingsIn(record, one)
  const store = async (tx: Transaction, clinic: Clinic, rows: readonly R[], existing?: Existing): Promise<Stored> =>
    storedOf(rows, await storeRows(tx, clinic, table, rows, existing))
  // Both again, with the types of their own parameters: a kind's `check` takes a clinic, and its `store` keeps nothing.
  return { ...recordKind<R>({ record, table: table.name, references, check, store }), check, store }
}

export const branchKind = catalog(
  BranchRecord,
  recordTable<BranchRecord>()({
    name: 'branch',
    fields: { id: 'key', ...stored(['name', 'phone', 'color']), address: addressColumns },
  }),
)

export const providerKind = catalog(
  ProviderRecord,
  recordTable<ProviderRecord>()({ name: 'provider', fields: { id: 'key', ...stored(['name', 'type', 'color']) } }),
)

export const appointmentTypeKind = catalog(
  AppointmentTypeRecord,
  recordTable<AppointmentTypeRecord>()({
    name: 'appointment_type',
    fields: { id: 'key', ...stored(['name', 'duration_minutes', 'color']) },
  }),
)

const statuses = catalog(
  AppointmentStatusRecord,
  recordTable<AppointmentStatusRecord>()({
    name: 'appointment_status',
    fields: { id: 'key', ...stored(['name', 'color', 'enabled', 'kind']) },
  }),
)
export const appointmentStatusKind: typeof statuses = {
  ...statuses,
  async store(tx, clinic, records, existing) {
    const stored = await statuses.store(tx, clinic, records, existing)
    if (stored.updated.size > 0) await refreshBusy(tx, clinic, [...stored.updated])
    return stored
  },
}

export const treatmentCategoryKind = catalog(
  TreatmentCategoryRecord,
  recordTable<TreatmentCategoryRecord>()({ name: 'treatment_category', fields: { id: 'key', name: 'stored' } }),
)

const treatments = catalog(
  CatalogTreatmentRecord,
  recordTable<CatalogTreatmentRecord>()({
    name: 'catalog_treatment',
    fields: { id: 'key', ...stored(['name', 'code', 'color', 'category_id']), price: 'money' },
  }),
  { category_id: 'treatment_category' },
)
/** In any currency: how many decimals a price may have is the clinic's matter. */
export const checkCatalogTreatment = treatments.check
export const catalogTreatmentKind = {
  ...treatments,
  check: sound(checkCatalogTreatment, ({ price }, { currency }) => decimalFaults({ price }, currency)),
}

export const billingAccountKind = catalog(
  BillingAccountRecord,
  recordTable<BillingAccountRecord>()({
    name: 'billing_account',
    fields: { id: 'key', ...stored(['business_name', 'business_id', 'document_type']) },
  }),
)

export const patientStatusKind = catalog(
  PatientStatusRecord,
  recordTable<PatientStatusRecord>()({ name: 'patient_status', fields: { id: 'key', ...stored(['name', 'color']) } }),
)

/** Every kind of reference data. No kind names records of a later one. */
export const catalogKinds = [
  branchKind,
  providerKind,
  appointmentTypeKind,
  appointmentStatusKind,
  treatmentCategoryKind,
  catalogTreatmentKind,
  billingAccountKind,
  patientStatusKind,
]
