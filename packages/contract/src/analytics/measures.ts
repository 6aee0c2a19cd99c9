// The kinds of measures in a dataset.
import type { Scope } from '../scopes.ts'
import type { Measure, Unit } from './dataset.ts'

/** The number of records. */
export function count(description: string): Measure {
  return { kind: 'count', unit: 'count', description }
}

/** The number of different values. */
export function distinct(description: string): Measure {
  return { kind: 'count_distinct', unit: 'count', description }
}

export function ratio(description: string): Measure {
  return { kind: 'ratio', unit: 'percent', description }
}

export function sum(unit: Unit, description: string, requires_scope?: Scope): Measure {
  return { kind: 'sum', unit, description, ...(requires_scope && { requires_scope }) }
}

export function average(unit: Unit, description: string, requires_scope?: Scope): Measure {
  return { kind: 'avg', unit, description, ...(requires_scope && { requires_scope }) }
}
