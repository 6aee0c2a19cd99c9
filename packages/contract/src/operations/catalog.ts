// The six catalogs: bounded lists of a clinic's reference data.
import { answersList, operation, reading } from '../operation.ts'
import {
  AppointmentStatus,
  AppointmentType,
  BillingAccount,
  Branch,
  CatalogTreatment,
  Provider,
} from '../resources/catalog.ts'

const read = reading({ scope: 'catalog:read', tag: 'Catalog', untrustedText: false, patients: 'none' })

export const catalogBranchesList = operation({
  ...read('catalog.branches.list', '/v1/catalog/branches'),
  summary: 'Branches',
  description: 'Every branch of the clinic.',
  ...answersList(Branch),
})

export const catalogAppointmentTypesList = operation({
  ...read('catalog.appointment_types.list', '/v1/catalog/appointments/types'),
  summary: 'Appointment types',
  description: 'Every type of appointment, with its default duration.',
  ...answersList(AppointmentType),
})

export const catalogAppointmentStatusesList = operation({
  ...read('catalog.appointment_statuses.list', '/v1/catalog/appointments/statuses'),
  summary: 'Appointment statuses',
  description: 'Every status an appointment can have in this clinic.',
  ...answersList(AppointmentStatus),
})

export const catalogTreatmentsList = operation({
  ...read('catalog.treatments.list', '/v1/catalog/treatments'),
  summary: 'Treatment menu',
  description: 'The procedures that the clinic offers, with their default prices.',
  ...answersList(CatalogTreatment),
})

export const catalogProvidersList = operation({
  ...read('catalog.providers.list', '/v1/catalog/providers'),
  summary: 'Providers',
  description: 'Everyone who treats patients.',
  ...answersList(Provider),
})

export const catalogBillingAccountsList = operation({
  ...read('catalog.billing_accounts.list', '/v1/catalog/billing/accounts'),
  summary: 'Billing accounts',
  description: 'The receipt books. To record a payment, send the id of one as `billing_account_id`.',
  ...answersList(BillingAccount),
})

/** In the order in which they are named. */
export const catalogLists = [
  catalogBranchesList,
  catalogAppointmentTypesList,
  catalogAppointmentStatusesList,
  catalogTreatmentsList,
  catalogProvidersList,
  catalogBillingAccountsList,
]
