// The cursors of one operation, bound to the grant's clinic, the operation and the filters, so that a page continues only where it
// began. REST and MCP accept each other's.
import type { Grant, Operation, Position } from '@clinic-data/contract'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { openCursor, sealCursor } from './cursor.ts'
import type { Filters, Input } from './read-input.ts'

export interface OperationCursors {
  /** The position, or null when the cursor was made for something else. */
  open(grant: Grant, filters: Filters, cursor: string): Position | null
  seal(grant: Grant, filters: Filters, position: Position): string
}

export function cursorsOf(keys: SigningKeys, operation: Pick<Operation, 'id' | 'unbound'>): OperationCursors {
  const { id, unbound = [] } = operation
  const binding = (grant: Grant, filters: Filters) => ({
    clinic_id: grant.clinic.clinic_id,
    operation: id,
    filters: Object.fromEntries(Object.entries(filters).filter(([name]) => !unbound.includes(name))),
  })
  return {
    open: (grant, filters, cursor) => openCursor(keys, binding(grant, filters), cursor),
    seal: (grant, filters, position) => sealCursor(keys, binding(grant, filters), position),
  }
}

/** The filters that a cursor is bound to: path and query, except what differs from page to page. */
export function filtersOf({ params, query }: Input): Filters {
  const { limit, after, ...filters } = query
  return { ...params, ...filters }
}
