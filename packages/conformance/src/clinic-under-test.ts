// Asks one clinic of the backend under test, as a gateway does for the holder of a key.
import { type Clinic, type Operation, PAGE, type Position } from '@clinic-data/contract'
import { addedFiltersIn } from '@clinic-data/contract/added-filters'
import { type portForms, portPaths } from '@clinic-data/contract/port'
import type { Static } from '@clinic-data/contract/schema'
import { type About, validatorOf } from '@clinic-data/contract/validator'
import { type CallOutcome, outcomeOf } from './outcome.ts'
import type { CallOptions, PortCaller } from './port-caller.ts'
import type { Row } from './row.ts'

export type PortPrincipal = NonNullable<Static<(typeof portForms.authenticateAnswer)['schema']>['principal']>

/** A question to an operation. Missing values are filled in as a gateway fills them. */
export interface Question {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  limit?: number
  after?: Position | null
  body?: unknown
  idempotency_key?: string
}

export interface Page {
  rows: readonly Row[]
  next: Position | null
}

export interface Walk {
  limit: number
  pages: readonly Page[]
  rows: readonly Row[]
  /** The last page said that there are no more. */
  isWhole: boolean
  /** The outcome that came instead of a page. */
  broken: CallOutcome | null
}

/** How many pages are read: 5,000 rows of a long list, all rows of most. */
const DEEP_PAGES = 50
const BEGINNING_PAGES = 5

export class ClinicUnderTest {
  readonly port: PortCaller
  readonly principal: PortPrincipal
  readonly #answers = new Map<string, Promise<CallOutcome>>()
  readonly #walks = new Map<string, Promise<Walk>>()

  constructor(port: PortCaller, principal: PortPrincipal) {
    this.port = port
    this.principal = principal
  }

  get clinic(): Clinic {
    return this.principal.clinic as Clinic
  }

  /** Whether the key may call an operation. */
  may({ scope }: Operation): boolean {
    return scope === null || this.principal.scopes.includes(scope)
  }

  /** @throws NoAnswer */
  async ask(
    operation: Operation,
    question: Question = {},
    { principal = this.principal, ...options }: { principal?: PortPrincipal } & CallOptions = {},
  ): Promise<CallOutcome> {
    const filters = addedFiltersIn(operation, question.query ?? {})
    const input = inputOf(operation, question, this.clinic)
    const body = { principal, input, ...(filters.length > 0 && { filters }) }
    return outcomeOf(operation, await this.port.call(portPaths.operation(operation.id), { body, ...options }))
  }

  /** Asks the same question only once: for data that does not change meanwhile. */
  known(operation: Operation, question: Question): Promise<CallOutcome> {
    return once(this.#answers, operation, question, () => this.ask(operation, question))
  }

  /** Reads page after page. */
  async walk(operation: Operation, question: Question, limit: number, mostPages: number): Promise<Walk> {
    const pages: Page[] = []
    let broken: CallOutcome | null = null
    let after: Position | null = null
    do {
      const outcome: CallOutcome = await this.ask(operation, { ...question, limit, after })
      if (outcome.kind !== 'answered') broken = outcome
      else pages.push({ rows: outcome.rows, next: outcome.next })
      after = outcome.kind === 'answered' ? outcome.next : null
    } while (after !== null && pages.length < mostPages)
    return { limit, pages, rows: pages.flatMap(({ rows }) => rows), isWhole: after === null && broken === null, broken }
  }

  /** Reads a list, in the largest pages, up to `mostPages`. Asks only once. */
  list(operation: Operation, question: Question = {}, mostPages = DEEP_PAGES): Promise<Walk> {
    return once(this.#walks, operation, { ...question, limit: mostPages }, () =>
      operation.shape === 'page'
        ? this.walk(operation, question, PAGE.max, mostPages)
        : this.#whole(operation, question),
    )
  }

  /** Reads the beginning of a list, or all of a short one. */
  beginning(operation: Operation, question: Question): Promise<Walk> {
    return this.list(operation, question, BEGINNING_PAGES)
  }

  async #whole(operation: Operation, question: Question): Promise<Walk> {
    const outcome = await this.ask(operation, question)
    if (outcome.kind !== 'answered') return { limit: 0, pages: [], rows: [], isWhole: false, broken: outcome }
    const { rows, next } = outcome
    return { limit: 0, pages: [{ rows, next }], rows, isWhole: true, broken: null }
  }
}

function once<T>(
  known: Map<string, Promise<T>>,
  { id }: Operation,
  { params, query, limit, after, body }: Question,
  make: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify([id, params ?? {}, query ?? {}, limit, after, body])
  const made = known.get(key) ?? make()
  known.set(key, made)
  return made
}

/** Makes the input as a gateway sends it: defaults filled in, always with a limit and a position. */
export function inputOf(operation: Operation, question: Question, about: About = { country: 'US' }): unknown {
  const { params = {}, query = {}, limit = PAGE.default, after = null, body, idempotency_key = null } = question
  const sent = structuredClone(body)
  // Writes the defaults of the body's fields into it.
  if (operation.body) validatorOf(operation.body)(sent, about)
  return { params, query: { ...defaultsOf(operation), ...query, limit, after }, body: sent, idempotency_key }
}

function defaultsOf(operation: Operation): Record<string, unknown> {
  const parameters = Object.entries(operation.query.properties as Record<string, { default?: unknown }>)
  return Object.fromEntries(
    parameters.flatMap(([name, schema]) =>
      schema.default === undefined || name === 'limit' ? [] : [[name, schema.default]],
    ),
  )
}

/** Returns the principal with other scopes. Only the holder of the token can claim it. */
export function withScopes(principal: PortPrincipal, scopes: readonly string[]): PortPrincipal {
  return { ...principal, scopes: [...scopes] }
}
