// Gives the statement for a query. Compiles each shape once and keeps it.
import { Statement } from '@clinic-data/database/sql'
import { compile } from './compile.ts'
import type { ParameterName } from './parameters.ts'
import type { Question, Shape } from './question.ts'

/**
 * Each takes some kilobytes. Integrations use a few shapes again and again. Beyond this number shapes are compiled again, which
 * takes microseconds.
 */
const MOST_SHAPES = 1000

const known = new Map<string, Statement>()

export function statementOf({ shape, values }: Question): Statement {
  const { chunks, values: names } = compiledOf(shape)
  return new Statement(
    chunks,
    names.map((name) => valueFor(values, name as ParameterName)),
  )
}

function compiledOf(shape: Shape): Statement {
  const key = JSON.stringify(shape)
  const compiled = known.get(key) ?? compile(shape)
  if (known.has(key)) return compiled
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= MOST_SHAPES) known.delete(oldest)
  known.set(key, compiled)
  // Frozen chunks let the database find the statement's text by identity.
  Object.freeze(compiled.chunks)
  return compiled
}

function valueFor(values: Question['values'], name: ParameterName) {
  const value = values[name]
  if (value === undefined) throw new TypeError(`the question has no ${name}`)
  return value
}
