// Separate connections for reads that scan much, one read at a time on each. They are few, so that scans do not block other work
// or take the whole machine. When all are in use, clinics wait and take turns.
import { availableParallelism } from 'node:os'
import type { RenderedStatement } from '../sql.ts'
import type { Settings } from './clinic-session.ts'
import { type ConnectOptions, connector } from './connect.ts'
import { DatabaseUnavailable } from './database-failure.ts'
import { FairLine } from './fair-line.ts'
import type { PoolUse } from './pool-use.ts'
import { SharedConnection, type Under, useOf } from './shared-connection.ts'
import type { SharedAnswer } from './shared-packet.ts'

/**
 * The scan is cancelled before its caller gives up. A grouping by a clinic's patients fits into this memory. The page cost favours
 * indexes, because pages are mostly in memory.
 */
const SCAN_SETTINGS = { statement_timeout: 5_000, work_mem: '32MB', random_page_cost: 1.1 }

/** For the workers of a cluster, as `WORKER_SETTINGS`. */
export const SCAN_SETTINGS_OF_WORKERS: Settings = {
  work_mem: SCAN_SETTINGS.work_mem,
  random_page_cost: String(SCAN_SETTINGS.random_page_cost),
}

/** At most half of the processors. The other half is for everything else. */
export const SCANS_AT_ONCE = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))

/** A scan that runs beside others, or makes others wait, uses one processor only. */
const WITHOUT_PARALLEL_WORKERS: Settings = { max_parallel_workers_per_gather: '0' }

export type ScanBounds = {
  /** The clinic. */
  owner: string
  /** The longest wait for its turn. */
  timeoutMs: number
  /** Asked when its turn has come: why it may not be read here any more. */
  refusal?: () => DatabaseUnavailable | null
}

export class ScanConnections {
  readonly all: readonly SharedConnection[]
  readonly #idle: SharedConnection[]
  /** A place for each connection. */
  readonly #line: FairLine

  constructor(options: Omit<ConnectOptions, 'settings'>, size: number) {
    const connect = connector({ ...options, settings: SCAN_SETTINGS })
    this.all = Array.from({ length: size }, () => new SharedConnection(connect))
    this.#idle = [...this.all]
    this.#line = new FairLine(size)
  }

  get use(): PoolUse {
    return { ...useOf(this.all), waiting: this.#line.waiting }
  }

  /** @throws DatabaseUnavailable when its turn does not come in time. */
  async readUnder(under: Under, statement: RenderedStatement, bounds: ScanBounds): Promise<SharedAnswer> {
    const waiting = this.#line.enter(bounds.owner, {
      timeoutMs: bounds.timeoutMs,
      late: () => new DatabaseUnavailable('too many reads that scan much are under way'),
    })
    if (waiting) await waiting
    const refusal = bounds.refusal?.()
    if (refusal) {
      this.#line.leave(bounds.owner)
      throw refusal
    }
    const connection = this.#idle.pop()
    if (connection === undefined) throw new Error('a scan has a place and no connection')
    const isAlone = this.#line.free === this.all.length - 1 && !this.#line.isWaitedFor
    try {
      const settings = isAlone ? under.settings : { ...under.settings, ...WITHOUT_PARALLEL_WORKERS }
      return await connection.readUnder({ ...under, settings }, statement)
    } finally {
      this.#idle.push(connection)
      this.#line.leave(bounds.owner)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((connection) => connection.close()))
  }
}
