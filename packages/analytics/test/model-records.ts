// The model of each dataset.
import type { DatasetName } from '@clinic-data/contract/analytics/datasets'
import { appointments, production, treatments, utilization } from './model-care.ts'
import { calls, chat, leads, patients, payments } from './model-contact.ts'
import type { ModelDataset } from './model-record.ts'

export const modelDatasets: { readonly [N in DatasetName]: ModelDataset<N> } = {
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
