// The input of an operation, read from a request: every part checked against the contract, all faults told at once.
import {
  type Clinic,
  type Fault,
  type Grant,
  type HandlerInput,
  MAX,
  type Operation,
  PAGE,
  type Position,
  Problem,
} from '@clinic-data/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { faultOf, type Place } from './faults.ts'
import { formatHints, formats, isPhone, isReversed } from './formats.ts'
import { queryReader } from './read-query.ts'

/** The input of any operation: the handler's own type is narrower. */
export type Input = HandlerInput<Operation>

/** Opens a cursor for one clinic, operation and set of filters: the position, or null when it was not made for them. */
export type OpenCursor = (grant: Grant, filters: Filters, cursor: string) => Position | null

/** Path parameters and all query parameters but `cursor` and `limit`. */
export type Filters = Readonly<Record<string, unknown>>

export interface RawInput {
  params: Record<string, string>
  /** Without the question mark. */
  search: string
  idempotency_key: string | undefined
  /** Absent where the operation takes none. */
  body?: unknown
}

const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  multipleOfPrecision: 6,
  verbose: true,
})
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)
// These formats describe answers and documents; an input that bears them is bounded by its type.
for (const name of ['int32', 'int64', 'date-time', 'uri', 'email']) ajv.addFormat(name, true)

const DAY_MS = 86_400_000
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** Compiles the reader of one operation. */
export function inputReader(operation: Operation, openCursor: OpenCursor): (raw: RawInput, grant: Grant) => Input {
  const readQuery = queryReader(operation)
  const checks = {
    params: ajv.compile(operation.params),
    query: ajv.compile(operation.query),
    body: operation.body ? ajv.compile(operation.body) : null,
  }
  const phones = Object.entries(operation.query.properties).flatMap(([name, schema]) =>
    (schema as { format?: string }).format === 'phone' ? [name] : [],
  )
  return (raw, grant) => {
    if (!checks.params(raw.params) || Object.values(raw.params).some((id) => id.includes('\0')))
      throw notFound(operation)
    const faults: Fault[] = []
    const query = readQuery(raw.search, faults)
    run(checks.query, 'query', query, faults)
    if (checks.body) run(checks.body, 'body', raw.body, faults)
    for (const name of phones) checkPhone(name, query[name], grant.clinic, faults)
    checkPeriod(operation, query, grant.clinic, faults)
    checkIdempotencyKey(operation, raw.idempotency_key, faults)
    const { cursor, limit, ...filters } = query
    const after = typeof cursor === 'string' ? openCursor(grant, { ...raw.params, ...filters }, cursor) : null
    if (
      cursor !== undefined &&
      after === null &&
      !faults.some((fault) => 'parameter' in fault && fault.parameter === 'cursor')
    ) {
      faults.push({
        parameter: 'cursor',
        code: 'cursor',
        detail: 'must be a next_cursor of this same list and these same filters',
      })
    }
    if (faults.length > 0) throw invalid(faults)
    return {
      params: raw.params,
      query: { ...filters, limit: typeof limit === 'number' ? limit : PAGE.default, after },
      body: raw.body,
      idempotency_key: operation.idempotent ? (raw.idempotency_key ?? null) : null,
    } as Input
  }
}

function run(check: ValidateFunction, place: Place, value: unknown, faults: Fault[]): void {
  if (check(value)) return
  for (const finding of check.errors ?? []) {
    const fault = faultOf(place, finding)
    // An empty or repeated parameter was told already, and in better words.
    if (!('parameter' in fault && faults.some((known) => 'parameter' in known && known.parameter === fault.parameter)))
      faults.push(fault)
  }
}

function checkPhone(name: string, value: unknown, clinic: Clinic, faults: Fault[]): void {
  if (typeof value !== 'string' || value.length > MAX.phone || isPhone(value, clinic.country)) return
  faults.push({ parameter: name, code: 'format', detail: formatHints.phone ?? '' })
}

/** `from` must not lie after `to`, and some operations bound the days between. */
function checkPeriod(operation: Operation, query: Record<string, unknown>, clinic: Clinic, faults: Fault[]): void {
  const { from, to } = query
  if (typeof from !== 'string' || typeof to !== 'string') return
  if (faults.some((fault) => 'parameter' in fault && (fault.parameter === 'from' || fault.parameter === 'to'))) return
  if (isReversed(from, to, clinic.time_zone)) {
    faults.push({ parameter: 'from', code: 'reversed', detail: 'must not be after `to`' })
  } else if (operation.maxPeriodDays && (Date.parse(to) - Date.parse(from)) / DAY_MS >= operation.maxPeriodDays) {
    faults.push({
      parameter: 'to',
      code: 'too_long',
      detail: `must be at most ${operation.maxPeriodDays} days from \`from\`, both included`,
    })
  }
}

function checkIdempotencyKey(operation: Operation, key: string | undefined, faults: Fault[]): void {
  if (key === undefined || !operation.idempotent || IDEMPOTENCY_KEY.test(key)) return
  faults.push({ header: 'Idempotency-Key', code: 'format', detail: 'must be 1 to 255 visible ASCII characters' })
}

function invalid(faults: readonly Fault[]): Problem {
  const errors = faults.slice(0, MAX.errors)
  const first = errors[0]
  const where = first && ('parameter' in first ? first.parameter : 'header' in first ? first.header : first.pointer)
  const detail = errors.length === 1 ? `${where} ${first?.detail}.` : `${faults.length} faults; errors names each one.`
  return new Problem('invalid-request', detail, { errors })
}

/** The 404 of a path whose id cannot be one. */
function notFound(operation: Operation): Problem {
  return new Problem(
    'not-found',
    `There is no such id. ${operation.summary}: ids are strings of 1 to ${MAX.id} characters.`,
  )
}
