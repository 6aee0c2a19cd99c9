// One clinic of the backend under test, asked as a gateway asks for the holder of its key.
import { type Clinic, type Operation, PAGE, type Position } from '@clinic-data/contract'
import { type portForms, portPaths } from '@clinic-data/contract/port'
import type { Static } from '@clinic-data/contract/schema'
import { type About, validatorOf } from '@clinic-data/contract/validator'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { CallOptions, PortCaller } from './port-caller.ts'
import type { Row } from './row.ts'

export type PortPrincipal = NonNullable<Static<(typeof portForms.authenticateAnswer)['schema']>['principal']>

/** A question to an operation; what it leaves out is as a gateway fills it in. */
export interface Asked {
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
  /** What came where a page should have been. */
  broken: Outcome | null
}

/** Pages of a walk: 5,000 rows of a long list, all rows of most. */
const DEEP_PAGES = 50
const BEGINNING_PAGES = 5

export class ClinicUnderTest {
  readonly port: PortCaller
  readonly principal: PortPrincipal
  readonly #answers = new Map<string, Promise<Outcome>>()
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
    asked: Asked = {},
    { principal = this.principal, ...options }: { principal?: PortPrincipal } & CallOptions = {},
  ): Promise<Outcome> {
    const body = { principal, input: inputOf(operation, asked, this.clinic) }
    return outcomeOf(operation, await this.port.call(portPaths.operation(operation.id), { body, ...options }))
  }

  /** The same question is asked once: for what does not change meanwhile. */
  known(operation: Operation, asked: Asked): Promise<Outcome> {
    return once(this.#answers, operation, asked, () => this.ask(operation, asked))
  }

  /** Page after page. */
  async walk(operation: Operation, asked: Asked, limit: number, mostPages: number): Promise<Walk> {
    const pages: Page[] = []
    let broken: Outcome | null = null
    let after: Position | null = null
    do {
      const outcome: Outcome = await this.ask(operation, { ...asked, limit, after })
      if (outcome.kind !== 'answered') broken = outcome
      else pages.push({ rows: outcome.rows, next: outcome.next })
      after = outcome.kind === 'answered' ? outcome.next : null
    } while (after !== null && pages.length < mostPages)
    return { limit, pages, rows: pages.flatMap(({ rows }) => rows), isWhole: after === null && broken === null, broken }
  }

  /** A list as far as it is looked at, in the largest pages; asked once. */
  list(operation: Operation, asked: Asked = {}, mostPages = DEEP_PAGES): Promise<Walk> {
    return once(this.#walks, operation, { ...asked, limit: mostPages }, () =>
      operation.shape === 'page' ? this.walk(operation, asked, PAGE.max, mostPages) : this.#whole(operation, asked),
    )
  }

  /** The beginning of a list: the whole of a narrow one. */
  beginning(operation: Operation, asked: Asked): Promise<Walk> {
    return this.list(operation, asked, BEGINNING_PAGES)
  }

  async #whole(operation: Operation, asked: Asked): Promise<Walk> {
    const outcome = await this.ask(operation, asked)
    if (outcome.kind !== 'answered') return { limit: 0, pages: [], rows: [], isWhole: false, broken: outcome }
    const { rows, next } = outcome
    return { limit: 0, pages: [{ rows, next }], rows, isWhole: true, broken: null }
  }
}

function once<T>(
  known: Map<string, Promise<T>>,
  { id }: Operation,
  { params, query, limit, after, body }: Asked,
  make: () => Promise<T>,
): Promise<T> {
  const key = JSON.stringify([id, params ?? {}, query ?? {}, limit, after, body])
  const made = known.get(key) ?? make()
  known.set(key, made)
  return made
}

/** The input as a gateway sends it: defaults filled in, always with a limit and a position. */
export function inputOf(operation: Operation, asked: Asked, about: About = { country: 'US' }): unknown {
  const { params = {}, query = {}, limit = PAGE.default, after = null, body, idempotency_key = null } = asked
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

/** What only the holder of the token could make: the same key with other scopes. */
export function withScopes(principal: PortPrincipal, scopes: readonly string[]): PortPrincipal {
  return { ...principal, scopes: [...scopes] }
}
