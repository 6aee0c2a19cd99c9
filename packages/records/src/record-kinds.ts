// Every kind of record, by its name in files. No kind names records of a later one.

import { appointmentKind } from './appointments.ts'
import { callKind } from './calls.ts'
import {
  appointmentStatusKind,
  appointmentTypeKind,
  billingAccountKind,
  branchKind,
  catalogTreatmentKind,
  patientStatusKind,
  providerKind,
  treatmentCategoryKind,
} from './catalog.ts'
import { chatConversationKind, chatMessageKind } from './chat.ts'
import { chatTemplateKind } from './chat-templates.ts'
import { leadKind } from './leads.ts'
import { patientKind } from './patients.ts'
import { paymentKind } from './payments.ts'
import { providerWeekKind, timeOffKind } from './schedule.ts'
import type { RecordKind } from './storing/record-kind.ts'
import { treatmentKind, treatmentPlanKind } from './treatments.ts'

export const recordKinds = {
  branches: branchKind,
  providers: providerKind,
  working_hours: providerWeekKind,
  time_off: timeOffKind,
  appointment_types: appointmentTypeKind,
  appointment_statuses: appointmentStatusKind,
  treatment_categories: treatmentCategoryKind,
  catalog_treatments: catalogTreatmentKind,
  billing_accounts: billingAccountKind,
  patient_statuses: patientStatusKind,
  patients: patientKind,
  appointments: appointmentKind,
  treatment_plans: treatmentPlanKind,
  treatments: treatmentKind,
  payments: paymentKind,
  calls: callKind,
  chat_templates: chatTemplateKind,
  chat_conversations: chatConversationKind,
  chat_messages: chatMessageKind,
  leads: leadKind,
} as const satisfies Record<string, RecordKind>
