// The files of a CSV import: the records of each, the ids in its columns, its unique values, and how it is stored.

import { AppointmentRecord, checkAppointment, storeAppointments } from '@clinic-data/backend/records/appointments'
import { CallRecord, checkCall, storeCalls } from '@clinic-data/backend/records/calls'
import * as catalog from '@clinic-data/backend/records/catalog'
import {
  ChatConversationRecord,
  ChatMessageRecord,
  checkChatConversation,
  checkChatMessage,
  storeChatConversations,
  storeChatMessages,
} from '@clinic-data/backend/records/chat'
import { ChatTemplateRecord, checkChatTemplate, storeChatTemplates } from '@clinic-data/backend/records/chat-templates'
import { currencyFault, decimalFaults } from '@clinic-data/backend/records/currency'
import { checkLead, LeadRecord, storeLeads } from '@clinic-data/backend/records/leads'
import { checkPatient, PatientRecord, storePatients } from '@clinic-data/backend/records/patients'
import { checkPayment, PaymentRecord, storePayments } from '@clinic-data/backend/records/payments'
import type { Stored } from '@clinic-data/backend/records/record-table'
import {
  checkProviderWeek,
  checkTimeOff,
  ProviderWeekRecord,
  storeProviderWeeks,
  storeTimeOff,
  TimeOffRecord,
} from '@clinic-data/backend/records/schedule'
import {
  checkTreatment,
  checkTreatmentPlan,
  storeTreatmentPlans,
  storeTreatments,
  TreatmentPlanRecord,
  TreatmentRecord,
  treatmentDecimals,
} from '@clinic-data/backend/records/treatments'
import type { Clinic } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import type { TSchema } from '@clinic-data/contract/schema'
import type { Finding } from '@clinic-data/contract/validator'
import type { Transaction } from '@clinic-data/database'
import { type ChildList, type Column, projectionOf } from './columns.ts'

/** The rules for the rows of a file, beyond the schema. */
type Rules = {
  /** The columns that together identify a row. Empty if nothing identifies it. */
  key: readonly string[]
  /** The columns that hold ids, with the tables that the ids name. */
  references: Readonly<Record<string, string>>
  /** Columns whose values together must be unique in the clinic, unless one is empty. */
  unique: readonly (readonly string[])[]
}

/** A file with the lists of another file's records, such as patients' contacts, or of records that are nothing but a list. */
export type CsvList = Rules & {
  file: string
  table: string
  /** The field of the record, such as `contacts`. */
  field: string
  /** The first column, such as `patient_id`. The others are fields of the items. */
  parent: string
  schema: JsonSchema
  columns: readonly Column[]
  /** The most items of one record. */
  most: number
}

export type CsvShape = Rules & {
  /** The name of the file without `.csv`. */
  name: string
  file: string
  table: string
  schema: JsonSchema
  columns: readonly Column[]
  lists: readonly CsvList[]
  /** This and `store` are called with records that were read by the shape's schema. */
  check(record: object, clinic: Clinic): Finding[]
  store(tx: Transaction, clinic: Clinic, records: readonly object[]): Promise<Stored>
}

type Written<R extends object> = Partial<Rules> & {
  name: string
  table: string
  record: TSchema
  /** The rules for items, by the list's field. */
  lists?: Readonly<Record<string, Partial<Rules & Pick<CsvList, 'file' | 'table' | 'parent'>>>>
  check: (record: R, clinic: Clinic) => Finding[]
  store: (tx: Transaction, clinic: Clinic, records: readonly R[]) => Promise<Stored>
}

function shape<R extends object>({ name, table, record, lists = {}, check, store, ...rules }: Written<R>): CsvShape {
  const schema = record as JsonSchema
  const projection = projectionOf(schema)
  return {
    ...{ name, file: `${name}.csv`, table, schema, columns: projection.columns },
    ...{ key: ['id'], references: {}, unique: [], ...rules },
    lists: projection.lists.map((list) => listOf(table, list, lists[list.field])),
    check,
    store,
  }
}

function listOf(table: string, { field, items, most }: ChildList, rules: Partial<CsvList> = {}): CsvList {
  const parent = rules.parent ?? `${table}_id`
  const owner: Column = { name: parent, place: '', path: [], kind: 'text', schema: { type: 'string' }, optional: false }
  return {
    ...{ file: `${table}_${field}.csv`, table: `${table}_${field.replace(/s$/, '')}`, field, schema: items, most },
    ...{ key: [], references: {}, unique: [], ...rules, parent },
    columns: [owner, ...projectionOf(items).columns],
  }
}

/** Whether a record has no row of its own: consecutive rows of its list make one record. */
export function listThatIsAll({ file, lists }: CsvShape): CsvList | undefined {
  return lists.find((list) => list.file === file)
}

/** A record's own faults, and those for this clinic of a record that has none. */
function sound<R>(check: (record: R) => Finding[], forClinic: (record: R, clinic: Clinic) => Finding[]) {
  return (record: R, clinic: Clinic): Finding[] => {
    const findings = check(record)
    return findings.length > 0 ? findings : forClinic(record, clinic)
  }
}

