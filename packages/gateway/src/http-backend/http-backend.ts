// A remote backend: the port over HTTP, for a gateway that runs alone. `@clinic-data/contract/port` describes its form.
//
//   const backend = httpBackend({ urls: [BACKEND_URL], token: BACKEND_TOKEN, log })
//   await backend.close()
//
// A failed call rejects with a Problem: the backend's own (a 404, say), 503 if the backend cannot be reached, is late, or already
// has too many calls, or 502 if the answer is unusable. No text of an error reaches the client. It stays in the Problem's cause.

import {
  type AnyAnswer,
  type AnyHandler,
  allScopes,
  type Backend,
  handlersMadeBy,
  type Operation,
  type Principal,
  Problem,
  type Scope,
} from '@clinic-data/contract'
import { PORT_LIMITS, PORT_VERSION, portForms, portPaths } from '@clinic-data/contract/port'
import {
  isRefusedCall,
  type ReadReply,
  readAnswer,
  readJson,
  readNothing,
  UnusableAnswer,
} from '@clinic-data/contract/port-answer'
import { namedFilters, readingFilters } from './added-filters.ts'
import { Backends, type BackendsOptions } from './backends.ts'
import type { Call } from './port-call.ts'
import { PortFailure, unavailable } from './port-failure.ts'
import { whole } from './read-answer.ts'
import { RemoteFiles } from './remote-files.ts'

export type HttpBackendOptions = BackendsOptions

export interface HttpBackend extends Backend {
  /** Waits for the running calls, and breaks off files that are still being read. */
  close(): Promise<void>
}

/** Until its operator has given it a later version. */
const NO_APPS_SECONDS = 60
const NO_APPS =
  'the backend does not answer apps: it is of an earlier version, or does not know CONSOLE_URL. Until then no app can be connected'

/** A slower health check counts as failed. */
const READY_MS = 2000

export function httpBackend(options: HttpBackendOptions): HttpBackend {
  const backends = new Backends(options)
  // One line in the log is enough.
  const { shared: _, ...ofFiles } = options
  const files = new RemoteFiles(ofFiles)
  const noApps = once(() => options.log.warn(NO_APPS))
  let closing: Promise<void> | undefined
  return {
    async authenticate(keyHash) {
      const call = post(portPaths.authenticate, { key_hash: keyHash }, true)
      const { principal } = await asProblem(backends.call(call, readAuthenticated))
      return principal && known(principal as Principal)
    },
    handlers: handlersMadeBy((operation) => handler(backends, operation)),
    rehearse: (grant, input, { request_id, deadline }) => {
      const { operation, principal } = grant
      const body = callBody(principal, input)
      const call = {
        method: 'POST',
        path: portPaths.rehearsal(operation.id),
        body,
        deadline,
        isRepeatable: true,
      } as const
      return asProblem(backends.call({ ...call, requestId: request_id }, whole(readingRehearsal(operation))))
    },
    async audit(rows) {
      await asProblem(backends.call(post(portPaths.audit, { rows }, false), whole(readNothing)))
    },
    answerApp: async (endpoint, { form, authorization, address }, { request_id, deadline }) => {
      const body = { form: Object.entries(form).map(([name, value]) => ({ name, value })), authorization, address }
      const call = { ...post(portPaths.connect(endpoint), body, false), requestId: request_id, deadline }
      const answer = await asProblem(backends.call(call, readAppAnswer))
      if (answer !== null) return answer
      noApps()
      throw unavailable(undefined, NO_APPS_SECONDS)
    },
    openFile: (file, range, address = null) => asProblem(files.open(file, range, address)),
    async ready() {
      const call: Call = {
        method: 'GET',
        path: portPaths.ready,
        deadline: performance.now() + READY_MS,
        isRepeatable: false,
      }
      const { version } = await asProblem(backends.probe(call, readReady))
      if (version !== PORT_VERSION)
        throw new Error(`the backend speaks version ${version} of the port, not ${PORT_VERSION}`)
    },
    close() {
      closing ??= Promise.all([backends.close(), files.close()]).then(() => undefined)
      return closing
    },
  }
}

const readAuthenticated = whole(readJson(portForms.authenticateAnswer))
const readApp = readJson(portForms.connectAnswer)
/** Null: there is no such call. */
const readAppAnswer = whole((reply) => {
  if (reply.status === 404) return null
  const answer = readApp(reply)
  if (answer instanceof Problem) return answer
  const { status, body, is_guess } = answer
  if (body === null || isObject(body)) return { status, body, is_guess }
  throw new UnusableAnswer('an answer to an app that is no object')
})
const readReady = whole(readJson(portForms.ready))

function handler(backends: Backends, operation: Operation): AnyHandler {
  const path = portPaths.operation(operation.id)
  const readPlain = readAnswer(operation)
  const read = whole(readPlain)
  const isRepeatable = operation.effect === 'none'
  return (grant, input, { request_id, deadline, record }) => {
    const { filters } = namedFilters(operation, input.query)
    const beside = filters === undefined ? '' : `,"filters":${JSON.stringify(filters)}`
    const body = callBody(grant.principal, input, beside)
    const reading = filters === undefined ? read : whole(readingFilters(filters, readPlain))
    const call: Call = { method: 'POST', path, body, requestId: request_id, deadline, isRepeatable }
    if (record !== undefined) call.record = JSON.stringify(record)
    return asProblem(backends.call(call, reading))
  }
}

/** Null: there is no such call, in a backend of an earlier version or of another make. */
function readingRehearsal(operation: Operation): ReadReply<AnyAnswer | null> {
  const read = readAnswer(operation)
  return (reply) => (isRefusedCall(reply, 404) ? null : read(reply))
}

function callBody(principal: Principal, input: unknown, beside = ''): string {
  return `{"principal":${principalText(principal)},"input":${JSON.stringify(input)}${beside}}`
}

const principalTexts = new WeakMap<Principal, string>()

/** A principal is used for about a second, often by hundreds of calls. */
function principalText(principal: Principal): string {
  const known = principalTexts.get(principal)
  if (known !== undefined) return known
  const text = JSON.stringify(principal)
  principalTexts.set(principal, text)
  return text
}

function post(path: string, body: unknown, isRepeatable: boolean): Call {
  const deadline = performance.now() + PORT_LIMITS.deadline_ms
  return { method: 'POST', path, body: JSON.stringify(body), deadline, isRepeatable }
}

/** Drops unknown scopes: those of a later contract grant nothing here. */
function known(principal: Principal): Principal {
  return { ...principal, scopes: principal.scopes.filter((scope: Scope) => allScopes.includes(scope)) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Does the work at its first call. */
function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

async function asProblem<T>(calling: Promise<T>): Promise<T> {
  try {
    return await calling
  } catch (error) {
    throw error instanceof PortFailure ? error.toProblem() : error
  }
}
