// One validator per schema: public inputs, ingest inputs and records are checked by the same rules, in the same words.
import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import type { TSchema } from '../schema/schema.ts'
import { hasAtMost } from '../values/character-count.ts'
import { visibleText } from '../values/visible-text.ts'
import { type Finding, findingsOf } from './findings.ts'
import { type About, describingFormats, formats } from './formats.ts'

export type { Finding } from './findings.ts'
export type { About } from './formats.ts'

export type Validate = (value: unknown, about: About) => Finding[]

/** Far more than any answer reports. A body of one megabyte could cause half a million. */
const MOST_FINDINGS = 1000

const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  strict: true,
  // A choice of fields names them without describing them again.
  strictRequired: false,
  // A test checks the schemas themselves in their published form.
  meta: false,
  validateSchema: false,
  allowUnionTypes: true,
  // Findings need the schema at hand, and formats need to know the clinic.
  verbose: true,
  passContext: true,
  // Ajv reports all errors or only the first one. Its generated code is changed here to stop at enough.
  code: { process: (code) => code.replaceAll('errors++', `if(++errors>=${MOST_FINDINGS})throw vErrors`) },
})

// Ajv's own formats know no clinic.
ajv.removeKeyword('format')
ajv.addKeyword({
  keyword: 'format',
  type: ['string', 'number'],
  schemaType: 'string',
  errors: false,
  compile: (name: string) => {
    const format = formats[name]
    if (!format && !describingFormats.includes(name)) throw new Error(`there is no format ${name}`)
    return function (this: About, value: unknown) {
      return !format || typeof value !== 'string' || format.accepts(value, this)
    }
  },
})

// Not `multipleOf`: validators divide by it in binary, and refuse 1.1.
ajv.addKeyword({
  keyword: 'decimals',
  type: 'number',
  schemaType: 'number',
  errors: false,
  compile: (decimals: number) => {
    const steps = 10 ** decimals
    // The quotient is the number nearest to the decimal, so a decimal with too many places never equals it.
    return (value: number) => Math.round(value * steps) / steps === value
  },
})

// Ajv's own checks count all characters even of a text that is far too long. No character takes more than two code units.
ajv.removeKeyword('maxLength')
ajv.addKeyword({
  keyword: 'maxLength',
  type: 'string',
  schemaType: 'number',
  before: 'pattern',
  errors: false,
  compile: (most: number) => (value: string) => hasAtMost(value, most),
})
ajv.removeKeyword('minLength')
ajv.addKeyword({
  keyword: 'minLength',
  type: 'string',
  schemaType: 'number',
  before: 'pattern',
  errors: false,
  compile: (fewest: number) => (value: string) =>
    value.length >= 2 * fewest || (value.length >= fewest && [...value].length >= fewest),
})

ajv.addKeyword({
  keyword: 'trim',
  type: 'string',
  schemaType: 'boolean',
  before: 'maxLength',
  modifying: true,
  errors: false,
  validate: (_: boolean, value: string, __: unknown, at?: DataValidationCxt) => {
    if (at) at.parentData[at.parentDataProperty] = value.trim()
    return true
  },
})

// Only answers have it, and the serializer does what it says.
ajv.addKeyword({ keyword: 'absentIs' })

ajv.addKeyword({
  keyword: 'distinct',
  type: 'array',
  schemaType: 'boolean',
  modifying: true,
  errors: false,
  validate: (_: boolean, value: unknown[]) => {
    const folded = [...new Set(value)]
    for (const [index, item] of folded.entries()) value[index] = item
    value.length = folded.length
    return true
  },
})

ajv.addKeyword({
  keyword: 'emptyIsAbsent',
  schemaType: 'boolean',
  before: 'not',
  modifying: true,
  errors: false,
  compile: (_: boolean, schema: AnySchemaObject) => {
    const required = (schema.required ?? []) as readonly string[]
    const known = schema.properties && Object.keys(schema.properties)
    return (value: unknown) => {
      if (typeof value !== 'object' || value === null) return true
      const record = value as Record<string, unknown>
      for (const name of known ?? Object.keys(record)) {
        if (!required.includes(name) && isEmpty(record[name])) delete record[name]
      }
      return true
    }
  },
})

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && visibleText(value).trim() === '')
}

const compiled = new Map<TSchema, Validate>()

/**
 * The validator of a schema, compiled when it is first used: all of them take 0.2 s. It returns all faults of a value in the order
 * found, at most 1,000, and none when it is valid. It changes the value: fills in defaults and applies `trim`, `distinct` and
 * `emptyIsAbsent` (schema.ts).
 *
 * @throws (the validator) when the schema itself uses something that the contract does not know.
 * @example validatorOf(LeadRequest)({ first_name: '' }, { country: 'IL' })
 *   // [{ place: '/first_name', code: 'too_short', detail: 'must not be empty' }, …]
 */
export function validatorOf(schema: TSchema): Validate {
  const known = compiled.get(schema)
  if (known) return known
  let check: ValidateFunction | undefined
  const validate: Validate = (value, about) => {
    check ??= ajv.compile(schema as AnySchemaObject)
    try {
      if (check.call(about, value)) return []
      return findingsOf(check.errors ?? [])
    } catch (thrown) {
      if (Array.isArray(thrown)) return findingsOf(thrown as ErrorObject[])
      throw thrown
    } finally {
      // The errors hold the refused values.
      check.errors = null
    }
  }
  compiled.set(schema, validate)
  return validate
}
