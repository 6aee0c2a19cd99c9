// Renders an embedded id and name, for example of a branch, a provider or a plan.
import type { NamedReference, Static } from '@clinic-data/contract/schema'

export type Reference = Static<typeof NamedReference>

/** Null when there is no reference. A row with an id always has a name. */
export function renderReference(id: string | null, name: string | null): Reference | null {
  return id === null || name === null ? null : { id, name }
}
