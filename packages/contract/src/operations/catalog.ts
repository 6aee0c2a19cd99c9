// The six catalogs: bounded lists of a clinic's reference data.
import { bounded, operation } from '../operation.ts'
import {
  AppointmentStatus,
  AppointmentType,
  BillingAccount,
  Branch,
  CatalogTreatment,
  Provider,
} from '../resources/catalog.ts'

const catalog = {
  method: 'GET',
  scope: 'catalog:read',
  tag: 'Catalog',
  shape: 'bounded',
  untrustedText: false,
} as const

export const catalogBranchesList = operation({
  ...catalog,
  id: 'catalog.branches.list',
  path: '/v1/catalog/branches',
  summary: 'Branches',
  description: 'Every branch of the clinic.',
  output: bounded(Branch),
})

export const catalogAppointmentTypesList = operation({
  ...catalog,
  id: 'catalog.appointment_types.list',
  path: '/v1/catalog/appointments/types',
  summary: 'Appointment types',
  description: 'Every type of appointment, with its default duration.',
  output: bounded(AppointmentType),
})

export const catalogAppointmentStatusesList = operation({
  ...catalog,
  id: 'catalog.appointment_statuses.list',
  path: '/v1/catalog/appointments/statuses',
  summary: 'Appointment statuses',
  description: 'Every status an appointment can have in this clinic.',
  output: bounded(AppointmentStatus),
})

export const catalogTreatmentsList = operation({
  ...catalog,
  id: 'catalog.treatments.list',
  path: '/v1/catalog/treatments',
  summary: 'Treatment menu',
  description: 'The procedures that the clinic offers, with their default prices.',
  output: bounded(CatalogTreatment),
})

export const catalogProvidersList = operation({
  ...catalog,
  id: 'catalog.providers.list',
  path: '/v1/catalog/providers',
  summary: 'Providers',
  description: 'Everyone who treats patients.',
  output: bounded(Provider),
})

export const catalogBillingAccountsList = operation({
  ...catalog,
  id: 'catalog.billing_accounts.list',
  path: '/v1/catalog/billing/accounts',
  summary: 'Billing accounts',
  description: 'The receipt books; their ids are usable as `billing_account_id` when a payment is recorded.',
  output: bounded(BillingAccount),
})
