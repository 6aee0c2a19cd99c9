// The kinds of dimensions in a dataset.
import type { Scope } from '../scopes.ts'
import type { Dimension } from './dataset.ts'

export function column(description: string, requires_scope?: Scope): Dimension {
  return { kind: 'column', description, ...(requires_scope && { requires_scope }) }
}

/** A column that holds the id of something that has a name. */
export function labelled(description: string, requires_scope?: Scope): Dimension {
  return { ...column(description, requires_scope), labelled: true }
}

/** The patient of a record, by name. Who may not read these records reads them in no groups of one patient either. */
export function patientOf(description: string, records: Scope): Dimension {
  const needed = `${description} Needs \`${records}\` too.`
  return { ...labelled(needed, 'patients:read'), requires_also: records }
}

export function time(description: string): Dimension {
  return { kind: 'time', description }
}
