// A lead's columns, and its rendering as the contract's resource.
import type { Lead } from '@clinic-data/contract/resources/lead'
import type { Static } from '@clinic-data/contract/schema'
import { type RowOf, resourceTable } from './resource-table.ts'

/** These fields are stored as records give them, and shown unchanged. */
export const leadFields = ['first_name', 'last_name', 'phone', 'email', 'source', 'status'] as const

export const leadResource = resourceTable<Static<typeof Lead>>()({
  relation: 'lead',
  stored: ['id', ...leadFields, 'attribution'],
  instants: ['created_at'],
  made: {},
})
export type LeadRow = RowOf<typeof leadResource>
