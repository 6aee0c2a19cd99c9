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

export function time(description: string): Dimension {
  return { kind: 'time', description }
}
