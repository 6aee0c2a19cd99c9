// The clinic's reference data from its own system. It has no events: integrations read it again.
import {
  appointmentStatusKind,
  appointmentTypeKind,
  billingAccountKind,
  branchKind,
  catalogTreatmentKind,
  patientStatusKind,
  providerKind,
  treatmentCategoryKind,
} from '@clinic-data/records/catalog'
import { treatmentPlanKind } from '@clinic-data/records/treatments'
import { recordsOperation } from './ingest-operation.ts'
import { ofKind } from './store-records.ts'

const tag = 'Catalog'
const SILENT = 'Fires no event.'

export const catalogOperations = [
  recordsOperation({
    id: 'branches.store',
    path: '/branches',
    tag,
    summary: 'Store branches',
    description: `Where the clinic works. ${SILENT}`,
    ...ofKind(branchKind),
    example: {
      id: 'b1',
      name: 'Dizengoff',
      phone: '03-555-0142',
      address: { street: 'Dizengoff 99', city: 'Tel Aviv', postal_code: '6439602', country: 'IL' },
      color: '#2a9d8f',
    },
  }),
  recordsOperation({
    id: 'providers.store',
    path: '/providers',
    tag,
    summary: 'Store providers',
    description: `Who treats. Their weeks say when they work. ${SILENT}`,
    ...ofKind(providerKind),
    example: { id: 'dr1', name: 'Dr. Maya Cohen', type: 'dentist', color: '#e76f51' },
  }),
  recordsOperation({
    id: 'appointment_types.store',
    path: '/appointment-types',
    tag,
    summary: 'Store appointment types',
    description: `The kinds of visits. ${SILENT}`,
    ...ofKind(appointmentTypeKind),
    example: { id: 'checkup', name: 'Check-up', duration_minutes: 30, color: '#264653' },
  }),
  recordsOperation({
    id: 'appointment_statuses.store',
    path: '/appointment-statuses',
    tag,
    summary: 'Store appointment statuses',
    description: `The clinic's own statuses, and what each one means. If the kind of a status becomes \`cancelled\`, its appointments free their providers' time. If the kind becomes another, they take it again. ${SILENT}`,
    ...ofKind(appointmentStatusKind, { defaults: { enabled: true } }),
    example: { id: 'booked', name: 'Booked', color: '#8ecae6', enabled: true, kind: 'booked' },
  }),
  recordsOperation({
    id: 'treatment_categories.store',
    path: '/treatment-categories',
    tag,
    summary: 'Store treatment categories',
    description: `The groups of the treatment menu. ${SILENT}`,
    ...ofKind(treatmentCategoryKind),
    example: { id: 'hygiene', name: 'Hygiene' },
  }),
  recordsOperation({
    id: 'catalog_treatments.store',
    path: '/catalog-treatments',
    tag,
    summary: 'Store the treatment menu',
    description: `The procedures that the clinic offers. ${SILENT}`,
    ...ofKind(catalogTreatmentKind),
    example: { id: 'scaling', name: 'Scaling', code: 'D1110', price: 350, category_id: 'hygiene' },
  }),
  recordsOperation({
    id: 'billing_accounts.store',
    path: '/billing-accounts',
    tag,
    summary: 'Store billing accounts',
    description: `The receipt books. Documents that are issued keep what was printed on them. ${SILENT}`,
    ...ofKind(billingAccountKind),
    example: {
      id: 'main',
      business_name: 'Cohen Dental Ltd',
      business_id: '515000000',
      document_type: 'tax_invoice_receipt',
    },
  }),
  recordsOperation({
    id: 'patient_statuses.store',
    path: '/patient-statuses',
    tag,
    summary: 'Store patient statuses',
    description: `The clinic's own statuses of patients. ${SILENT}`,
    ...ofKind(patientStatusKind),
    example: { id: 'active', name: 'Active', color: '#52b788' },
  }),
  recordsOperation({
    id: 'treatment_plans.store',
    path: '/treatment-plans',
    tag,
    summary: 'Store treatment plans',
    description: `Treatments that belong together. ${SILENT}`,
    ...ofKind(treatmentPlanKind),
    example: { id: 'plan7', name: 'Full restoration' },
  }),
]
