// The files of a CSV import: the records of each, the ids in its columns, its unique values, and how it is stored.

import type { Clinic } from '@clinic-data/contract'
import type { Finding } from '@clinic-data/contract/validator'
import { AppointmentRecord, checkAppointment, storeAppointments } from '@clinic-data/records/appointments'
import { CallRecord, checkCall, storeCalls } from '@clinic-data/records/calls'
import * as catalog from '@clinic-data/records/catalog'
import {
  ChatConversationRecord,
  ChatMessageRecord,
  checkChatConversation,
  checkChatMessage,
  storeChatConversations,
  storeChatMessages,
} from '@clinic-data/records/chat'
import { ChatTemplateRecord, checkChatTemplate, storeChatTemplates } from '@clinic-data/records/chat-templates'
import { currencyFault, decimalFaults } from '@clinic-data/records/currency'
import { checkLead, LeadRecord, storeLeads } from '@clinic-data/records/leads'
import { checkPatient, PatientRecord, storePatients } from '@clinic-data/records/patients'
import { checkPayment, PaymentRecord, storePayments } from '@clinic-data/records/payments'
import {
  checkProviderWeek,
  checkTimeOff,
  ProviderWeekRecord,
  storeProviderWeeks,
  storeTimeOff,
  TimeOffRecord,
} from '@clinic-data/records/schedule'
import {
  checkTreatment,
  checkTreatmentPlan,
  storeTreatmentPlans,
  storeTreatments,
  TreatmentPlanRecord,
  TreatmentRecord,
  treatmentDecimals,
} from '@clinic-data/records/treatments'
import { type CsvShape, shape } from './shape.ts'

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
    name: 'branches',
    table: 'branch',
    record: catalog.BranchRecord,
    check: catalog.checkBranch,
    store: catalog.storeBranches,
  }),
  shape({
    name: 'providers',
    table: 'provider',
    record: catalog.ProviderRecord,
    check: catalog.checkProvider,
    store: catalog.storeProviders,
  }),
  shape({
    name: 'working_hours',
    table: 'working_hours',
    record: ProviderWeekRecord,
    key: ['provider_id'],
    references: { provider_id: 'provider' },
    lists: {
      windows: {
        file: 'working_hours.csv',
        table: 'working_hours',
        parent: 'provider_id',
        references: { branch_id: 'branch' },
      },
    },
    check: checkProviderWeek,
    store: storeProviderWeeks,
  }),
  shape({
    name: 'time_off',
    table: 'time_off',
    record: TimeOffRecord,
    references: { provider_id: 'provider', branch_id: 'branch' },
    check: checkTimeOff,
    store: storeTimeOff,
  }),
  shape({
    name: 'appointment_types',
    table: 'appointment_type',
    record: catalog.AppointmentTypeRecord,
    check: catalog.checkAppointmentType,
    store: catalog.storeAppointmentTypes,
  }),
  shape({
    name: 'appointment_statuses',
    table: 'appointment_status',
    record: catalog.AppointmentStatusRecord,
    check: catalog.checkAppointmentStatus,
    store: catalog.storeAppointmentStatuses,
  }),
  shape({
    name: 'treatment_categories',
    table: 'treatment_category',
    record: catalog.TreatmentCategoryRecord,
    check: catalog.checkTreatmentCategory,
    store: catalog.storeTreatmentCategories,
  }),
  shape({
    name: 'catalog_treatments',
    table: 'catalog_treatment',
    record: catalog.CatalogTreatmentRecord,
    references: { category_id: 'treatment_category' },
    check: sound(catalog.checkCatalogTreatment, ({ price }, { currency }) => decimalFaults({ price }, currency)),
    store: catalog.storeCatalogTreatments,
  }),
  shape({
    name: 'billing_accounts',
    table: 'billing_account',
    record: catalog.BillingAccountRecord,
    check: catalog.checkBillingAccount,
    store: catalog.storeBillingAccounts,
  }),
  shape({
    name: 'patient_statuses',
    table: 'patient_status',
    record: catalog.PatientStatusRecord,
    check: catalog.checkPatientStatus,
    store: catalog.storePatientStatuses,
  }),
  shape({
    name: 'patients',
    table: 'patient',
    record: PatientRecord,
    references: { status_id: 'patient_status' },
    check: checkPatient,
    store: storePatients,
  }),
  shape({
    name: 'appointments',
    table: 'appointment',
    record: AppointmentRecord,
    references: {
      patient_id: 'patient',
      branch_id: 'branch',
      type_id: 'appointment_type',
      status_id: 'appointment_status',
      provider_ids: 'provider',
    },
    check: checkAppointment,
    store: storeAppointments,
  }),
  shape({
    name: 'treatment_plans',
    table: 'treatment_plan',
    record: TreatmentPlanRecord,
    check: checkTreatmentPlan,
    store: storeTreatmentPlans,
  }),
  shape({
    name: 'treatments',
    table: 'treatment',
    record: TreatmentRecord,
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
    name: 'payments',
    table: 'payment',
    record: PaymentRecord,
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
    name: 'calls',
    table: 'call',
    record: CallRecord,
    references: { branch_id: 'branch', recording_file_id: 'file' },
    check: checkCall,
    store: storeCalls,
  }),
  shape({
    name: 'chat_templates',
    table: 'chat_template',
    record: ChatTemplateRecord,
    unique: [['name', 'language']],
    check: checkChatTemplate,
    store: storeChatTemplates,
  }),
  shape({
    name: 'chat_conversations',
    table: 'chat_conversation',
    record: ChatConversationRecord,
    unique: [['patient_phone']],
    check: checkChatConversation,
    store: storeChatConversations,
  }),
  shape({
    name: 'chat_messages',
    table: 'chat_message',
    record: ChatMessageRecord,
    references: { conversation_id: 'chat_conversation', 'media.file_id': 'file' },
    check: checkChatMessage,
    store: storeChatMessages,
  }),
  shape({
    name: 'leads',
    table: 'lead',
    record: LeadRecord,
    check: checkLead,
    store: storeLeads,
  }),
]

/** Finds the file with the rows of a table. */
export function fileOf(table: string): string | undefined {
  return csvShapes.find((one) => one.table === table)?.file
}
