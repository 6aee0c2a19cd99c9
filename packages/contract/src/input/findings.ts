// Converts Ajv's errors to faults for the client: where, a stable code, and how to mend it. Values are never quoted.
import type { ErrorObject } from 'ajv'
import { MAX } from '../limits.ts'
import type { Fault } from '../problems.ts'
import { didYouMean } from '../values/one-slip.ts'
import { formats } from './formats.ts'

/** One fault of a value. */
export interface Finding {
  /** A JSON pointer (RFC 6901): `/records/3/phone`. Empty for the whole value. */
  place: string
  code: string
  detail: string
}

/** Long enough to recognise, too short to abuse. */
const SHOWN_NAME = 60

/** As long as an instant with its offset. The hint of a longer form says nothing of the length. */
const SHORT_FORM = 35

/** A place may contain names from the client too. */
const SHOWN_PLACE = 200

/** A finding in a JSON body as a public fault: the place as the URI fragment of a pointer (RFC 6901, section 6). */
export function bodyFault({ place, code, detail }: Finding): Fault {
  const segments = place.slice(0, SHOWN_PLACE).toWellFormed().replaceAll('\0', '').split('/')
  return { pointer: `#${segments.map(encodeURIComponent).join('/')}`, code, detail }
}

/** One more than is reported, to know whether that is all. */
export const MOST_KEPT = MAX.errors + 1

/** Each parameter is reported once. Empty and repeated ones already were, in better words. */
export function addParameterFaults(findings: readonly Finding[], faults: Fault[]): void {
  for (const { place, code, detail } of findings.slice(0, MOST_KEPT)) {
    const parameter = (place.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isReported(faults, parameter)) faults.push({ parameter, code, detail })
  }
}

export function isReported(faults: readonly Fault[], parameter: string): boolean {
  return faults.some((fault) => 'parameter' in fault && fault.parameter === parameter)
}

/** A name from the client, as a fault shows it. */
export function shownName(name: string): string {
  return name.slice(0, SHOWN_NAME).toWellFormed().replaceAll('\0', '')
}

/** The pointer of a member of the value at `place`. */
export function memberPlace(place: string, name: string): string {
  return `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * The findings for Ajv's errors (`allErrors`, `verbose`), in their order: the first one for each place, and a single one for each
 * union.
 */
export function findingsOf(errors: readonly ErrorObject[]): Finding[] {
  const reported: ErrorObject[] = []
  for (const error of errors) {
    if (!isUnion(error)) reported.push(error)
    else reported.push(...unionErrors(error, branchErrors(error, reported)))
  }
  const places = new Set<string>()
  return reported.flatMap((error) => {
    const finding = findingOf(error)
    if (places.has(finding.place)) return []
    // An object can lack several choices of fields.
    if (!isUnion(error) || !isChoiceOfFields(error)) places.add(finding.place)
    return finding
  })
}

function isUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Takes the errors of a union's branches, which come right before the union's own. */
function branchErrors(union: ErrorObject, reported: ErrorObject[]): ErrorObject[] {
  let from = reported.length
  while (from > 0 && isInside(union, reported[from - 1])) from--
  return reported.splice(from)
}

function isInside(union: ErrorObject, error: ErrorObject | undefined): boolean {
  if (!error?.schemaPath.startsWith(`${union.schemaPath}/`)) return false
  return error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`)
}

interface Branch {
  type?: string
  required?: readonly string[]
}

