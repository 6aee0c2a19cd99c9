// Adds the console's operations to the private listener, with what only the listener knows of a request: who sent it, and how it came.
import type { IncomingMessage } from 'node:http'
import { CONSOLE_API, consoleRoutes } from '@clinic-data/backend/console/console-routes'
import type { Database } from '@clinic-data/database'
import { ClientAddress } from '@clinic-data/gateway/connections/client-address'
import { FailedAttempts } from '@clinic-data/gateway/limits/failed-attempts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Start } from '../start.ts'

interface ConsoleOptions {
  config: Pick<Config, 'baseUrl' | 'trustedProxies'>
  log: Start['log']
  /** Opened as the owner of the tables. */
  owner: Database
}

export async function openConsole(admin: FastifyInstance, { config, log, owner }: ConsoleOptions): Promise<void> {
  const { baseUrl, trustedProxies } = config
  const clientAddress = new ClientAddress(trustedProxies)
  const routes = consoleRoutes({
    ...{ owner, now: () => new Date(), log, baseUrl },
    failedSignIns: new FailedAttempts(),
    addressOf: (request) => clientAddress.of(request),
    isSecure: secureRequests(baseUrl, clientAddress),
  })
  await admin.register(routes, { prefix: CONSOLE_API })
}

/**
 * Whether a browser sent a request by https: a trusted proxy says so, or it came under the public address, which is https.
 */
export function secureRequests(
  baseUrl: string,
  clientAddress: ClientAddress,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean {
  const { protocol, host } = new URL(baseUrl)
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-proto']
    if (forwarded !== undefined && clientAddress.isTrustedProxy(socket)) return firstOf(forwarded) === 'https'
    return protocol === 'https:' && headers.host?.toLowerCase() === host
  }
}

/** Of several proxies the first one was asked by the browser. */
function firstOf(forwarded: string | string[]): string {
  return (String(forwarded).split(',')[0] ?? '').trim().toLowerCase()
}
