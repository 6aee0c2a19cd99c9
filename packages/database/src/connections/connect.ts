// Opens connections to one database, all with the project's settings.

import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { columnTypes } from '../values/column-value.ts'
import { isPoolersRefusal, unavailable } from './database-failure.ts'
import { requireSessions, setInSession } from './pooler.ts'
import { GuardedSocket, guardAuthentication, refusalOr, requiredMethods } from './server-authentication.ts'

export type ConnectOptions = {
  url: string
  /** Which server is accepted. A primary that was demoted would answer reads with what was true before. Default: `primary`. */
  role?: 'primary' | 'standby'
  statementTimeoutMs: number
  /** Settings of every connection, in addition to the project's own. */
  settings?: Readonly<Record<string, string | number>>
  onError: (error: Error) => void
}

export type Connect = (mode: { pipeline: boolean }) => Promise<Client>

const CONNECT_TIMEOUT_MS = 5_000
/** An idle connection to a machine that is gone ends ten seconds after this. The system's own two hours are too long. */
const KEEPALIVE_MS = 10_000
/**
 * The server ends a transaction that waits so long for its next statement, and lets its locks go. By then its caller has been answered with
 * 503, and would come again. No work between two statements takes as long.
 */
const LONGEST_WAIT_IN_TRANSACTION_MS = 10_000
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 250

/** After failed attempts the next one waits, longer with each failure, so that a caller who retries at once does not spin. */
export function connector(options: ConnectOptions): Connect {
  const config = clientConfig(options)
  const settings = settingsOf(options)
  const methods = requiredMethods(options.url)
  const role = options.role ?? 'primary'
  /** Once a pooler has refused the settings of a greeting: whether it keeps sessions. */
  let pooler: Promise<void> | null = null
  let failures = 0
  let notBefore = 0
  return async ({ pipeline }) => {
    const pause = notBefore - performance.now()
    if (pause > 0) await delay(pause)
    try {
      const client = await (pooler === null ? direct(pipeline) : pooled(pipeline, pooler))
      failures = 0
      return client
    } catch (error) {
      failures += 1
      notBefore = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
      throw unavailable(refusalOr(error))
    }
  }

  /** The settings go with the greeting, so that there is no connection without them. */
  async function direct(pipeline: boolean): Promise<Client> {
    try {
      return await connected({ ...config, options: inGreeting(settings), pipeline }, async (_, { isStandby }) => {
        requireRole(isStandby, role)
      })
    } catch (error) {
      if (!isPoolersRefusal(error)) throw error
      pooler ??= sessionsAreKept().catch((refused) => {
        pooler = null
        throw refused
      })
      return pooled(pipeline, pooler)
    }
  }

  async function sessionsAreKept(): Promise<void> {
    const open = () => connected({ ...config, pipeline: false }, async () => undefined)
    const listening = await open()
    try {
      const telling = await open()
      await requireSessions(listening, telling).finally(() => destroy(telling))
    } finally {
      destroy(listening)
    }
  }

  async function pooled(pipeline: boolean, sessions: Promise<void>): Promise<Client> {
    await sessions
    return connected({ ...config, pipeline }, async (client) => requireRole(await setInSession(client, settings), role))
  }

  async function connected(
    config: ClientConfig,
    check: (client: Client, server: Server) => Promise<void>,
  ): Promise<Client> {
    // This reads the files of certificates that the url names. They may have gone.
    const client = new Client({ ...config, stream: () => new GuardedSocket() })
    guardAuthentication(client, methods)
    const server = serverOf(client)
    // A connection that breaks while idle reports it only through this event. Without a listener the process would end.
    client.on('error', (error) => {
      destroy(client)
      options.onError(error)
    })
    try {
      await client.connect()
      await check(client, server)
      return client
    } catch (error) {
      destroy(client)
      throw error
    }
  }
}

/** The server tells this of itself with every greeting. */
interface Server {
  isStandby: boolean
}

function serverOf({ connection }: Client): Server {
  const server = { isStandby: false }
  connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (parameterName === 'in_hot_standby') server.isStandby = parameterValue === 'on'
  })
  return server
}

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}

function requireRole(isStandby: boolean, role: 'primary' | 'standby'): void {
  if (isStandby !== (role === 'standby'))
    throw new Error(isStandby ? 'the server is a standby, not the primary' : 'the server is not a standby')
}

/**
 * Closes without a goodbye: the server rolls back the open transaction of the connection. A reason is reported, and every pending request
 * fails with it. Without a reason only those who wait learn of it.
 */
export function destroy(client: Client, reason?: Error): void {
  if (reason === undefined) client.removeAllListeners('error').on('error', ignore)
  client.connection.stream.destroy(reason)
}

function ignore(): void {}

function clientConfig({ url }: ConnectOptions) {
  // The driver would let the url's options replace ours.
  if (/[?&]options=/.test(url)) throw new Error('the database url must not carry "options"')
  return {
    connectionString: url,
    application_name: 'clinicd',
    types: columnTypes,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
  }
}

function settingsOf({ statementTimeoutMs, settings }: ConnectOptions): Record<string, string> {
  const all = {
    // On Citus this makes `set local` reach the workers. Elsewhere it is an unknown name in a namespace of its own.
    'citus.propagate_set_commands': 'local',
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: LONGEST_WAIT_IN_TRANSACTION_MS,
    jit: 'off',
    DateStyle: 'ISO',
    timezone: 'UTC',
    ...settings,
  }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]))
}

function inGreeting(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
