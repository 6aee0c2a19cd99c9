// Opens a listener of the service. Its errors name the variables that mend them.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Config, ConfigError, withSetting } from './config.ts'

const VARIABLES = { public: ['HOST', 'PORT'], admin: ['ADMIN_HOST', 'ADMIN_PORT'] } as const

export type Listener = keyof typeof VARIABLES

/** A network that starts beside the service needs a part of it. A misspelt address still ends the start. */
const ADDRESS_PATIENCE_MS = 60_000
const ASK_AGAIN_MS = 250

/**
 * Connections that wait until the process takes them: when all clients of a gateway connect again at once, or one opens as many as it can.
 * Linux drops those for which there is no place, and their clients ask again after a second. It allows this many by default
 * (`net.core.somaxconn`); Node.js asks for 511.
 */
const MOST_WAITING = 4_096

/** @param isShared whether other processes listen there too. @returns the address. @throws ConfigError */
export async function listen(
  app: FastifyInstance,
  listener: Listener,
  config: Config,
  isShared = false,
): Promise<string> {
  const { host, port } = placeOf(listener, config)
  try {
    await app.listen({ host: addressOf(host), port, backlog: MOST_WAITING, ...(isShared && { reusePort: true }) })
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, VARIABLES[listener], host, port)
  }
  const { address, port: bound, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

/** Tries a port before anything is made. @throws ConfigError */
export async function refuseTakenPort(listener: Listener, config: Config): Promise<void> {
  const { host, port } = placeOf(listener, config)
  const server = createServer().listen({ host: addressOf(host), port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, VARIABLES[listener], host, port)
  }
  server.close()
  await once(server, 'close')
}

export interface AddressWait {
  log: Logger
  /** Gives it up. */
  signal?: AbortSignal
  patienceMs?: number
}

/**
 * Tries a port before anything is made. While a machine starts, the service may come before its address: waits for that.
 *
 * @throws ConfigError
 */
export async function untilFree(
  listener: Listener,
  config: Config,
  { log, signal, patienceMs = ADDRESS_PATIENCE_MS }: AddressWait,
): Promise<void> {
  const endsAt = performance.now() + patienceMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await refuseTakenPort(listener, config)
    } catch (error) {
      if (!isAddressMissing(error)) throw error
      if (isFirst)
        log.warn({ host: placeOf(listener, config).host }, 'this machine does not have the address yet: waiting for it')
      if (performance.now() >= endsAt) throw error
    }
    await delay(ASK_AGAIN_MS, undefined, { signal })
  }
}

function isAddressMissing(error: unknown): boolean {
  return error instanceof ConfigError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRNOTAVAIL'
}

function placeOf(listener: Listener, { host, port, adminHost, adminPort }: Config): { host: string; port: number } {
  return listener === 'public' ? { host, port } : { host: adminHost, port: adminPort }
}

/** The name means two addresses on most machines, and each would be a server of its own. */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

function listenError(
  error: NodeJS.ErrnoException,
  [hostName, portName]: (typeof VARIABLES)[Listener],
  host: string,
  port: number,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `port ${port} of ${host} is in use; set ${portName} to another: ${withSetting(portName, String(anotherThan(port)))}`,
      )
    case 'EACCES':
      return new ConfigError(`this user may not listen on port ${port}; set ${portName} to one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`${hostName} must be an address of this machine, and ${host} is none`, { cause: error })
    default:
      return error
  }
}

/** Far enough from the other listener's usual port. */
function anotherThan(port: number): number {
  return port < 65_000 ? port + 10 : 8090
}
