// The client: its settings, one method for each operation id, and one `request` behind them all.
import { attempt, type Failure, type Fetch, type PreparedRequest } from './attempt.ts'
import { type Bearer, bearerOf, type TokenSource } from './bearer.ts'
import { type ClinicDataError, UnauthorizedError } from './errors.ts'
import type { Resources } from './generated/methods.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Warning } from './generated/resources.ts'
import type { OutputOf } from './method.ts'
import type { OperationId, OperationRecord } from './operation-record.ts'
import { checkNames, type NamesOf } from './option-names.ts'
import { MOST_ROWS, type PageOf, Pages, tellWarnings } from './pages.ts'
import type { Answer, RequestInput, RequestOptions, SendInput } from './request.ts'
import { pauseBeforeRetry } from './retry.ts'
import { jsonText, search } from './sent-values.ts'
import { checkedBaseUrl, checkedIdempotencyKey, checkedMaxRetries, checkedTimeoutMs } from './settings.ts'
import { VERSION } from './version.ts'

export interface ClientOptions {
  /**
   * `sk_live_…`. It belongs on servers, never in a browser or a mobile app. Undefined (an unset environment variable, say) is
   * refused, unless there is a `token`.
   */
  readonly apiKey?: string | undefined
  /**
   * In place of a key: answers the access token of a clinic that has connected your app. It is called before each attempt, and once
   * more with the refused token after a 401.
   */
  readonly token?: TokenSource | undefined
  /** The service's address: https, or http to this machine. */
  readonly baseUrl: string | undefined
  /** Replaces the runtime's own `fetch`, for a proxy or for tests. */
  readonly fetch?: Fetch | undefined
  /** Time for the whole answer of each attempt. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** Repeats of one call after a temporary failure. Default: 3. */
  readonly maxRetries?: number | undefined
  /**
   * Is told that a filter names an id that the clinic does not have: of a list whose rows are walked (once a walk), of a whole list
   * and of a query. Default: `console.warn`. Whoever awaits a page finds it in `meta.warnings`, where the others have it too.
   */
  readonly onWarning?: ((warning: Warning) => void) | undefined
  /** Waits before a repeat, which follows the error. A test need not wait. */
  readonly pause?: ((ms: number, signal: AbortSignal | undefined, error: ClinicDataError) => Promise<void>) | undefined
}

/** The service gives up after ten seconds. The rest is for a slow network. */
const TIMEOUT_MS = 30_000
const MAX_RETRIES = 3

const CLIENT_OPTIONS: NamesOf<ClientOptions> = {
  apiKey: true,
  token: true,
  baseUrl: true,
  fetch: true,
  timeoutMs: true,
  maxRetries: true,
  onWarning: true,
  pause: true,
}

const CALL_OPTIONS: NamesOf<RequestOptions> = {
  signal: true,
  timeoutMs: true,
  maxRetries: true,
  idempotencyKey: true,
}

/** The methods are made from the table. This type tells the compiler about them. */
const WithResources = class {} as new () => Resources

/**
 * The Clinic Data API with one key, or as an app that a clinic has connected.
 *
 * A method takes the ids of its path, then its query or body as one object, then options. It returns the body as the reference
 * shows it. Fields keep the contract's spelling.
 *
 * @example
 * const client = new ClinicDataClient({ apiKey, baseUrl })
 * const { data: patients } = await client.patients.list({ limit: 10 })
 * for await (const patient of client.patients.list({ query: 'Levi' })) console.log(patient.first_name)
 * const { data: payment } = await client.payments.create('p1042', { amount: 350, method_type: 'cash', billing_account_id: 'main' })
 */
export class ClinicDataClient extends WithResources {
  readonly #bearer: Bearer
  readonly #baseUrl: string
  readonly #options: ClientOptions
  /** Sent with every request. */
  readonly #headers: Readonly<Record<string, string>>

