// Stores a clinic's reference data: branches, providers, appointment types and statuses, the treatment menu, accounts.

import { type Clinic, MAX } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { type AddressRecord, addressBounds, addressColumns } from './address.ts'
import { refreshBusy } from './appointments.ts'
import { type Bounds, type Fault, faultsOf, id, MOST_MINOR, nullable, oneOf, text, whole, yesOrNo } from './bounds.ts'
import { type Column, columnsOf, type RecordTable, type Stored } from './record-table.ts'
import { storedOf, type Existing, storeRows } from './store-rows.ts'

export type BranchRecord = {
  id: string
  name: string
  phone: string | null
  address: AddressRecord | null
  color: string | null
}
export type ProviderRecord = { id: string; name: string; type: string; color: string | null }
export type AppointmentTypeRecord = { id: string; name: string; duration_minutes: number; color: string | null }
/** What a clinic's own status means. */
export type AppointmentStatusKind = (typeof STATUS_KINDS)[number]
export type AppointmentStatusRecord = {
  id: string
  name: string
  color: string
  enabled: boolean
  kind: AppointmentStatusKind
}
export type TreatmentCategoryRecord = { id: string; name: string }
export type CatalogTreatmentRecord = {
  id: string
  name: string
  code: string | null
  price_minor: number | null
  color: string | null
  category_id: string | null
}
export type BillingAccountRecord = {
  id: string
  business_name: string
  business_id: string | null
  /** What is issued for a payment unless another is asked for. */
  document_type: 'receipt' | 'tax_invoice_receipt'
}
export type PatientStatusRecord = { id: string; name: string; color: string | null }

const STATUS_KINDS = ['booked', 'confirmed', 'arrived', 'completed', 'cancelled', 'no_show'] as const

const name = text(MAX.name)
const color = nullable(text(MAX.color))

/** One kind of reference data: how it is checked and stored. */
type Catalog<R> = {
  check: (record: R) => Fault[]
  /** `keep` adds what is missing and leaves alone what the clinic has. */
  store: (tx: Transaction, clinic: Clinic, records: readonly R[], existing?: Existing) => Promise<Stored>
}

function catalog<R extends { id: string }>(
  table: string,
  columns: readonly Column<R>[],
  bounds: Bounds<R>,
): Catalog<R> {
  const { derived } = columnsOf<R>()
  const key = [derived('id', (record) => record.id)]
  const records: RecordTable<R> = { name: table, key, columns }
  return {
    check: (record) => faultsOf(bounds, record),
    store: async (tx, clinic, given, existing) =>
      storedOf(given, await storeRows(tx, clinic, records, given, existing)),
  }
}

export const { check: checkBranch, store: storeBranches } = catalog<BranchRecord>(
  'branch',
  [...columnsOf<BranchRecord>().fields('name', 'phone', 'color'), ...addressColumns<BranchRecord>()],
  { id, name, phone: nullable(text(MAX.phone)), address: addressBounds, color },
)

export const { check: checkProvider, store: storeProviders } = catalog<ProviderRecord>(
  'provider',
  columnsOf<ProviderRecord>().fields('name', 'type', 'color'),
  { id, name, type: name, color },
)

export const { check: checkAppointmentType, store: storeAppointmentTypes } = catalog<AppointmentTypeRecord>(
  'appointment_type',
  columnsOf<AppointmentTypeRecord>().fields('name', 'duration_minutes', 'color'),
  { id, name, duration_minutes: whole(0, MAX.duration_minutes), color },
)

const statuses = catalog<AppointmentStatusRecord>(
  'appointment_status',
  columnsOf<AppointmentStatusRecord>().fields('name', 'color', 'enabled', 'kind'),
  { id, name, color: text(MAX.color), enabled: yesOrNo, kind: oneOf(...STATUS_KINDS) },
)
export const checkAppointmentStatus = statuses.check
export const storeAppointmentStatuses: typeof statuses.store = async (tx, clinic, records, existing) => {
  const stored = await statuses.store(tx, clinic, records, existing)
  if (stored.updated.size > 0) await refreshBusy(tx, clinic, [...stored.updated])
  return stored
}

export const { check: checkTreatmentCategory, store: storeTreatmentCategories } = catalog<TreatmentCategoryRecord>(
  'treatment_category',
  columnsOf<TreatmentCategoryRecord>().fields('name'),
  { id, name },
)

export const { check: checkCatalogTreatment, store: storeCatalogTreatments } = catalog<CatalogTreatmentRecord>(
  'catalog_treatment',
  columnsOf<CatalogTreatmentRecord>().fields('name', 'code', 'price_minor', 'color', 'category_id'),
  {
    id,
    name,
    code: nullable(text(MAX.code)),
    price_minor: nullable(whole(0, MOST_MINOR)),
    color,
    category_id: nullable(id),
  },
)

export const { check: checkBillingAccount, store: storeBillingAccounts } = catalog<BillingAccountRecord>(
  'billing_account',
  columnsOf<BillingAccountRecord>().fields('business_name', 'business_id', 'document_type'),
  {
    id,
    business_name: name,
    business_id: nullable(text(MAX.code)),
    document_type: oneOf('receipt', 'tax_invoice_receipt'),
  },
)

export const { check: checkPatientStatus, store: storePatientStatuses } = catalog<PatientStatusRecord>(
  'patient_status',
  columnsOf<PatientStatusRecord>().fields('name', 'color'),
  { id, name, color },
)
