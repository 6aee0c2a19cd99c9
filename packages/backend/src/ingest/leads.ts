// The progress of leads, from the clinic's own system. Integrations capture leads and never read them back.

import { changeLeadStatuses, type LeadStep } from '@clinic-data/changes/lead-status'
import { leadStatuses } from '@clinic-data/contract/resources/lead'
import { choice, Id, nullable, strictObject } from '@clinic-data/contract/schema'
import { RecordedInstant } from '@clinic-data/records/storing/record-schema'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { storeRecords } from './store-records.ts'

export const leadOperations = [
  recordsOperation({
    id: 'leads.status.update',
    erasable: { id: 'lead' },
    path: '/leads/status',
    tag: 'Leads',
    summary: 'Store what became of leads',
    description:
      'An open lead is `new` or `in_progress`. It can change between the two, or become `converted` or `lost`. A `lost` lead can become `in_progress` again; a `converted` lead stays converted. Each step is an entry on the timeline of the lead. Fires no event.',
    record: sentForm(
      strictObject({
        id: Id,
        status: choice(leadStatuses, { description: 'What it is now.' }),
        converted_at: nullable(RecordedInstant, {
          description: 'For a converted lead: when the person became a patient. Default: the time of storing.',
        }),
      }),
    ),
    references: { id: 'lead' },
    becomes: 'updated',
    example: { id: 'lead8841', status: 'converted', converted_at: '2026-07-14T10:30:00+03:00' },
    apply: storeRecords<LeadStep>({ dated: false, change: changeLeadStatuses }),
  }),
]
