// One PostgreSQL database: reads that share few connections, and writes that own one each.

import {
  type ClinicSession,
  clinicSettings,
  DISPATCHER_SETTINGS,
  keyHashSettings,
  type Settings,
  setLocal,
  setPrepared,
  WORKER_SETTINGS,
} from './connections/clinic-session.ts'
import { type Connect, connector } from './connections/connect.ts'
import { ConnectionPool, NO_CLINIC } from './connections/connection-pool.ts'
import { DatabaseUnavailable } from './connections/database-failure.ts'
import { NoticeListener } from './connections/notices.ts'
import { sendPacket } from './connections/packet.ts'
import type { PoolUse } from './connections/pool-use.ts'
import { Replica, type ReplicaNews, type Scanned } from './connections/replica.ts'
import { SCAN_SETTINGS_OF_WORKERS, SCANS_AT_ONCE, ScanConnections } from './connections/scan-connections.ts'
import { checkServer } from './connections/server-check.ts'
import { SharedConnection, type Under, useOf } from './connections/shared-connection.ts'
import { runTransaction, type StatementResult, type Transaction } from './connections/transaction.ts'
import { WriteHealth } from './connections/write-health.ts'
import type { DatabaseOptions, WriteOptions } from './database-options.ts'
import { type RenderedStatement, type Statement, sql } from './sql.ts'
import type { Row } from './values/row-reader.ts'

export { type ClinicSession, utcSession } from './connections/clinic-session.ts'
export {
  DatabaseError,
  DatabaseUnavailable,
  StatementTimeout,
  TransactionTimeout,
  violates,
} from './connections/database-failure.ts'
export type { DatabaseOptions, WriteOptions } from './database-options.ts'
export type { SqlScalar, SqlValue } from './sql.ts'
export { instant, wholeSecond, withInstants } from './values/instant-text.ts'
export type { PoolUse, ReplicaNews, Row, Scanned, StatementResult, Transaction }
export { type Statement, sql }

/** Reads share connections, a write owns one, scans have their own, and so have the audit's batches. */
export type PoolName = 'reads' | 'writes' | 'scans' | 'audit'

/** The longest life of a clinic's transaction. */
const LONGEST_WRITE_MS = 30_000

const WATCH_INTERVAL_MS = 1_000
const SILENCE_MS = 5_000

/** The work for one clinic needs this of a database. */
export type ClinicDatabase = Pick<Database, 'read' | 'write'>

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return new Database(options).open()
}

export class Database {
  readonly #servesRequests: boolean
  readonly #connect: Connect
  readonly #listeners = new Set<NoticeListener>()
  readonly #reads: SharedConnection[]
  readonly #batches: SharedConnection
  /** For batches that need not be on disk yet. */
  readonly #quickBatches: SharedConnection
  readonly #pool: ConnectionPool
  readonly #scans: ScanConnections
  readonly #replica: Replica | null
  readonly #watch: NodeJS.Timeout
  /** Apart: on a full disk a small change may still find room where no row does. */
  readonly #health = { writes: new WriteHealth(), appends: new WriteHealth() }
  readonly #idle = Promise.withResolvers<void>()
  #running = 0
  #closed = false
  #isCluster: boolean | undefined