/** If one branch has the value's type, its errors describe the union. Otherwise the union's own error does. */
function unionErrors(union: ErrorObject, inside: readonly ErrorObject[]): ErrorObject[] {
  // For a value that is not an object, its type is reported.
  if (isChoiceOfFields(union)) return isObject(union.data) ? [union] : []
  const isMistyped = (branch: string) =>
    inside.some(
      ({ keyword, instancePath, schemaPath }) =>
        keyword === 'type' && instancePath === union.instancePath && schemaPath === `${branch}/type`,
    )
  const branches = (union.schema as readonly Branch[]).map((_, at) => `${union.schemaPath}/${at}`)
  const fitting = branches.filter((branch) => !isMistyped(branch))
  return fitting.length === 1 ? inside.filter(({ schemaPath }) => schemaPath.startsWith(`${fitting[0]}/`)) : [union]
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A union that only lists field names: at least one of them (`anyOf`), or exactly one (`oneOf`). */
function isChoiceOfFields({ schema }: ErrorObject): boolean {
  return (schema as readonly Branch[]).every(({ type, required }) => type === undefined && required?.length === 1)
}

function findingOf(error: ErrorObject): Finding {
  const { keyword, params, instancePath } = error
  const name =
    keyword === 'additionalProperties'
      ? shownName(String(params.additionalProperty))
      : keyword === 'required'
        ? String(params.missingProperty)
        : undefined
  const [code, detail] = explain(error)
  return { place: name === undefined ? instancePath : memberPlace(instancePath, name), code, detail }
}

function explain(error: ErrorObject): [code: string, detail: string] {
  const { keyword, params, schema, parentSchema, data } = error
  switch (keyword) {
    case 'required':
      return ['required', 'is required']
    case 'additionalProperties':
      return ['unknown', unknownName(parentSchema, params.additionalProperty)]
    case 'enum': {
      const allowed = (params.allowedValues as unknown[]).map((value) => String(value))
      return ['not_allowed', `must be one of: ${allowed.join(', ')}${didYouMean(data, allowed)}`]
    }
    case 'type':
      return ['type', `must be ${typeName(schema, parentSchema)}`]
    case 'anyOf':
    case 'oneOf':
      return isChoiceOfFields(error) ? choiceOfFields(error) : ['type', `must be ${unionName(schema)}`]
    case 'format':
      return ['format', formats[String(schema)]?.hint ?? `must have the form ${schema}`]
    case 'pattern':
      return ['format', params.pattern === '\\S' ? 'must not be blank' : `must match ${params.pattern}`]
    case 'minLength':
      return ['too_short', schema === 1 ? 'must not be empty' : `must have at least ${schema} characters`]
    case 'maxLength':
      return tooLong(schema, parentSchema)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return ['out_of_range', `must be ${rangeName(parentSchema)}`]
    case 'decimals':
      // The clinic's currency may allow fewer. That is checked where the clinic is known.
      return ['decimals', `must have no more decimals than the currency has, at most ${schema}`]
    case 'minItems':
      return ['too_few', `must have at least ${params.limit} items`]
    case 'maxItems':
      return ['too_many', `must have at most ${params.limit} items`]
    case 'maxProperties':
      return ['too_many', `must have at most ${params.limit} keys`]
    case 'uniqueItems':
      return ['duplicate', 'must not hold an item twice']
    default:
      return ['invalid', 'is not valid']
  }
}

/** Whoever misspelt a name, or guessed one, sees those that there are. */
function unknownName(parent: unknown, sent: unknown): string {
  const known = Object.keys((parent as { properties?: object } | undefined)?.properties ?? {})
  return known.length === 0
    ? 'is not known here'
    : `is not known here, but these are: ${known.join(', ')}${didYouMean(sent, known)}`
}

/** A text of a short form that is too long has another form: a whole date as the day of a year. */
function tooLong(most: unknown, parent: unknown): [code: string, detail: string] {
  const { format = '' } = (parent ?? {}) as { format?: string }
  const hint = Number(most) <= SHORT_FORM ? formats[format]?.hint : undefined
  return hint === undefined ? ['too_long', `must have at most ${most} characters`] : ['format', hint]
}

function choiceOfFields({ keyword, params, schema }: ErrorObject): [code: string, detail: string] {
  const names = (schema as readonly Branch[]).map(({ required }) => required?.[0])
  const how = keyword === 'oneOf' ? 'exactly' : 'at least'
  const isTooMany = Array.isArray(params.passingSchemas)
  return [isTooMany ? 'too_many' : 'required', `must have ${how} one of ${names.join(', ')}`]
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function unionName(branches: unknown): string {
  return (branches as readonly Branch[]).map(({ type = '' }) => TYPE_NAMES[type] ?? type).join(' or ')
}

function typeName(type: unknown, parent: unknown): string {
  const types = (Array.isArray(type) ? type : [type]) as string[]
  const range = types.includes('integer') || types.includes('number') ? ` ${rangeName(parent)}` : ''
  return types.map((name) => TYPE_NAMES[name] ?? name).join(' or ') + range.trimEnd()
}

function rangeName(schema: unknown): string {
  const { minimum, exclusiveMinimum, maximum } = (schema ?? {}) as Record<string, number | undefined>
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ]
  return bounds.join(' and ')
}
