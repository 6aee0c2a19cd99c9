// Opens everything that a process needs to hold the data itself: storage, backend, private routes, background work.
import type { IncomingMessage } from 'node:http'
import { alertWebhook } from '@clinic-data/administration/alerts/alert-webhook'
import { hasIngestTokens } from '@clinic-data/administration/credentials/ingest-tokens'
import { smtpMail } from '@clinic-data/administration/people/smtp-mail'
import { packInThread } from '@clinic-data/audit/packing-thread'
import { type BackendOptions, createBackend } from '@clinic-data/backend'
import { TOKEN_RATE } from '@clinic-data/backend/intake/admission'
import { ingestRoutes } from '@clinic-data/backend/intake/ingest-routes'
import { IntakeThread } from '@clinic-data/backend/intake/intake-thread'
import { whatsappRoutes } from '@clinic-data/backend/intake/whatsapp-routes'
import { ChatSender } from '@clinic-data/backend/sending/chat-sender'
import { type Messaging, openMessaging } from '@clinic-data/backend/sending/open-messaging'
import type { Backend } from '@clinic-data/contract'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import {
  asApp,
  asOwner,
  migrateStorage,
  openAsOwner,
  openForConsole,
  openForRequests,
  type Storage,
  startStorage,
} from '@clinic-data/installation/database/storage'
import { untilAnswering } from '@clinic-data/installation/database/waiting'
import { listen } from '@clinic-data/installation/listen'
import type { FastifyInstance } from 'fastify'
import { followerOf } from './audit-follower.ts'
import { startBackground } from './background.ts'
import { type Connecting, openConnecting } from './connecting.ts'
import { openConsole } from './private/console.ts'
import { consolePage } from './private/console-page.ts'
import { patientRights } from './private/patient-rights.ts'
import type { Start } from './start.ts'
import { observeDatabase } from './telemetry/connection-metrics.ts'
import { openWebhooks, type WebhookHooks } from './webhooks.ts'

export interface LocalBackend {
  storage: Storage
  database: Database
  /** Answers those who hold a key. */
  backend: Backend
  /** Makes one for others. */
  backendWith: (further: Pick<BackendOptions, 'validOf'>) => Backend
  messaging: Messaging
  webhooks: WebhookHooks
  onMessageQueued: (clinic_id: string) => void
  /** Opened with the console's login. Null in the role `dispatcher`. */
  consoleDatabase: Database | null
  /** Null: no app can be connected. */
  connecting: Connecting | null
}

export async function openLocalBackend(start: Start): Promise<LocalBackend> {
  const { config, role, secretKeys, log, opened, signal } = start
  const storage = opened.adopt(await startStorage(config, (line) => log.info(line)), (one) => one.stop())
  signal?.throwIfAborted()
  const database = opened.adopt(await openDatabase(start, storage), (one) => one.close())
  opened.defer(observeDatabase(database))
  const webhooks = await openWebhooks(start, database)
  const messaging = openPlatforms(start, database, webhooks)
  const sender = role === 'backend' ? null : startSender(start, database, messaging, webhooks)
  const onMessageQueued = (clinic_id: string) => sender?.wake(clinic_id)
  const consoleDatabase = role === 'dispatcher' ? null : await openConsoleDatabase(start, storage)
  const connecting = consoleDatabase === null ? null : openConnecting(start, consoleDatabase)
  const backendWith = (further: Pick<BackendOptions, 'validOf'>) =>
    createBackend({
      database,
      now: () => new Date(),
      log,
      secretKeys,
      onMessageQueued,
      answerApp: connecting?.answerApp,
      ...webhooks,
      ...further,
    })
  const parts = { connecting, messaging, webhooks, onMessageQueued }
  return { storage, database, consoleDatabase, ...parts, backend: backendWith({}), backendWith }
}

async function openConsoleDatabase({ config, secretKeys, log, opened }: Start, storage: Storage): Promise<Database> {
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the console broke')
  const login = consoleLogin(storage.ownerUrl, config, secretKeys)
  return opened.adopt(await openForConsole(storage, login, onError), (one) => one.close())
}

/** Waits for the database, and brings its tables up to date. */
function openDatabase({ config, role, log, prepare, signal }: Start, storage: Storage): Promise<Database> {
  const admin = (app: FastifyInstance) => listen(app, 'admin', config)
  const open = (app: FastifyInstance) => listen(app, 'public', config)
  return untilAnswering(
    async () => {
      await asOwner(storage, (owner) => migrateStorage(storage, owner, (line) => log.info(line)))
      await prepare?.(storage)
      signal?.throwIfAborted()
      // A dispatcher asks for no analytics.
      const urls = role === 'dispatcher' ? { ...storage, replicaUrl: null } : storage
      const database = await openForRequests(urls, log)
      // Its caller no longer waits for it.
      if (signal?.aborted) await database.close()
      return database
    },
    { log, signal, baseUrl: config.baseUrl, listeners: role === 'all' ? [admin, open] : [admin] },
  )
}

