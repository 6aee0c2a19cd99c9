// Reads an operation's input from a request: checks every part against the contract and reports all faults at once.
import {
  type Fault,
  type Grant,
  type HandlerInput,
  MAX,
  type Operation,
  PAGE,
  type Position,
  Problem,
} from '@clinic-data/contract'
import { scopesOfFilters } from '@clinic-data/contract/added-filters'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { addParameterFaults, bodyFault, type Finding, isReported, MOST_KEPT } from '@clinic-data/contract/findings'
import { IDEMPOTENCY_KEY } from '@clinic-data/contract/limits'
import { queryReader } from '@clinic-data/contract/read-query'
import { strictObject } from '@clinic-data/contract/schema'
import { type About, validatorOf } from '@clinic-data/contract/validator'
import { periodFault } from './period.ts'

/** The input of any operation. A handler's own type is narrower. */
export type Input = HandlerInput<Operation>

/** Opens a cursor for one clinic, operation and set of filters. Null when it was made for something else. */
export type OpenCursor = (grant: Grant, filters: Filters, cursor: string) => Position | null

/** Path parameters and all query parameters except `cursor` and `limit`. */
export type Filters = Readonly<Record<string, unknown>>

export interface RawInput {
  params: Record<string, string>
  /** Without the question mark. */
  search: string
  idempotency_key: string | undefined
  /** Undefined if there is none. */
  body?: unknown
}

/** The accepted body of an operation that takes none. */
const NO_FIELDS = strictObject({})

/** Permissions of an installation beyond the contract's own rules. */
export type Allowances = Pick<About, 'allowsLoopbackHttp'>

/** The parts of an input as values, before they are checked. */
export interface GivenInput {
  params: Record<string, string>
  /** Checked here and changed: defaults are filled in. */
  query: Record<string, unknown>
  body?: unknown
  idempotency_key: string | undefined
}

/** Compiles the reader of one operation's REST requests. */
export function inputReader(
  operation: Operation,
  openCursor: OpenCursor,
  allowances: Allowances = {},
): (raw: RawInput, grant: Grant) => Input {
  const readQuery = queryReader(operation)
  const checkParams = validatorOf(operation.params)
  const checkInput = inputChecker(operation, openCursor, allowances)
  return ({ search, ...raw }, grant) => {
    const { params } = raw
    if (checkParams(params, grant.clinic).length > 0 || Object.values(params).some((id) => id.includes('\0')))
      throw notFound(operation)
    const faults: Fault[] = []
    return checkInput({ ...raw, query: readQuery(search, faults) }, grant, faults)
  }
}

/**
 * Compiles the checks that every surface applies to an operation's input, except for the ids in its path. `faults` holds earlier
 * findings.
 *
 * @throws (the checker) Problem 400 with all faults; then 403 for filters and names in the body that the key may not see.
 */
export function inputChecker(
  operation: Operation,
  openCursor: OpenCursor,
  allowances: Allowances = {},
): (input: GivenInput, grant: Grant, faults: Fault[]) => Input {
  const checkQuery = validatorOf(operation.query)
  const checkBody = validatorOf(operation.body ?? NO_FIELDS)
  return ({ params, query, body, idempotency_key }, grant, faults) => {
    const { clinic } = grant
    addParameterFaults(checkQuery(query, clinic), faults)
    if (body !== undefined) {
      const about = { ...allowances, country: clinic.country }
      const findings = checkBody(body, about)
      const others = operation.checkBody?.(body, (scope) => grant.may(scope), about) ?? []
      const all = bothFindings(findings, others)
      faults.push(...all.slice(0, MOST_KEPT).map(bodyFault))
    }
    const { from, to } = query
    if (
      typeof from === 'string' &&
      typeof to === 'string' &&
      !isReported(faults, 'from') &&
      !isReported(faults, 'to')
    ) {
      const fault = periodFault(operation, from, to, clinic)
      if (fault) faults.push(fault)
    }
    checkIdempotencyKey(operation, idempotency_key, faults)
    const { cursor, limit, ...filters } = query
    const after = typeof cursor === 'string' ? openCursor(grant, { ...params, ...filters }, cursor) : null
    if (cursor !== undefined && after === null && !isReported(faults, 'cursor')) faults.push(cursorFault(operation))
    if (faults.length > 0) throw faultProblem('invalid-request', faults)
    grant.require(scopesOfFilters(operation, query))
    grant.require(operation.scopesOf?.(body, (scope) => grant.may(scope)) ?? [])
    return {
      params,
      query: { ...filters, limit: typeof limit === 'number' ? limit : PAGE.default, after },
      body,
      idempotency_key: operation.effect === 'once a key' ? (idempotency_key ?? null) : null,
    } as Input
  }
}

/**
 * One finding for each place. The schema's goes first, but of two lists of what is allowed, the operation's own is the shorter one: it
 * knows for which filter an operator is meant.
 */
function bothFindings(ofSchema: readonly Finding[], ofOperation: readonly Finding[]): Finding[] {
  const isList = ({ code }: Finding) => code === 'not_allowed'
  const lists = new Map(ofOperation.filter(isList).map((finding) => [finding.place, finding]))
  const found = new Set(ofSchema.map(({ place }) => place))
  return [
    ...ofSchema.map((finding) => (isList(finding) ? (lists.get(finding.place) ?? finding) : finding)),
    ...ofOperation.filter(({ place }) => !found.has(place)),
  ]
}

const FOREIGN_CURSOR: Fault = {
  parameter: 'cursor',
  code: 'cursor',
  detail: 'must be a cursor that this list has answered to these same filters; begin again without it',
}

/** Without a cursor a feed begins now: what happened since would be lost. */
const FOREIGN_FEED_CURSOR: Fault = {
  ...FOREIGN_CURSOR,
  detail: 'must be a cursor that this list has answered to these same filters; begin again with since',
}

function cursorFault({ order }: Operation): Fault {
  return order === 'feed' ? FOREIGN_FEED_CURSOR : FOREIGN_CURSOR
}

/** The refusal of a cursor that was made for another request. */
export function foreignCursor(): Problem {
  return faultProblem('invalid-request', [FOREIGN_CURSOR])
}

export const WRONG_KEY = { code: 'format', detail: 'must be 1 to 255 visible ASCII characters' }

function checkIdempotencyKey(operation: Operation, key: string | undefined, faults: Fault[]): void {
  if (key === undefined || operation.effect !== 'once a key' || IDEMPOTENCY_KEY.test(key)) return
  faults.push({ header: 'Idempotency-Key', ...WRONG_KEY })
}

/** The 404 of a path with an impossible id. */
function notFound(operation: Operation): Problem {
  return new Problem(
    'not-found',
    `There is no such id. ${operation.summary}: ids are strings of 1 to ${MAX.id} characters.`,
  )
}
