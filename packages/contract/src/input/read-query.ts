// Reads a query string by the contract: strictly, typed by the operation's schema, with all faults reported.

import type { Fault } from '../problems.ts'
import type { TObject } from '../schema/schema.ts'
import { shownName } from './findings.ts'

const kinds = ['integer', 'number', 'boolean'] as const
type Kind = 'string' | (typeof kinds)[number]

interface Parameter {
  kind: Kind
  format: string | undefined
}

const WHOLE = /^-?(?:0|[1-9]\d{0,15})$/
const DECIMAL = /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,3})?$/
const INSTANT_FORMATS = new Set(['instant', 'day-or-instant'])
/** Values separated by commas. Many programs repeat the parameter instead, and mean the same. */
const LIST_FORMATS = new Set(['event-types', 'ids'])

/** Compiles the reader of an operation's query string. It does not check the values by the schema. */
export function queryReader({
  query,
}: {
  query: TObject
}): (search: string, faults: Fault[]) => Record<string, unknown> {
  const parameters = new Map<string, Parameter>(
    Object.entries(query.properties).map(([name, schema]) => {
      const { type, format } = schema as { type?: string; format?: string }
      return [name, { kind: kinds.find((kind) => kind === type) ?? 'string', format }]
    }),
  )
  return (search, faults) => {
    // Without a prototype: a parameter named `__proto__` is just another unknown one.
    const values: Record<string, unknown> = Object.create(null)
    if (search === '') return values
    for (const pair of search.split('&')) {
      if (pair === '') continue
      const cut = pair.indexOf('=')
      const name = decode(cut < 0 ? pair : pair.slice(0, cut))
      const text = decode(cut < 0 ? '' : pair.slice(cut + 1))
      if (name === null || text === null) {
        faults.push({
          parameter: name === null ? 'query' : shownName(name),
          code: 'encoding',
          detail: 'must be percent-encoded UTF-8 without NUL',
        })
        continue
      }
      const parameter = parameters.get(name)
      const former = values[name]
      if (typeof former === 'string' && text !== '' && LIST_FORMATS.has(parameter?.format ?? ''))
        values[name] = `${former},${text}`
      else if (Object.hasOwn(values, name))
        faults.push({ parameter: shownName(name), code: 'repeated', detail: 'must be given once' })
      else if (text === '' && parameter !== undefined) {
        faults.push({ parameter: name, code: 'empty', detail: 'must not be empty; leave it out instead' })
        values[name] = undefined
      } else values[name] = typed(text, parameter)
    }
    return values
  }
}

function typed(text: string, parameter: Parameter | undefined): unknown {
  if (parameter?.kind === 'integer') return WHOLE.test(text) ? Number(text) : text
  if (parameter?.kind === 'number') return DECIMAL.test(text) ? Number(text) : text
  if (parameter?.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return INSTANT_FORMATS.has(parameter?.format ?? '') ? repairOffset(text) : text
}

/** Accepts a `+` that arrived as a space: `2026-07-12T09:30:00 03:00`. */
function repairOffset(text: string): string {
  return text.length > 10 && text[10] === 'T' ? text.replace(/ (\d{2}:\d{2})$/, '+$1') : text
}

function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
