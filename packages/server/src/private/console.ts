// Adds the console's operations to the private listener, with what only the listener knows of a request: who sent it, and how it came.
import type { IncomingMessage } from 'node:http'
import { smtpMail } from '@clinic-data/administration/people/smtp-mail'
import { carefulBackend } from '@clinic-data/administration/routes/careful-backend'
import {
  CONSOLE_API,
  consoleRoutes,
  type DemoPart,
  type PatientRights,
} from '@clinic-data/administration/routes/console-routes'
import { administratorsStillValid, principalOf, signedIn } from '@clinic-data/administration/routes/signed-in'
import { OpenIdProvider } from '@clinic-data/administration/sign-in/openid-provider'
import { appendAudit, isAnsweredRead } from '@clinic-data/audit/audit'
import type { BackendOptions } from '@clinic-data/backend'
import type { ConsoleConnect } from '@clinic-data/connect/console-connect'
import { openOperations } from '@clinic-data/console-contract/open-operations'
import type { AuditRow, Backend } from '@clinic-data/contract'
import { wideBlock } from '@clinic-data/contract/address-block'
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { FailedAttempts } from '@clinic-data/gateway/limits/failed-attempts'
import { type OperationRoutes, operationRoutes } from '@clinic-data/gateway/operation-routes'
import type { Config } from '@clinic-data/installation/config'
import type { FastifyInstance } from 'fastify'
import type { Start } from '../start.ts'
import { type ConsoleNames, isConsoleHost } from './named-host.ts'

/** One administrator may send so many. A page that is left open asks some times a minute. */
const RATE = { requests: 600, seconds: 60 }

interface ConsoleOptions {
  config: Pick<
    Config,
    | 'baseUrl'
    | 'consoleUrl'
    | 'adminHost'
    | 'adminNames'
    | 'rate'
    | 'trustedProxies'
    | 'webhookAllowCidrs'
    | 'openId'
    | 'mail'
  >
  log: Start['log']
  /** Opened with the console's login. */
  database: Database
  /** Makes the backend that answers the operations of the contract. */
  backendWith: (further: Required<Pick<BackendOptions, 'validOf'>>) => Backend
  secretKeys: SecretKeys
  /** Aborted when the process that stops waits for the database no longer. */
  stopDeadline?: AbortSignal
  /** Where apps can be connected. */
  connect?: ConsoleConnect | null
  /** Carries out the export and the erasure of one patient. */
  patientRights?: PatientRights
  /** Only in a service that has the demo clinic. */
  demo?: DemoPart | undefined
}

/** Returns the routes. They are closed after the listener. */
export async function openConsole(admin: FastifyInstance, options: ConsoleOptions): Promise<OperationRoutes> {
  const { config, log, database, backendWith, secretKeys, connect = null, demo, patientRights, stopDeadline } = options
  const { baseUrl, consoleUrl, rate, trustedProxies, webhookAllowCidrs } = config
  const clientAddress = new ClientAddress(trustedProxies)
  refuseOtherHosts(admin, config)
  const now = () => new Date()
  const parts = {
    consoleDatabase: database,
    now,
    log,
    baseUrl,
    consoleUrl,
    usualRate: Math.max(1, Math.round((rate.requests * 60) / rate.seconds)),
    connect,
    failedSignIns: new FailedAttempts(),
    openId: config.openId && new OpenIdProvider(config.openId, now),
    mail: config.mail && smtpMail(config.mail),
    signInKeys: signingKeys(secretKeys, 'console-sign-in'),
    webhookKeys: signingKeys(secretKeys, 'webhook-secret'),
    addressOf: (request: IncomingMessage) => clientAddress.of(request),
    blockOf: wideBlock,
    isSecure: secureRequests([baseUrl, ...(consoleUrl === null ? [] : [consoleUrl])], clientAddress),
    ...(patientRights && { patientRights }),
    ...(demo && { demo }),
  }
  await admin.register(consoleRoutes(parts), { prefix: CONSOLE_API })
  const routes = operationRoutes({
    backend: carefulBackend(backendWith({ validOf: administratorsStillValid(database) }), parts),
    operations: openOperations,
    baseUrl,
    secretKeys,
    log,
    stopDeadline,
    rate: RATE,
    identification: {
      identify: async ({ id: request_id, raw, observed: { operation } }) =>
        principalOf({ session: await signedIn(parts, raw, { request_id }), address: parts.addressOf(raw) }, operation),
      addressOf: ({ raw }) => parts.addressOf(raw),
    },
    storeAudit: (rows) =>
      appendAudit(
        database,
        rows.filter((row) => !showsNobody(row)).map((row) => ({ patient_ids: [], ...row, surface: 'console' })),
      ),
    allowances: { allowsLoopbackHttp: webhookAllowCidrs.length > 0 },
  })
  await admin.register(routes.plugin, { prefix: CONSOLE_API })
  return routes
}

/** An administrator who opens a page that holds no patient's data leaves no row. */
function showsNobody(row: AuditRow): boolean {
  return isAnsweredRead(row) && row.patient_ids?.length === 0
}

const OTHER_HOST =
  'The console does not answer under this host name. The operator of the service names its address in CONSOLE_URL.\n'

/**
 * Before anything else is looked at, also for the page. By a name of its own a page of another site could ask as if it were the console,
 * and passkeys and the ways back from an identity provider are made for the name that was asked.
 */
function refuseOtherHosts(admin: FastifyInstance, names: ConsoleNames): void {
  admin.addHook('onRequest', async ({ headers: { host }, routeOptions }, reply) => {
    if (routeOptions.url?.startsWith('/console') && !isConsoleHost(host, names))
      return reply.code(421).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(OTHER_HOST)
  })
}

/**
 * Whether a browser sent a request by https: a trusted proxy says so, or it came under a public address that is https.
 */
export function secureRequests(
  addresses: readonly string[],
  clientAddress: ClientAddress,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean {
  const secure = addresses.map((one) => new URL(one)).filter(({ protocol }) => protocol === 'https:')
  const hosts = secure.map(({ host }) => host)
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-proto']
    if (forwarded !== undefined && clientAddress.isTrustedProxy(socket)) return firstOf(forwarded) === 'https'
    return hosts.includes(headers.host?.toLowerCase() ?? '')
  }
}

/** The first of several proxies was asked by the browser. */
function firstOf(forwarded: string | string[]): string {
  return (String(forwarded).split(',')[0] ?? '').trim().toLowerCase()
}
