// An embedded `(id, name)`: a branch, a provider, a plan.
import type { NamedReference, Static } from '@clinic-data/contract/schema'

export type Reference = Static<typeof NamedReference>

/** Null when there is none: a name is never null where there is an id. */
export function renderReference(id: string | null, name: string | null): Reference | null {
  return id === null || name === null ? null : { id, name }
}
