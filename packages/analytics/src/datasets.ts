// The SQL of each dataset.
import type { DatasetName } from '@clinic-data/contract/analytics/datasets'
import type { DatasetSql } from './dataset-sql.ts'
import { appointments } from './datasets/appointments.ts'
import { calls } from './datasets/calls.ts'
import { chat } from './datasets/chat.ts'
import { leads } from './datasets/leads.ts'
import { patients } from './datasets/patients.ts'
import { payments } from './datasets/payments.ts'
import { production } from './datasets/production.ts'
import { treatments } from './datasets/treatments.ts'
import { utilization } from './datasets/utilization.ts'

export const datasetSql: { readonly [N in DatasetName]: DatasetSql<N> } = {
  treatments,
  production,
  appointments,
  payments,
  patients,
  leads,
  calls,
  chat,
  utilization,
}
