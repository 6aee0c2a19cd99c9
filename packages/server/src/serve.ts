// `clinicd serve`: puts the parts of one role together, listens, and stops in good order.
import type { AddressInfo } from 'node:net'
import { createBackend } from '@clinic-data/backend'
import { TOKEN_RATE } from '@clinic-data/backend/ingest/admission'
import { ingestRoutes } from '@clinic-data/backend/ingest/ingest-routes'
import { IntakeThread } from '@clinic-data/backend/ingest/intake-thread'
import { whatsappRoutes } from '@clinic-data/backend/ingest/whatsapp-routes'
import { portRoutes } from '@clinic-data/backend/port-listener'
import { ChatSender, type SenderOptions } from '@clinic-data/backend/sending/chat-sender'
import { type Messaging, openMessaging } from '@clinic-data/backend/sending/open-messaging'
import type { Backend } from '@clinic-data/contract'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import { createGateway, type Gateway } from '@clinic-data/gateway'
import { connectionShares } from '@clinic-data/gateway/connections/connection-shares'
import { httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import { MemoryRateLimit, type RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { RedisRateLimit } from '@clinic-data/gateway/limits/redis-rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { adminListener } from './admin-listener.ts'
import { startBackground } from './background.ts'
import { ClockJumps } from './clock-jumps.ts'
import { type Config, ConfigError } from './config.ts'
import { metricsRoute, startMetrics } from './prometheus.ts'
import { type Role, requireForRole } from './role.ts'
import { secretKeysOf } from './secret-key-file.ts'
import { asApp, asOwner, migrateStorage, openAsApp, type Storage, startStorage } from './storage.ts'
import { untilAnswering } from './waiting.ts'
import { openWebhooks, type WebhookHooks } from './webhooks.ts'

/** A running `serve`. */
export interface Service {
  /** Where the public API listens; null in a role without it. */
  readonly address: string | null
  readonly adminAddress: string
  readonly storage: Storage | null
  /** Tells load balancers, and gateways of their own, to send nothing new. */
  drain(): void
  stop(): Promise<void>
}

export interface ServeOptions {
  config: Config
  role: Role
  log: Logger
  /** Runs once the tables are up to date and before anything listens: the demo clinic. */
  prepare?: (storage: Storage) => Promise<void>
  /** Abandons the start; a service that has started is stopped by `stop`. */
  signal?: AbortSignal
}

/** Starts a role. What was opened is closed again, in the opposite order, by `stop` or when the start fails. */
export async function serve({ config, role, log, prepare, signal }: ServeOptions): Promise<Service> {
  const opened: (() => Promise<unknown>)[] = []
  let closing = Promise.resolve()
  const stop = () => {
    closing = closing.then(async () => {
      for (let close = opened.pop(); close; close = opened.pop()) await close()
    })
    return closing
  }
  // What is under way fails for want of what is closed, and ends the start.
  const abandon = () => void stop().catch(() => undefined)
  signal?.addEventListener('abort', abandon)
  let isDraining = false
  try {
    requireForRole(config, role)
    const secretKeys = await secretKeysOf(config)
    const exporter = startMetrics()
    const endJumps = new ClockJumps({ log }).start()
    opened.push(async () => endJumps())
    const local =
      role === 'gateway' ? null : await openLocal({ config, role, secretKeys, log, opened, prepare, signal })
    const backend = local?.backend ?? remote(config, log, opened)
    const isPublic = role === 'all' || role === 'gateway'
    const shares = connectionShares(isPublic)
    const admin = adminListener({ maxConnections: shares.private, trustedProxies: config.trustedProxies, log })
    metricsRoute(admin, exporter, [config.adminHost.toLowerCase(), ...config.adminNames])
    admin.get('/healthz', () => ({ status: 'ok' }))
    if (local && config.backendToken !== null && role !== 'dispatcher') {
      const port = { token: config.backendToken, log, isDraining: () => isDraining }
      await admin.register(portRoutes(local.backend, port))
    }
    if (local && role !== 'dispatcher') await openDoors(admin, config, secretKeys, local, log, opened)
    if (local && (role === 'all' || role === 'dispatcher')) {
      opened.push(
        startBackground({
          database: local.database,
          asOwner: (work) => asOwner(local.storage, work),
          log,
          auditKeys: signingKeys(secretKeys, 'audit-head'),
          eventRetentionDays: config.eventRetentionDays,
        }).stop,
      )
    }
    opened.push(() => admin.close())
    const adminAddress = await listen(admin, 'admin', config.adminHost, config.adminPort)
    const parts = { config, secretKeys, backend, log, opened, maxConnections: shares.public }
    const gateway = isPublic ? await openGateway(parts) : null
    const address = gateway ? await listen(gateway.app, 'public', config.host, config.port) : null
    signal?.throwIfAborted()
    const drain = () => {
      isDraining = true
      gateway?.drain()
    }
    return { address, adminAddress, storage: local?.storage ?? null, drain, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    signal?.removeEventListener('abort', abandon)
  }
}

interface Local {
  storage: Storage
  database: Database
  backend: Backend
  messaging: Messaging
  webhooks: WebhookHooks
}

interface LocalParts {
  config: Config
  role: Role
  secretKeys: SecretKeys
  log: Logger
  opened: (() => Promise<unknown>)[]
  prepare: ServeOptions['prepare'] | undefined
  signal: AbortSignal | undefined
}

/** All that a process needs which holds the data, and what works on it beside the requests. */
async function openLocal({ config, role, secretKeys, log, opened, ...start }: LocalParts): Promise<Local> {
  const storage = await startStorage(config, (line) => log.info(line))
  opened.push(() => storage.stop())
  start.signal?.throwIfAborted()
  const database = await untilAnswering(
    async () => {
      await asOwner(storage, (owner) => migrateStorage(storage, owner, (line) => log.info(line)))
      await start.prepare?.(storage)
      return openAsApp(storage, (error) => log.warn({ err: error }, 'a database connection broke'))
    },
    { log, signal: start.signal, baseUrl: config.baseUrl, listeners: listenersOf(config, role) },
  )
  opened.push(() => database.close())
  const webhooks = await openWebhooks({ config, role, database, secretKeys, log, opened })
  const messaging = openPlatforms(config, database, webhooks, log, opened)
  const parts = { database, platforms: messaging.platforms, log, onDeliveriesDue: webhooks.onDeliveriesDue }
  const sender = role === 'backend' ? null : startSender(parts, opened)
  const backend = createBackend({
    ...{ database, now: () => new Date(), log, secretKeys, ...webhooks },
    auditRetentionDays: config.auditRetentionDays,
    onMessageQueued: (clinic_id) => sender?.wake(clinic_id),
  })
  return { storage, database, messaging, webhooks, backend }
}

/** The private doors of the clinics' own systems, and of their messaging platform. */
async function openDoors(
  admin: FastifyInstance,
  { baseUrl, whatsapp }: Config,
  secretKeys: SecretKeys,
  { storage, database, messaging, webhooks }: Local,
  log: Logger,
  opened: (() => Promise<unknown>)[],
): Promise<void> {
  const fileLinkKeys = signingKeys(secretKeys, 'file-link')
  const { onDeliveriesDue } = webhooks
  const intake = new IntakeThread({ database: asApp(storage), log, onDeliveriesDue })
  opened.push(() => intake.close())
  const rate = new MemoryRateLimit({ windowMs: TOKEN_RATE.window_seconds * 1000 })
  const ingest = { database, intake, rate, now: () => new Date(), log, baseUrl, fileLinkKeys, onDeliveriesDue }
  await admin.register(ingestRoutes(ingest), { prefix: '/ingest' })
  if (whatsapp.webhook === null) return
  const reports = { ...ingest, platform: messaging.platforms.whatsapp, ...whatsapp.webhook }
  await admin.register(whatsappRoutes(reports), { prefix: '/ingest' })
}

function openPlatforms(
  { whatsapp: { accessToken, apiUrl } }: Config,
  database: Database,
  { onDeliveriesDue }: WebhookHooks,
  log: Logger,
  opened: (() => Promise<unknown>)[],
): Messaging {
  const messaging = openMessaging({
    ...{ database, log, onDeliveriesDue, whatsappAccessToken: accessToken },
    ...(apiUrl === null ? {} : { whatsappApiUrl: apiUrl }),
  })
  opened.push(() => messaging.close())
  return messaging
}

function startSender(options: SenderOptions, opened: (() => Promise<unknown>)[]): ChatSender {
  const sender = new ChatSender(options)
  sender.start()
  opened.push(() => sender.stop())
  return sender
}

function remote(config: Config, log: Logger, opened: (() => Promise<unknown>)[]): Backend {
  const { backendUrls, backendToken } = config
  if (backendUrls.length === 0 || backendToken === null)
    throw new Error('a remote backend needs its address and its token')
  const backend = httpBackend({ urls: backendUrls, token: backendToken, log })
  opened.push(() => backend.close())
  return backend
}

interface GatewayParts {
  config: Config
  secretKeys: SecretKeys
  backend: Backend
  log: Logger
  opened: (() => Promise<unknown>)[]
  maxConnections: number
}

async function openGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, secretKeys, backend, log, opened, maxConnections } = parts
  const gateway = await createGateway({
    backend,
    baseUrl: config.baseUrl,
    secretKeys,
    rateLimit: rateLimitOf(config, log, opened),
    rate: config.rate,
    trustedProxies: config.trustedProxies,
    maxConnections,
    maxConnectionsPerAddress: Math.min(config.maxConnectionsPerAddress, Math.ceil(maxConnections / 2)),
    mcp: { allowedOrigins: config.allowedOrigins },
    allowsLoopbackHttp: config.webhookAllowCidrs.length > 0,
    log,
  })
  opened.push(() => gateway.close())
  return gateway
}

function rateLimitOf(config: Config, log: Logger, opened: (() => Promise<unknown>)[]): RateLimit {
  const windowMs = config.rate.seconds * 1000
  if (config.redisUrl === null) return new MemoryRateLimit({ windowMs })
  const limit = new RedisRateLimit({ url: config.redisUrl, gateways: config.gateways, windowMs, log })
  opened.push(async () => limit.close())
  return limit
}

/** Where a role listens that holds the data. */
function listenersOf({ adminHost, adminPort, host, port }: Config, role: Role) {
  const admin = (app: FastifyInstance) => listen(app, 'admin', adminHost, adminPort)
  return role === 'all' ? [admin, (app: FastifyInstance) => listen(app, 'public', host, port)] : [admin]
}

type Listener = 'public' | 'admin'

const VARIABLES = { public: ['HOST', 'PORT'], admin: ['ADMIN_HOST', 'ADMIN_PORT'] } as const

async function listen(app: FastifyInstance, listener: Listener, host: string, port: number): Promise<string> {
  try {
    // The name stands for two addresses on most machines, and each would be a server of its own.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, VARIABLES[listener], host, port)
  }
  const { address, port: bound, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

function listenError(
  error: NodeJS.ErrnoException,
  [hostName, portName]: (typeof VARIABLES)[Listener],
  host: string,
  port: number,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(`port ${port} of ${host} is in use; set ${portName} to another`)
    case 'EACCES':
      return new ConfigError(`this user may not listen on port ${port}; set ${portName} to one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`${hostName} must be an address of this machine, and ${host} is none`)
    default:
      return error
  }
}
