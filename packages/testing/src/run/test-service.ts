// A whole service for the tests, on the test run's database: gateway and backend in this process, or the many processes of the run.
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { createBackend } from '@clinic-data/backend'
import { allScopes, type Backend, type Clinic, type Scope } from '@clinic-data/contract'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, openDatabase } from '@clinic-data/database'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { createGateway, type Gateway, type GatewayOptions } from '@clinic-data/gateway'
import { MemoryRateLimit, type RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import pino from 'pino'
import { clinicWithoutKeys } from '../grounds/test-clinic.ts'
import { lend } from '../shared/lent.ts'
import { asApplication } from './application.ts'
import { type Answered, ManyProcesses, type ServiceRequest } from './many-processes.ts'
import { untilServed } from './until-served.ts'

export const BASE_URL = 'https://api.clinic.example'

/** Enough for any test that is not about the limit. */
export const UNLIMITED = 1_000_000

/** However many processes it is. */
export interface TestService {
  send(request: ServiceRequest): Promise<Answered>
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  address(): Promise<string>
  readonly database: Database
  readonly owner: Database
  /** Every log line so far. */
  readonly logLines: readonly string[]
  close(): Promise<void>
}

/** A service in this process, whose parts a test looks at or replaces. */
export interface TestParts extends TestService {
  readonly gateway: Gateway
  readonly backend: Backend
}

export interface TestPartsOptions {
  rate?: { requests: number; seconds: number }
  rateLimit?: RateLimit
  shedAtDelayMs?: number
  deadlineMs?: number
  lastAnswersMs?: number
  maxConnections?: number
  baseUrl?: string
  mcp?: GatewayOptions['mcp']
  packages?: GatewayOptions['packages']
  connect?: GatewayOptions['connect']
  /** The clock of gateway and backend, epoch milliseconds. */
  now?: () => number
  /** Wraps the backend, for example to make it misbehave. */
  wrap?: (backend: Backend) => Backend
}

/** The service that the run is about: in this process, or `npm run test:processes` with its six. */
export function startService(): Promise<TestService> {
  return process.env.TEST_GATEWAYS ? manyProcesses(process.env.TEST_GATEWAYS.split(',')) : startParts()
}

async function manyProcesses(gateways: readonly string[]): Promise<TestService> {
  const opened = await openDatabases()
  const giveBack = lend('a service of many processes')
  const processes = new ManyProcesses(gateways)
  return {
    ...opened,
    send: (request) => processes.send(request),
    address: async () => processes.next(),
    get logLines() {
      return processes.logLines()
    },
    close: async () => {
      processes.close()
      await opened.database.close()
      await opened.owner.close()
      giveBack()
    },
  }
}

async function openDatabases(): Promise<{ owner: Database; database: Database }> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('run the tests with npm test: it starts the database')
  return {
    owner: await openDatabase({ url, readConnections: 1, writeConnections: 2, statementTimeoutMs: 0 }),
    database: await openDatabase(asApplication(url)),
  }
}

export async function startParts(options: TestPartsOptions = {}): Promise<TestParts> {
  const { owner, database } = await openDatabases()
  const giveBack = lend('a service')
  const logLines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) })
  const secretKeys = parseSecretKeys(`t:${randomBytes(32).toString('base64')}`)
  const backend = createBackend({ database, now: () => new Date(options.now?.() ?? Date.now()), log, secretKeys })
  const gateway = await createGateway({
    backend: options.wrap?.(backend) ?? backend,
    baseUrl: options.baseUrl ?? BASE_URL,
    secretKeys,
    rateLimit: options.rateLimit ?? new MemoryRateLimit(),
    rate: options.rate ?? { requests: UNLIMITED, seconds: 60 },
    trustedProxies: [],
    log,
    // A test process draws its clinics, compiles schemas and answers requests on one loop, so only the tests of shedding shed.
    shedAtDelayMs: options.shedAtDelayMs ?? 0,
    ...(options.mcp ? { mcp: options.mcp } : {}),
    ...(options.packages ? { packages: options.packages } : {}),
    ...(options.connect ? { connect: options.connect } : {}),
    ...(options.now ? { now: options.now } : {}),
    ...(options.deadlineMs ? { deadlineMs: options.deadlineMs } : {}),
    ...(options.lastAnswersMs ? { lastAnswersMs: options.lastAnswersMs } : {}),
    ...(options.maxConnections ? { maxConnections: options.maxConnections } : {}),
  })
  const { app } = gateway
  await app.ready()
  return {
    gateway,
    backend,
    database,
    owner,
    logLines,
    send: async ({ method = 'GET', ...request }) => {
      const {
        statusCode: status,
        headers,
        rawPayload: bytes,
      } = await app.inject({ method: method as 'GET', ...request })
      return { status, headers, bytes }
    },
    address: async () => {
      if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    },
    close: async () => {
      await gateway.close()
      await database.close()
      await owner.close()
      giveBack()
    },
  }
}

/** An id that no other test's clinic has. */
export function newClinicId(): string {
  return `test-${randomBytes(8).toString('hex')}`
}

export interface TestClinic {
  readonly clinic: Clinic
  /** A key with every scope. */
  readonly key: string
}

/** A clinic with a little of everything: a small demo. */
export async function smallClinic({ owner, database }: TestService, patients = 12): Promise<TestClinic> {
  const clinic = await emptyClinic(owner)
  await generateDemo({ database, clinic, patients, seed: 1, now: new Date() })
  return { clinic, key: await keyOf(owner, clinic, allScopes) }
}

/** A service and a small clinic that it serves, for the tests of a file. Their end closes it. */
export async function servedClinic(patients?: number): Promise<{ service: TestService; clinic: TestClinic }> {
  const service = await startService()
  after(() => service.close())
  return { service, clinic: await smallClinic(service, patients) }
}

export function emptyClinic(owner: Database): Promise<Clinic> {
  return clinicWithoutKeys(owner, { clinic_id: newClinicId() })
}

export async function keyOf(
  owner: Database,
  { clinic_id }: Clinic,
  scopes: readonly Scope[],
  expires_at: Date | null = null,
  name = 'test',
): Promise<string> {
  // A key that has expired by now was created earlier.
  const now = new Date(Math.min(Date.now(), (expires_at?.getTime() ?? Number.POSITIVE_INFINITY) - 1))
  const { key } = await mintKey(owner, { clinic_id, scopes, name, expires_at, rate_limit: null, now })
  return key
}

interface AskOptions {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends one request through the gateway. A body is sent as JSON, a text unchanged. */
export async function ask(service: TestService, key: string | null, path: string, options: AskOptions = {}) {
  return read(await service.send(requestOf(key, path, options)))
}

/** The same, again while it is refused: a burst overloads a slow machine. */
export async function askUntilServed(service: TestService, key: string | null, path: string) {
  return read(await untilServed(() => service.send(requestOf(key, path))))
}

function requestOf(key: string | null, path: string, options: AskOptions = {}): ServiceRequest {
  const { method, headers, body } = options
  return {
    ...(method && { method }),
    url: path,
    headers: {
      host: 'api.clinic.example',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

function read({ status, headers, bytes }: Answered) {
  const text = bytes.toString()
  const isJson = /json/.test(String(headers['content-type'] ?? ''))
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : null }
}

/** The path of an operation with its parameters filled in. */
export function pathOf(
  operation: { path: string },
  ids: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? 'no-such-id'),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}