  /** @throws TypeError for a malformed key, neither key nor token source, an address that is not https, or an unknown option. */
  constructor(options: ClientOptions) {
    super()
    checkNames('the client', options, CLIENT_OPTIONS)
    this.#bearer = bearerOf(options.apiKey, options.token)
    this.#baseUrl = checkedBaseUrl(options.baseUrl)
    this.#options = options
    this.#headers = {
      accept: 'application/json',
      'user-agent': `clinic-data-client/${VERSION}`,
    }
    Object.assign(this, this.#resources())
  }

  /**
   * Calls any operation by its id, with the request's parts by the contract's names. Returns status and headers too. Repeats after
   * a temporary failure (429, 500, 502, 503, a broken connection) where that is safe: reads, and writes with an `Idempotency-Key`.
   *
   * @throws ClinicDataError, or the reason of `signal`; TypeError for an unknown operation or option, an impossible id, null in the query, or a
   * number that is none.
   * @example
   * const { status, body, request_id } = await client.request('leads.create', { body: { first_name: 'Dana', … } })
   */
  async request<I extends OperationId>(operation: I, input?: RequestInput): Promise<Answer<OutputOf<I>>>
  async request(operation: string, input?: RequestInput): Promise<Answer>
  async request(operation: string, input: RequestInput = {}): Promise<Answer> {
    const record = recordOf(operation)
    const { params = {}, query, ...sent } = input
    return this.#ask(
      record.effect,
      this.#prepared(record, filled(record.path, params) + search(query ?? {}), sent),
      sent,
    )
  }

  /**
   * Sends any request, by method and path with its query. A POST gets an `Idempotency-Key`. Repeated like the operation that has
   * this method and path. What no operation has is repeated only as a read.
   *
   * @throws ClinicDataError, or the reason of `signal`; TypeError for a path that does not begin with `/`.
   * @example
   * const { body } = await client.send('GET', '/v1/patients?limit=2')
   */
  async send(method: string, path: string, input: SendInput = {}): Promise<Answer> {
    if (!path.startsWith('/')) throw new TypeError('path must begin with /')
    const [bare = ''] = path.split(/[?#]/)
    const known = Object.values(operationTable).find((one) => one.method === method && isPathOf(one.path, bare))
    const effect = known ? known.effect : method === 'GET' ? undefined : 'each time'
    const keyed = method === 'POST' ? 'once a key' : undefined
    return this.#ask(effect, this.#prepared({ method, effect: keyed }, path, input), input)
  }

  /** Repeats after a temporary failure, where that is safe, and once with another token. */
  async #ask(effect: OperationRecord['effect'], prepared: Prepared, input: RequestOptions): Promise<Answer> {
    const { signal } = input
    const maxRetries = checkedMaxRetries(input.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES)
    const renewal = { isLeft: this.#bearer.isRenewable }
    for (let attempts = 1; ; attempts++) {
      signal?.throwIfAborted()
      const outcome = await this.#attempt(prepared, renewal)
      if (!('error' in outcome)) return outcome
      const pause = pauseBeforeRetry({ ...outcome, attempts, isRepeatable: effect !== 'each time' })
      if (pause === null || attempts > maxRetries) throw outcome.error
      await (this.#options.pause ?? paused)(pause, signal, outcome.error)
    }
  }

  /** One attempt. A 401 did nothing, so it is made again with another token. */
  async #attempt(prepared: Prepared, renewal: { isLeft: boolean }): Promise<Answer | Failure> {
    const { signal } = prepared
    const secret = await this.#bearer.secret(null, signal)
    const outcome = await attempt(signed(prepared, secret))
    if (!('error' in outcome && outcome.error instanceof UnauthorizedError && renewal.isLeft)) return outcome
    renewal.isLeft = false
    const other = await this.#bearer.secret(secret, signal)
    return other === secret ? outcome : attempt(signed(prepared, other))
  }

  /** Reads the pages of a paginated operation by its id, like the list methods. */
  pages(operation: string, input: RequestInput = {}): Pages<unknown, PageOf<unknown>> {
    const { shape } = recordOf(operation)
    if (shape !== 'page') throw new TypeError(`${operation} has no pages`)
    return new Pages(async (cursor) => {
      const limit = input.query?.limit ?? MOST_ROWS
      const query = cursor === undefined ? input.query : { ...input.query, limit, cursor }
      const { body } = await this.request(operation, { ...input, query })
      return body as PageOf<unknown>
    }, this.#options.onWarning)
  }

  #prepared(
    { method, effect }: { method: string; effect?: OperationRecord['effect'] },
    path: string,
    input: SendInput,
  ): Prepared {
    const { body, ...options } = input
    checkNames('a call', options, CALL_OPTIONS)
    const init: RequestInit = { method, headers: this.#headers, redirect: 'manual' }
    if (body !== undefined) {
      init.headers = { ...this.#headers, 'content-type': 'application/json' }
      init.body = jsonText(body)
    }
    if (effect === 'once a key') {
      init.headers = {
        ...init.headers,
        'idempotency-key': checkedIdempotencyKey(input.idempotencyKey ?? crypto.randomUUID()),
      }
    }
    return {
      fetch: this.#options.fetch ?? fetch,
      url: this.#baseUrl + path,
      init,
      timeoutMs: checkedTimeoutMs(input.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS),
      signal: input.signal,
    }
  }

  /** Builds the methods: `patients.list` becomes `client.patients.list`. */
  #resources(): object {
    const tree: Record<string, unknown> = {}
    for (const [id, record] of Object.entries(operationTable)) {
      const namespaces = id.split('.')
      const action = namespaces.pop() ?? ''
      let at = tree
      for (const name of namespaces) {
        at[name] ??= {}
        at = at[name] as Record<string, unknown>
      }
      const ids = parametersOf(record.path)
      at[action] = (...args: unknown[]) => this.#call(id, record, ids, args)
    }
    return tree
  }

  async #answered(id: string, input: RequestInput): Promise<unknown> {
    const { body } = await this.request(id, input)
    tellWarnings(body, this.#options.onWarning)
    return body
  }

  #call(id: string, { method, shape }: OperationRecord, ids: readonly string[], args: readonly unknown[]): unknown {
    const params: Record<string, string> = {}
    ids.forEach((name, index) => {
      params[name] = args[index] as string
    })
    const [fields, options] = args.slice(ids.length) as [RequestInput['query'], RequestOptions | undefined]
    const input = {
      ...options,
      params,
      ...(fields === undefined ? {} : { [method === 'POST' || method === 'PATCH' ? 'body' : 'query']: fields }),
    }
    return shape === 'page' ? this.pages(id, input) : this.#answered(id, input)
  }
}

/** A request without its secret. */
type Prepared = Omit<PreparedRequest, 'secret'>

function signed(prepared: Prepared, secret: string): PreparedRequest {
  const headers = { ...(prepared.init.headers as Record<string, string>), authorization: `Bearer ${secret}` }
  return { ...prepared, init: { ...prepared.init, headers }, secret }
}

function recordOf(operation: string): OperationRecord {
  if (!Object.hasOwn(operationTable, operation)) throw new TypeError(`there is no operation ${operation}`)
  return operationTable[operation as OperationId]
}

/** Whether the path is one of an operation's: `/v1/patients/{id}` is also `/v1/patients/p1`. */
function isPathOf(pattern: string, path: string): boolean {
  const [steps, parts] = [pattern.split('/'), path.split('/')]
  return steps.length === parts.length && steps.every((step, i) => step.startsWith('{') || step === parts[i])
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** In a URL, an id of dots would mean a parent folder, and an empty id would disappear. */
function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id: unknown = params[name]
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
      throw new TypeError(`${name} must be an id: a string, not empty`)
    return encodeURIComponent(id)
  })
}

function paused(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort)
  })
}
