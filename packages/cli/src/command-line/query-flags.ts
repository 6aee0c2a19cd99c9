// The short forms of `sc query`: `-b field:grain`, `-f field:op:value`, `-o name:dir`, each as the contract writes it.
import { grains, operators } from '@clinic-data/contract/analytics/dataset'
import type { Read, Value } from './option-value.ts'

const directions = ['asc', 'desc'] as const

const NAME = /^[a-z][a-z0-9_]*$/

/** Reads each field of a query that has a short form. */
export const shortForms: Readonly<Record<string, (word: string) => Read>> = {
  measures: readMeasure,
  dimensions: readDimension,
  filters: readFilter,
  order: readOrder,
}

/** Columns and scopes are named with commas, so measures are too, by habit. */
function readMeasure(word: string): Read {
  if (NAME.test(word)) return { value: word }
  const names = word.split(',').map((name) => name.trim())
  const way = names.length > 1 && names.every((name) => NAME.test(name)) ? `: -m ${names.join(' -m ')}` : ''
  return { fault: `-m must be the name of one measure${way}` }
}

/** `provider`, `effective_date:month`. */
function readDimension(word: string): Read {
  const [field = '', grain, ...more] = word.split(':')
  if (!NAME.test(field) || more.length > 0)
    return { fault: '-b must be a dimension, or a time dimension with a grain: effective_date:month' }
  if (grain === undefined) return { value: field }
  if (!isOneOf(grains, grain)) return { fault: `the grain of -b must be one of ${grains.join(', ')}` }
  return { value: { field, grain } }
}

/**
 * `field:op:value`, split at the first two colons: the value may hold more. Values stay text, because ids are text. Only true and
 * false are converted.
 */
function readFilter(word: string): Read {
  const [, field = '', op = '', value = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(word) ?? []
  if (!NAME.test(field)) return { fault: '-f must be field:op:value, for example provider:in:dr-cohen,dr-levi' }
  if (!isOneOf(operators, op)) return { fault: `the op of -f must be one of ${operators.join(', ')}` }
  if (value === '') return { fault: `-f ${field}:${op} needs a value` }
  if (op === 'in' || op === 'not_in') return listOf(field, op, value.split(','))
  if (op === 'between') {
    const dots = value.indexOf('..')
    if (dots === -1) return { fault: `-f ${field}:between needs a range a..b` }
    return listOf(field, op, [value.slice(0, dots), value.slice(dots + 2)])
  }
  return { value: { field, op, value: op === 'eq' && /^(true|false)$/.test(value) ? value === 'true' : value } }
}

function listOf(field: string, op: string, values: readonly string[]): Read {
  const parts = values.map((part) => part.trim())
  if (parts.includes('')) return { fault: `-f ${field}:${op} has an empty value` }
  return { value: { field, op, value: parts } satisfies Value }
}

/** `net_revenue:desc`. Without a direction: ascending. */
function readOrder(word: string): Read {
  const [by = '', dir = 'asc', ...more] = word.split(':')
  if (!NAME.test(by) || more.length > 0)
    return { fault: '-o must be a measure or dimension and a direction: net_revenue:desc' }
  if (!isOneOf(directions, dir)) return { fault: `the direction of -o must be ${directions.join(' or ')}` }
  return { value: { by, dir } }
}

function isOneOf(choices: readonly string[], word: string): boolean {
  return choices.includes(word)
}