/** Adds the backend's own routes to the private listener: the port for gateways, the ingest API, and the console's. */
export async function openPrivateRoutes(
  admin: FastifyInstance,
  start: Start,
  local: LocalBackend,
  isDraining: () => boolean,
): Promise<void> {
  const { config, secretKeys, log, opened, stopDeadline } = start
  if (config.backendToken !== null) {
    // Loaded only where gateways ask.
    const { portRoutes } = await import('@clinic-data/backend/port-listener')
    await admin.register(portRoutes(local.backend, { token: config.backendToken, log, secretKeys, isDraining }))
  }
  await openIngest(admin, start, local)
  const { storage, backendWith, consoleDatabase: database, connecting } = local
  if (database === null) throw new Error('the console needs its login to the database')
  const demo = start.isDemo ? await demoPart(admin, start, storage) : undefined
  const connect = connecting?.console ?? null
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of an archive broke')
  const rights = patientRights({
    openOwner: () => openAsOwner(storage, onError),
    asOwner: (work) => asOwner(storage, work),
    dataDir: config.dataDir,
  })
  const console = { config, log, database, backendWith, secretKeys, connect, demo, patientRights: rights, stopDeadline }
  opened.adopt(await openConsole(admin, console), (one) => one.close())
  await admin.register(consolePage({ baseUrl: config.baseUrl }))
}

/** Loaded only where there is a demo clinic. */
async function demoPart(admin: FastifyInstance, { log, opened }: Start, storage: Storage) {
  const { demoStage } = await import('./demo/demo-stage.ts')
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the demo broke')
  const owner = opened.adopt(await openAsOwner(storage, onError), (one) => one.close())
  return opened.adopt(
    demoStage(owner, () => admin.listeningOrigin, log),
    (one) => one.close(),
  )
}

/** Adds the ingest API for the clinics' own systems, and the webhook of their messaging platform. */
async function openIngest(
  admin: FastifyInstance,
  { config: { baseUrl, whatsapp, trustedProxies }, secretKeys, log, opened }: Start,
  { storage, database, messaging, webhooks: { onDeliveriesDue } }: LocalBackend,
): Promise<void> {
  const fileLinkKeys = signingKeys(secretKeys, 'file-link')
  const intake = opened.adopt(new IntakeThread({ database: asApp(storage), log, onDeliveriesDue }), (one) =>
    one.close(),
  )
  let looked: Promise<void> = Promise.resolve()
  admin.addHook('onListen', async () => {
    looked = asOwner(storage, hasIngestTokens).then(
      (has) => (has ? intake.prepare() : undefined),
      // The first body starts it.
      () => undefined,
    )
  })
  opened.defer(() => looked)
  const rate = new MemoryRateLimit({ windowMs: TOKEN_RATE.window_seconds * 1000 })
  const clientAddress = new ClientAddress(trustedProxies)
  const addressOf = (request: IncomingMessage) => clientAddress.of(request)
  const ingest = {
    database,
    intake,
    rate,
    now: () => new Date(),
    log,
    baseUrl,
    fileLinkKeys,
    addressOf,
    onDeliveriesDue,
  }
  await admin.register(ingestRoutes(ingest), { prefix: '/ingest' })
  if (whatsapp.webhook === null) return
  const reports = { ...ingest, platform: messaging.platforms.whatsapp, ...whatsapp.webhook }
  await admin.register(whatsappRoutes(reports), { prefix: '/ingest' })
}

/** Starts the dispatcher's work beside the requests. */
export function startDispatching(
  { config, secretKeys, log, opened }: Start,
  { database, storage }: LocalBackend,
): void {
  const mail = config.mail && smtpMail(config.mail)
  const webhook = config.alerts && alertWebhook(config.alerts)
  if (webhook !== null) opened.defer(() => webhook.close())
  const background = startBackground({
    database,
    asOwner: (work) => asOwner(storage, work),
    log,
    auditKeys: signingKeys(secretKeys, 'audit-head'),
    webhookKeys: signingKeys(secretKeys, 'webhook-secret'),
    eventRetentionDays: config.eventRetentionDays,
    auditRetentionDays: config.auditRetentionDays,
    packAudit: config.packsAudit
      ? (now, stopping) => packInThread({ ownerUrl: storage.ownerUrl, now }, stopping)
      : null,
    follower: followerOf(config.auditExport, log),
    mailing: mail && { mail, consoleUrl: config.consoleUrl },
    alerting: { mail, webhook, consoleUrl: config.consoleUrl },
  })
  opened.defer(() => background.stop())
}

function openPlatforms(
  { config, log, opened }: Start,
  database: Database,
  { onDeliveriesDue }: WebhookHooks,
): Messaging {
  const { accessToken, apiUrl } = config.whatsapp
  const messaging = openMessaging({
    database,
    log,
    onDeliveriesDue,
    whatsappAccessToken: accessToken,
    ...(apiUrl === null ? {} : { whatsappApiUrl: apiUrl }),
  })
  return opened.adopt(messaging, (one) => one.close())
}

function startSender(
  { log, opened, stopDeadline: deadline }: Start,
  database: Database,
  { platforms }: Messaging,
  { onDeliveriesDue }: WebhookHooks,
): ChatSender {
  const sender = new ChatSender({ database, platforms, log, onDeliveriesDue, deadline })
  sender.start()
  return opened.adopt(sender, (one) => one.stop())
}