/** No file names rows of a later one. */
export const csvShapes: readonly CsvShape[] = [
  shape({
    ...{ name: 'branches', table: 'branch', record: catalog.BranchRecord },
    ...{ check: catalog.checkBranch, store: catalog.storeBranches },
  }),
  shape({
    ...{ name: 'providers', table: 'provider', record: catalog.ProviderRecord },
    ...{ check: catalog.checkProvider, store: catalog.storeProviders },
  }),
  shape({
    ...{ name: 'working_hours', table: 'working_hours', record: ProviderWeekRecord },
    key: ['provider_id'],
    references: { provider_id: 'provider' },
    lists: {
      windows: {
        ...{ file: 'working_hours.csv', table: 'working_hours', parent: 'provider_id' },
        references: { branch_id: 'branch' },
      },
    },
    ...{ check: checkProviderWeek, store: storeProviderWeeks },
  }),
  shape({
    ...{ name: 'time_off', table: 'time_off', record: TimeOffRecord },
    references: { provider_id: 'provider', branch_id: 'branch' },
    ...{ check: checkTimeOff, store: storeTimeOff },
  }),
  shape({
    ...{ name: 'appointment_types', table: 'appointment_type', record: catalog.AppointmentTypeRecord },
    ...{ check: catalog.checkAppointmentType, store: catalog.storeAppointmentTypes },
  }),
  shape({
    ...{ name: 'appointment_statuses', table: 'appointment_status', record: catalog.AppointmentStatusRecord },
    ...{ check: catalog.checkAppointmentStatus, store: catalog.storeAppointmentStatuses },
  }),
  shape({
    ...{ name: 'treatment_categories', table: 'treatment_category', record: catalog.TreatmentCategoryRecord },
    ...{ check: catalog.checkTreatmentCategory, store: catalog.storeTreatmentCategories },
  }),
  shape({
    ...{ name: 'catalog_treatments', table: 'catalog_treatment', record: catalog.CatalogTreatmentRecord },
    references: { category_id: 'treatment_category' },
    check: sound(catalog.checkCatalogTreatment, ({ price }, { currency }) => decimalFaults({ price }, currency)),
    store: catalog.storeCatalogTreatments,
  }),
  shape({
    ...{ name: 'billing_accounts', table: 'billing_account', record: catalog.BillingAccountRecord },
    ...{ check: catalog.checkBillingAccount, store: catalog.storeBillingAccounts },
  }),
  shape({
    ...{ name: 'patient_statuses', table: 'patient_status', record: catalog.PatientStatusRecord },
    ...{ check: catalog.checkPatientStatus, store: catalog.storePatientStatuses },
  }),
  shape({
    ...{ name: 'patients', table: 'patient', record: PatientRecord },
    references: { status_id: 'patient_status' },
    ...{ check: checkPatient, store: storePatients },
  }),
  shape({
    ...{ name: 'appointments', table: 'appointment', record: AppointmentRecord },
    references: {
      patient_id: 'patient',
      branch_id: 'branch',
      type_id: 'appointment_type',
      status_id: 'appointment_status',
      provider_ids: 'provider',
    },
    ...{ check: checkAppointment, store: storeAppointments },
  }),
  shape({
    ...{ name: 'treatment_plans', table: 'treatment_plan', record: TreatmentPlanRecord },
    ...{ check: checkTreatmentPlan, store: storeTreatmentPlans },
  }),
  shape({
    ...{ name: 'treatments', table: 'treatment', record: TreatmentRecord },
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
  }),
  shape({
    ...{ name: 'payments', table: 'payment', record: PaymentRecord },
    references: { patient_id: 'patient', billing_account_id: 'billing_account', refunded_payment_id: 'payment' },
    unique: [['external_id']],
    lists: {
      documents: {
        key: ['id'],
        references: { billing_account_id: 'billing_account' },
        unique: [['billing_account_id', 'type', 'number']],
      },
    },
    check: sound(checkPayment, ({ amount, currency }, clinic) =>
      currency === clinic.currency ? decimalFaults({ amount }, currency) : [currencyFault(clinic)],
    ),
    store: storePayments,
  }),
  shape({
    ...{ name: 'calls', table: 'call', record: CallRecord },
    references: { branch_id: 'branch', recording_file_id: 'file' },
    ...{ check: checkCall, store: storeCalls },
  }),
  shape({
    ...{ name: 'chat_templates', table: 'chat_template', record: ChatTemplateRecord },
    unique: [['name', 'language']],
    ...{ check: checkChatTemplate, store: storeChatTemplates },
  }),
  shape({
    ...{ name: 'chat_conversations', table: 'chat_conversation', record: ChatConversationRecord },
    unique: [['patient_phone']],
    ...{ check: checkChatConversation, store: storeChatConversations },
  }),
  shape({
    ...{ name: 'chat_messages', table: 'chat_message', record: ChatMessageRecord },
    references: { conversation_id: 'chat_conversation', 'media.file_id': 'file' },
    ...{ check: checkChatMessage, store: storeChatMessages },
  }),
  shape({
    ...{ name: 'leads', table: 'lead', record: LeadRecord },
    ...{ check: checkLead, store: storeLeads },
  }),
]

/** Finds the file with the rows of a table. */
export function fileOf(table: string): string | undefined {
  return csvShapes.find((one) => one.table === table)?.file
}

/** Finds the column that names another row of the same file. */
export function namesItself({ references, table }: CsvShape | CsvList): string | undefined {
  return Object.keys(references).find((column) => references[column] === table)
}