  constructor(options: DatabaseOptions) {
    const { url, ownerUrl, readConnections = 4, writeConnections = 8, scanConnections = SCANS_AT_ONCE } = options
    const { statementTimeoutMs = 7_000 } = options
    const parameters = { url, statementTimeoutMs, onError: options.onError ?? (() => undefined) }
    const connect: Connect = connector(parameters)
    this.#servesRequests = ownerUrl !== undefined
    this.#connect = connect
    this.#reads = Array.from({ length: readConnections }, () => new SharedConnection(connect))
    const batches = { ...parameters, url: ownerUrl ?? url }
    this.#batches = new SharedConnection(connector(batches))
    this.#quickBatches = new SharedConnection(connector({ ...batches, settings: { synchronous_commit: 'off' } }))
    this.#pool = new ConnectionPool(connect, writeConnections)
    this.#scans = new ScanConnections(parameters, scanConnections)
    const { replicaUrl, onReplicaNews: onNews = () => undefined } = options
    const ask = (statement: RenderedStatement) => this.#leastBusy().execute(statement)
    const replica = { statementTimeoutMs, size: scanConnections, ask, onNews }
    this.#replica = replicaUrl === undefined ? null : new Replica({ url: replicaUrl, ...replica })
    this.#watch = setInterval(() => {
      if (statementTimeoutMs === 0) return
      // The server itself ends a statement sooner. A longer silence means that the connection is broken.
      const patience = (statementTimeoutMs + SILENCE_MS) / WATCH_INTERVAL_MS
      const pools = [...this.#reads, ...this.#scans.all, this.#batches, this.#quickBatches, this.#pool]
      for (const one of pools) one.giveUpAfter(patience)
    }, WATCH_INTERVAL_MS).unref()
  }

  /** Checks the server before any other request. If it does not fit, closes the database and throws. */
  async open(): Promise<this> {
    try {
      this.#isCluster = (await checkServer((statement) => this.query(statement), this.#servesRequests)).isCluster
      if (this.#isCluster && this.#replica !== null)
        throw new Error(
          'DATABASE_REPLICA_URL is not for Citus: the rows are on the workers, and their positions are not watched',
        )
      return this
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Runs one statement of one clinic in a read-only transaction. */
  async read<R extends object = Row>(clinic: ClinicSession, statement: Statement): Promise<R[]> {
    return this.#readUnder(clinicSettings(clinic), statement)
  }

  /**
   * Runs one statement of one clinic that scans much, in a read-only transaction. It uses one of a few separate connections, to a
   * standby where there is one, and is not prepared. Fails if its turn does not come within `timeoutMs`.
   */
  scan<R extends object = Row>(clinic: ClinicSession, statement: Statement, timeoutMs: number): Promise<Scanned<R>> {
    return this.#run(async () => {
      const endsAt = performance.now() + timeoutMs
      const bounds = () => ({ owner: clinic.clinic_id, timeoutMs: endsAt - performance.now() })
      const read = [this.#under(clinicSettings(clinic), SCAN_SETTINGS_OF_WORKERS), statement.renderOnce()] as const
      const scanned = await this.#replica?.readUnder(...read, bounds())
      if (scanned) return scanned as Scanned<R>
      const { rows } = await this.#scans.readUnder(...read, bounds())
      return { rows: rows as R[], behindMs: 0 }
    })
  }

  /** Looks up a key before its clinic is known. Only the row with this hash (64 hexadecimal digits) is visible. */
  async readByKeyHash<R extends object = Row>(hash: string, statement: Statement): Promise<R[]> {
    return this.#readUnder(keyHashSettings(hash), statement)
  }

  /** A dispatcher's scan for due work, before any clinic is known: only all queues are visible. `planning` are the planner's settings. */
  async readAsDispatcher<R extends object = Row>(statement: Statement, planning: Settings = {}): Promise<R[]> {
    return this.#readUnder({ ...DISPATCHER_SETTINGS, ...planning }, statement)
  }

  /** Runs a clinic's transaction. Resolves when it is committed. Rolls back when `work` or a statement fails. */
  write<T>(
    clinic: ClinicSession,
    work: (tx: Transaction) => Promise<T>,
    { timeoutMs = LONGEST_WRITE_MS, isDurable = true, plansOnce = false }: WriteOptions = {},
  ): Promise<T> {
    return this.#run(() => {
      if (this.#isCluster === undefined) throw new Error('a database is opened before it is written to')
      const opening = this.#opening({
        ...clinicSettings(clinic),
        ...(isDurable ? {} : NOT_AWAITED),
        // A cluster refuses plans that are not for one clinic.
        ...(plansOnce && !this.#isCluster ? PLANS_ONCE : {}),
      })
      const bounds = { owner: clinic.clinic_id, timeoutMs: Math.min(timeoutMs, LONGEST_WRITE_MS) }
      return this.#health.writes.watch(() => runTransaction(this.#pool, { opening, ...bounds }, work))
    })
  }

  /**
   * Runs one statement as the owner and commits it. For the audit's batches, which hold many clinics' rows. It is kept prepared,
   * however many values it has.
   *
   * @param isDurable False: everyone sees the rows at once, but a crash of the server within the next moments may undo them.
   */
  append(statement: Statement, { isDurable = true }: Pick<WriteOptions, 'isDurable'> = {}): Promise<number> {
    const batches = isDurable ? this.#batches : this.#quickBatches
    const store = () => batches.execute(statement.renderPrepared())
    return this.#run(async () => (await this.#health.appends.watch(store)).rowCount ?? 0)
  }

  /** Notifies other processes in a statement of its own. Inside a transaction it would make all commits wait for each other. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.#run(() => this.#leastBusy().execute(sql`select pg_notify(${channel}, ${payload})`.render()))
  }

  /** Receives other processes' notices until `close`. Notices sent while the connection is broken are lost. */
  listen(channel: string, onNotice: (payload: string) => void): void {
    this.#listeners.add(new NoticeListener(this.#connect, channel, onNotice))
  }

  /** A transaction without a clinic and without a time limit, for operators' work and migrations. */
  maintain<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#maintain({}, work)
  }

  /** Such a transaction, to which the policies show what a dispatcher sees of all clinics. */
  maintainAsDispatcher<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#maintain(DISPATCHER_SETTINGS, work)
  }

  /** Runs one statement without a clinic, on a catalog or a small table: no worker of a cluster learns our settings for it. */
  query<R extends object = Row>(statement: Statement): Promise<StatementResult<R>> {
    return this.#run(async () => {
      const client = await this.#pool.acquire(NO_CLINIC, LONGEST_WRITE_MS)
      try {
        const [answer] = await sendPacket(client, [statement.render()])
        const result = { rows: (answer?.rows() ?? []) as R[], rowCount: answer?.rowCount ?? 0 }
        this.#pool.release(client)
        return result
      } catch (error) {
        if (error instanceof DatabaseUnavailable) this.#pool.discard(client)
        else this.#pool.release(client)
        throw error
      }
    })
  }

  /** Whether the server is a Citus cluster. Unknown until the database is opened. */
  get isCluster(): boolean | undefined {
    return this.#isCluster
  }

  /** Counts what the connections do at this moment, by their purpose. */
  get pools(): Readonly<Record<PoolName, PoolUse>> & { readonly replica?: PoolUse } {
    return {
      reads: useOf(this.#reads),
      writes: this.#pool.use,
      scans: this.#scans.use,
      audit: useOf([this.#batches, this.#quickBatches]),
      ...(this.#replica && { replica: this.#replica.use }),
    }
  }

  /** How far the standby is behind, at most. Of one that does not answer: since when. Null without a standby. */
  get replicaLagMs(): number | null {
    return this.#replica?.lagMs ?? null
  }

  /** Rejects unless the owner is answered, and while nothing could be written a moment ago. */
  async requireWritable(): Promise<void> {
    for (const one of Object.values(this.#health)) one.requireWritten()
    const answers = await this.#run(() =>
      Promise.allSettled([this.#batches, this.#quickBatches].map((one) => one.execute(sql`select 1`.render()))),
    )
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
  }

  /** Accepts nothing new and waits for the work under way. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#running === 0) this.#idle.resolve()
    await this.#idle.promise
    clearInterval(this.#watch)
    await Promise.all([...this.#listeners].map((listener) => listener.close()))
    await this.#replica?.close()
    await Promise.all(
      [this.#pool, this.#scans, this.#batches, this.#quickBatches, ...this.#reads].map((one) => one.close()),
    )
  }

  #maintain<T>(settings: Settings, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const options = { opening: this.#opening(settings), owner: NO_CLINIC, timeoutMs: MAX_TIMER_MS }
    return this.#run(() => runTransaction(this.#pool, options, work))
  }

  #readUnder<R extends object>(settings: Settings, statement: Statement): Promise<R[]> {
    return this.#run(async () => {
      const { rows } = await this.#leastBusy().readUnder(this.#under(settings), statement.render())
      return rows as R[]
    })
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new DatabaseUnavailable('the database is closed')
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#closed && this.#running === 0) this.#idle.resolve()
    }
  }

  /** The settings of a transaction, and what the workers of a cluster need with them. */
  #under(settings: Settings, ofWorkers: Settings = {}): Under {
    if (!this.#isCluster) return { settings, isCluster: false }
    return { settings: { ...settings, ...WORKER_SETTINGS, ...ofWorkers }, isCluster: true }
  }

  /** The statements that set this for a transaction. The workers of a cluster learn of literals only. */
  #opening(wanted: Settings): RenderedStatement[] {
    const { settings, isCluster } = this.#under(wanted)
    if (isCluster) return setLocal(settings).map((text) => ({ name: undefined, text, values: [] }))
    return Object.keys(settings).length === 0 ? [] : [setPrepared(settings)]
  }

  #leastBusy(): SharedConnection {
    return this.#reads.reduce((least, next) => (next.pending < least.pending ? next : least))
  }
}

/** A commit that does not wait for the disk. */
const NOT_AWAITED: Settings = { synchronous_commit: 'off' }

/**
 * Plans prepared statements once. A plan that was made for small tables would read them whole, or once for each row of another, when they
 * are full.
 */
const PLANS_ONCE: Settings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_nestloop: 'off',
}

/** The longest delay of a Node.js timer, for work that has no deadline. */
const MAX_TIMER_MS = 2 ** 31 - 1
