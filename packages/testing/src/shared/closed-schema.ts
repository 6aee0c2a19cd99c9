// Checks values against a schema of the contract that allows no other fields. Compiled once for all files of a process of tests.
import { Ajv2020 } from 'ajv/dist/2020.js'

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const checks = new WeakMap<object, ReturnType<typeof ajv.compile>>()

/** @returns the faults, or an empty text. */
export function faultsOfClosed(schema: object, value: unknown): string {
  const check = checks.get(schema) ?? ajv.compile(closed(JSON.parse(JSON.stringify(schema))) as object)
  checks.set(schema, check)
  return check(value) ? '' : ajv.errorsText(check.errors)
}

/** Objects in answers are open to future fields. A backend sends none. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'examples' ? inner : closed(inner)]),
  )
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy
}
