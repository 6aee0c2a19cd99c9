// The connections of a process of tests to the run's database, for all its files: what a new one must read and plan first costs as much
// as ten requests.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { type Database, openDatabase } from '@clinic-data/database'
import { asApplication } from '../application.ts'

export interface RunConnections {
  /** The operator's: sees every clinic. */
  readonly owner: Database
  /** The program's: bound by row level security. */
  readonly app: Database
}

let opened: Promise<RunConnections> | undefined

/** Nobody closes them: they end with the process. */
export function runConnections(): Promise<RunConnections> {
  opened ??= open()
  return opened
}

async function open(): Promise<RunConnections> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('run the tests with npm test: it starts the database')
  return {
    owner: await keptOpen({ url, statementTimeoutMs: 0 }),
    app: await keptOpen(asApplication(url)),
  }
}

/** What runs for the shared connections. */
const forThem = new AsyncLocalStorage<true>()

// A file ends when nothing is open that keeps its process. These connections do not, but for the time of an answer.
subscribe('net.client.socket', (message) => {
  if (forThem.getStore()) (message as { socket: Socket }).socket.unref()
})

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1

function whileKept<T>(work: () => Promise<T>): Promise<T> {
  const keeper = setInterval(() => undefined, LONGEST_MS)
  return forThem.run(true, work).finally(() => clearInterval(keeper))
}

async function keptOpen(options: Parameters<typeof openDatabase>[0]): Promise<Database> {
  const database = await whileKept(() => openDatabase(options))
  return new Proxy(database, {
    get(_, name) {
      const value = Reflect.get(database, name, database)
      if (name === 'close' || name === 'listen') return refused
      return typeof value !== 'function'
        ? value
        : (...given: unknown[]) => whileKept(() => value.apply(database, given))
    },
  })
}

function refused(): never {
  throw new Error('a file that closes its database, or listens, opens one of its own')
}
