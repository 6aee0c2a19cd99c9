// Evidence as values: a `Principal` comes from a checked key, a `Grant` from a principal that may call one operation.
import type { Operation } from './operation.ts'
import { Problem } from './problems.ts'
import type { Scope } from './scopes.ts'

/** The facts about a clinic that every statement and every rendering needs. */
export interface Clinic {
  clinic_id: string
  /** As people call it. A backend of an earlier version does not tell it. */
  name?: string
  /** IANA name, for example `Asia/Jerusalem`. */
  time_zone: string
  /** ISO 3166-1 alpha-2: the country of phone numbers without a country code. */
  country: string
  /** ISO 4217. */
  currency: string
  /** 0 Sunday, 1 Monday. */
  week_start: 0 | 1
  min_visit_minutes: number
}

/** Where a token is good: at the REST API, or at the MCP server. */
export const audiences = ['api', 'mcp'] as const

export type Audience = (typeof audiences)[number]

/** The holder of a valid key or access token, as `Backend.authenticate` returned it. */
export interface Principal {
  /** The id of the key, or of the connection whose token it is. */
  key_id: string
  clinic: Clinic
  scopes: readonly Scope[]
  /** Requests per window, when the key has its own limit. */
  rate_limit: number | null
  /** Epoch milliseconds. */
  expires_at: number | null
  /** The networks from which alone it may be used, as `readNetwork` spells them. Absent: from anywhere. */
  networks?: readonly string[]
  /** Only of a token: the one place where it is good. Absent: everywhere, as a key. */
  audience?: Audience
}

/** The permission to call one operation for one clinic. A backend's handler takes the clinic from it and from nowhere else. */
export class Grant {
  readonly #principal: Principal
  readonly operation: Operation

  private constructor(principal: Principal, operation: Operation) {
    this.#principal = principal
    this.operation = operation
  }

  /**
   * The only maker of a grant.
   *
   * @throws Problem `forbidden`, naming the scope that the key lacks.
   */
  static authorize(principal: Principal, operation: Operation): Grant {
    const { scope } = operation
    if (scope !== null && !principal.scopes.includes(scope)) throw lacks(scope)
    return new Grant(principal, operation)
  }

  get principal(): Principal {
    return this.#principal
  }

  get clinic(): Clinic {
    return this.#principal.clinic
  }

  may(scope: Scope): boolean {
    return this.#principal.scopes.includes(scope)
  }

  /**
   * Checks scopes that a request needs in addition to its operation's.
   *
   * @throws Problem `forbidden`, naming the first scope that the key lacks.
   */
  require(scopes: readonly Scope[]): void {
    const missing = scopes.find((scope) => !this.may(scope))
    if (missing !== undefined) throw lacks(missing, scopes)
  }
}

function lacks(scope: Scope, needed?: readonly Scope[]): Problem {
  const detail = `This key lacks the scope ${scope}. A clinic administrator can make a key that holds it.`
  return new Problem('forbidden', detail, { required_scope: scope, ...(needed && { needed_scopes: needed }) })
}
