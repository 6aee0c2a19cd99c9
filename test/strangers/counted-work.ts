// Counts the work that a request makes the process do, at the places through which all of it goes: Node.js's own functions, and the lines in
// which requests wait for what they share. A request says in a header which count it belongs to.
import { AsyncLocalStorage } from 'node:async_hooks'
import crypto, { webcrypto } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import type { BodyMemory } from '@clinic-data/contract/body-memory'
import type { FairLine } from '@clinic-data/database/connections/fair-line'
import type { ConcurrencyLimit } from '@clinic-data/gateway/limits/concurrency-limit'
import type { WaitingLine } from '@clinic-data/surface/waiting-line'
import type { FastifyInstance, RouteOptions } from 'fastify'

export interface Work {
  /** Signatures verified in the thread that answers everybody, and in the pool. */
  verifiedHere: number
  verified: number
  /** Public keys read. */
  keys: number
  /** Passwords hashed. */
  hashes: number
  /** Connections to other machines. */
  outbound: number
  /** Characters of JSON read. */
  parsed: number
  /** Connections of the database taken. */
  connections: number
  /** Places taken in the memory of bodies, and in lines of requests that wait for each other. */
  places: number
  /** The longest that another machine may keep the request waiting, in ms. */
  waitMs: number
}

export const COUNT_HEADER = 'x-counted-as'

const counts = new Map<string, Work>()
const current = new AsyncLocalStorage<Work>()

export function noWork(): Work {
  return {
    verifiedHere: 0,
    verified: 0,
    keys: 0,
    hashes: 0,
    outbound: 0,
    parsed: 0,
    connections: 0,
    places: 0,
    waitMs: 0,
  }
}

/** What requests with this name have cost until now. */
export function workOf(name: string): Work {
  const work = counts.get(name) ?? noWork()
  counts.set(name, work)
  return work
}

function add(more: (work: Work) => void): void {
  const work = current.getStore()
  if (work !== undefined) more(work)
}

/** Every route of every listener that is made from now on, as `GET /path`. */
export function watchRoutes(): readonly string[] {
  const routes: string[] = []
  diagnostics.subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      routes.push(...[method].flat().map((one) => `${one} ${url}`))
    })
    fastify.addHook('onRequest', (request, _reply, done) => {
      const name = request.headers[COUNT_HEADER]
      if (typeof name === 'string') current.run(workOf(name), done)
      else done()
    })
  })
  return routes
}

/** Before the service is loaded: its modules may keep the functions that they find. @param databasePort is no other machine's */
export function countBuiltins(databasePort: number): void {
  before(crypto, 'verify', (args) =>
    add((work) => {
      if (typeof args.at(-1) === 'function') work.verified++
      else work.verifiedHere++
    }),
  )
  before(crypto, 'createPublicKey', () => add((work) => work.keys++))
  before(crypto, 'scrypt', () => add((work) => work.hashes++))
  before(webcrypto.subtle, 'verify', () => add((work) => work.verified++))
  before(Socket.prototype, 'connect', ([first]) => {
    const { port, path } = ([first].flat()[0] ?? {}) as { port?: unknown; path?: unknown }
    // A path is that of the database on this machine.
    const isOurs = path != null || (port ?? first) === databasePort || Number.isNaN(Number(port ?? first))
    if (!isOurs) add((work) => work.outbound++)
  })
  before(JSON, 'parse', ([text]) => add((work) => (work.parsed += String(text).length)))
  before(AbortSignal, 'timeout', ([ms]) => add((work) => (work.waitMs = Math.max(work.waitMs, Number(ms)))))
  syncBuiltinESMExports()
}

export interface Shared {
  readonly BodyMemory: typeof BodyMemory
  readonly FairLine: typeof FairLine
  readonly ConcurrencyLimit: typeof ConcurrencyLimit
  readonly WaitingLine: typeof WaitingLine
}

export function countShared({ BodyMemory, FairLine, ConcurrencyLimit, WaitingLine }: Shared): void {
  before(BodyMemory.prototype, 'hold', () => add((work) => work.places++))
  before(ConcurrencyLimit.prototype, 'enter', () => add((work) => work.places++))
  before(FairLine.prototype, 'enter', () => add((work) => work.connections++))
  // It enters such a line too, which is none of the database.
  before(WaitingLine.prototype, 'run', () =>
    add((work) => {
      work.places++
      work.connections--
    }),
  )
}

/** Calls `look` before each call, and changes nothing. */
function before<K extends string>(
  owner: { [Name in K]: (...args: never[]) => unknown },
  name: K,
  look: (args: readonly unknown[]) => void,
): void {
  const former: (...args: never[]) => unknown = owner[name]
  const looking = function (this: unknown, ...args: never[]) {
    look(args)
    return Reflect.apply(former, this, args)
  }
  Object.defineProperty(owner, name, { value: looking, configurable: true, writable: true })
}
