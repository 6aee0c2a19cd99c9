// From the validator's findings to the contract's faults: where, a stable code, and how to mend it. Values are never quoted.
import type { Fault } from '@clinic-data/contract'
import type { ErrorObject } from 'ajv'
import { formatHints } from './formats.ts'

/** Long enough to recognise, too short to abuse. */
const SHOWN_NAME = 60

/** Names that come from the client may stand in a place, too. */
const SHOWN_PLACE = 200

/** A place in the body as a fault shows it: the URI fragment of a JSON pointer (RFC 6901, section 6). */
export function pointerTo(place: string): string {
  const segments = place.slice(0, SHOWN_PLACE).toWellFormed().replaceAll('\0', '').split('/')
  return `#${segments.map(encodeURIComponent).join('/')}`
}

/** A name that comes from the client, as a fault shows it. */
export function shownName(name: string): string {
  return name.slice(0, SHOWN_NAME).toWellFormed().replaceAll('\0', '')
}

export type Place = 'params' | 'query' | 'headers' | 'body'

/** The fault for one finding of the validator in one part of the request. */
export function faultOf(place: Place, finding: ErrorObject): Fault {
  const name = nameOf(finding)
  const pointer = name === undefined ? finding.instancePath : `${finding.instancePath}/${escapePointer(name)}`
  const [code, detail] = explain(finding)
  if (place === 'body') return { pointer: pointerTo(pointer), code, detail }
  const parameter = decodePointer(pointer.split('/')[1] ?? '')
  return place === 'headers' ? { header: parameter, code, detail } : { parameter, code, detail }
}

function nameOf({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === 'additionalProperties') return shownName(String(params.additionalProperty))
  return keyword === 'required' ? String(params.missingProperty) : undefined
}

function explain({ keyword, params, schema, parentSchema }: ErrorObject): [code: string, detail: string] {
  switch (keyword) {
    case 'required':
      return ['required', 'is required']
    case 'additionalProperties':
      return ['unknown', 'is not known here']
    case 'enum':
      return [
        'not_allowed',
        `must be one of: ${(params.allowedValues as unknown[]).map((value) => value ?? 'null').join(', ')}`,
      ]
    case 'type':
      return ['type', `must be ${typeName(schema, parentSchema)}`]
    case 'format':
      return ['format', formatHints[String(params.format)] ?? `must have the form ${params.format}`]
    case 'pattern':
      return ['format', params.pattern === '\\S' ? 'must not be blank' : `must match ${params.pattern}`]
    case 'minLength':
      return ['too_short', params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`]
    case 'maxLength':
      return ['too_long', `must have at most ${params.limit} characters`]
    case 'minimum':
    case 'maximum':
      return ['out_of_range', `must be ${rangeName(parentSchema)}`]
    case 'exclusiveMinimum':
      return ['out_of_range', `must be above ${params.limit}`]
    case 'multipleOf':
      return ['decimals', `must be a multiple of ${params.multipleOf}`]
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

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function typeName(type: unknown, parent: unknown): string {
  const types = (Array.isArray(type) ? type : [type]) as string[]
  const range = types.includes('integer') || types.includes('number') ? ` ${rangeName(parent)}` : ''
  return types.map((name) => TYPE_NAMES[name] ?? name).join(' or ') + range.trimEnd()
}

function rangeName(schema: unknown): string {
  const { minimum, maximum } = (schema ?? {}) as { minimum?: number; maximum?: number }
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maximum === undefined ? '' : `at most ${maximum}`
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function decodePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
