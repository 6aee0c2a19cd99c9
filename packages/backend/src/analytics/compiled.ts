// The statements of questions, each shape compiled once.
import { Statement } from '@clinic-data/database/sql'
import { compile } from './compile.ts'
import type { ParameterName } from './parameters.ts'
import type { Question } from './question.ts'

/** Some kilobytes each. Integrations ask a few shapes again and again; who asks more of them compiles, which takes microseconds. */
const MOST_SHAPES = 1000

const known = new Map<string, Statement>()

export function statementOf({ shape, values }: Question): Statement {
  const key = JSON.stringify(shape)
  let compiled = known.get(key)
  if (compiled === undefined) {
    compiled = compile(shape)
    // Its text is then found by identity.
    Object.freeze(compiled.chunks)
    // The shape that was asked for first goes first.
    for (const oldest of known.size < MOST_SHAPES ? [] : known.keys()) {
      known.delete(oldest)
      break
    }
    known.set(key, compiled)
  }
  return new Statement(
    compiled.chunks,
    compiled.values.map((name) => given(values, name as ParameterName)),
  )
}

function given(values: Question['values'], name: ParameterName) {
  const value = values[name]
  if (value === undefined) throw new TypeError(`the question has no ${name}`)
  return value
}
