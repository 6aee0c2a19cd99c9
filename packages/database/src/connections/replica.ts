// A standby that answers scans while it is close behind the primary. Otherwise the primary does.
//
// How far it is behind is known without comparing clocks, and without writing anything: once a second the primary tells its position in
// the log, and then the standby tells how far it has replayed. It has everything that was committed before the latest position that
// it has passed was asked for (docs/decisions/0061).

import { type RenderedStatement, sql } from '../sql.ts'
import type { Row } from '../values/row-reader.ts'
import { type ConnectOptions, connector } from './connect.ts'
import { DatabaseError, DatabaseUnavailable } from './database-failure.ts'
import type { PoolUse } from './pool-use.ts'
import { type ScanBounds, ScanConnections } from './scan-connections.ts'
import { SharedConnection, type Under } from './shared-connection.ts'
import type { SharedAnswer } from './shared-packet.ts'

/**
 * Figures of a clinic may miss what it did in the last seconds, because people look at sums of days. They may not miss what somebody
 * entered before opening the page that shows it.
 */
export const LONGEST_LAG_MS = 5_000

const LOOK_EVERY_MS = 1_000
/** A standby that is silent for so many looks has lost its connections: their callers go to the primary. */
const SILENT_LOOKS = 2
/** For the figure of a standby that is far behind. */
const MOST_POSITIONS = 600

/**
 * A primary answers the end of its log, a standby how far it has replayed. Both also answer that they are copies of the same, asked as the
 * same.
 */
const LOOK = sql`
  select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0'::pg_lsn)::text as position,
    pg_is_in_recovery() as is_standby, session_user::text as login, current_database()::text as database,
    system_identifier::text as system
  from pg_control_system()`.render()

interface Look {
  position: string
  is_standby: boolean
  login: string
  database: string
  system: string
}

/** Says what happened to the standby: it answers scans from now on, or the primary does, with the reason. */
export type ReplicaNews = { serves: true } | { serves: false; reason: string }

export interface ReplicaOptions extends Omit<ConnectOptions, 'role' | 'settings' | 'onError'> {
  /** The number of its connections. */
  size: number
  /** Asks the primary. */
  ask: (statement: RenderedStatement) => Promise<SharedAnswer>
  onNews: (news: ReplicaNews) => void
}

export interface Scanned<R = Row> {
  rows: R[]
  /** Everything that was committed so long ago is in the rows. 0 unless a standby answered. */
  behindMs: number
}

export class Replica {
  readonly #ask: ReplicaOptions['ask']
  readonly #onNews: ReplicaOptions['onNews']
  readonly #watched: SharedConnection
  readonly #scans: ScanConnections
  readonly #timer: NodeJS.Timeout
  /** The positions that the primary told, the latest last. */
  readonly #positions: { position: bigint; at: number }[] = []
  /** It has everything that was committed before this moment. */
  #freshAt = performance.now()
  #fault: string | null = 'it was not asked yet'
  #isLooking = false
  /** How many looks were due since it was asked. */
  #silence = 0
  /** Whether it serves, as it was reported last. */
  #reported: boolean | null = null

  constructor({ size, ask, onNews, ...parameters }: ReplicaOptions) {
    const options = { ...parameters, role: 'standby', onError: () => undefined } as const
    this.#ask = ask
    this.#onNews = onNews
    this.#watched = new SharedConnection(connector(options))
    this.#scans = new ScanConnections(options, size)
    this.#timer = setInterval(() => this.#tick(), LOOK_EVERY_MS).unref()
    this.#tick()
  }

  get use(): PoolUse {
    return this.#scans.use
  }

  /** How far it is behind, at most. Of one that does not answer: since when. */
  get lagMs(): number {
    return performance.now() - this.#freshAt
  }

  get #isUsable(): boolean {
    return this.#fault === null && this.lagMs <= LONGEST_LAG_MS
  }

  /** Null when the primary must answer: the standby is away, too far behind, or gave up the statement to go on replaying. */
  async readUnder(under: Under, statement: RenderedStatement, bounds: ScanBounds): Promise<Scanned | null> {
    if (!this.#isUsable) return null
    const [behindMs, endsAt] = [this.lagMs, performance.now() + bounds.timeoutMs]
    try {
      // It may have gone away while the scan waited: then each scan in its line would wait for it in turn.
      const refusal = () => (this.#isUsable ? null : new DatabaseUnavailable('the standby is away'))
      const { rows } = await this.#scans.readUnder(under, statement, { ...bounds, refusal })
      return { rows, behindMs }
    } catch (error) {
      const isIts = error instanceof DatabaseUnavailable || isConflict(error)
      if (isIts && performance.now() < endsAt) return null
      throw error
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#watched.close(), this.#scans.close()])
  }

  #tick(): void {
    if (!this.#isLooking) void this.#look()
    else if (this.#watched.pending > 0 && ++this.#silence >= SILENT_LOOKS) {
      const reason = new DatabaseUnavailable('the standby does not answer any more')
      this.#fault = reason.message
      for (const connection of [this.#watched, ...this.#scans.all]) connection.abandon(reason)
    }
    this.#tell()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    this.#silence = 0
    try {
      const at = performance.now()
      const primary = lookOf(await this.#ask(LOOK))
      this.#positions.push({ position: BigInt(primary.position), at })
      if (this.#positions.length > MOST_POSITIONS) this.#positions.shift()
      const standby = lookOf(await this.#watched.execute(LOOK))
      this.#fault = faultOf(primary, standby)
      if (this.#fault === null) this.#advance(BigInt(standby.position))
    } catch (error) {
      this.#fault = (error as Error).message
    } finally {
      this.#isLooking = false
      this.#tell()
    }
  }

  #advance(replayed: bigint): void {
    const passed = this.#positions.findLastIndex(({ position }) => position <= replayed)
    const { at } = this.#positions[passed] ?? {}
    if (at === undefined) return
    this.#freshAt = at
    this.#positions.splice(0, passed)
  }

  #tell(): void {
    const serves = this.#isUsable
    // The first look is still under way.
    if (serves === this.#reported || (this.#reported === null && this.#isLooking)) return
    this.#reported = serves
    this.#onNews(serves ? { serves } : { serves, reason: this.#fault ?? 'it is too far behind' })
  }
}

function lookOf({ rows: [row] }: SharedAnswer): Look {
  if (row === undefined) throw new Error('the database did not tell its position')
  return row as Row & Look
}

/** Only a copy of the primary itself has the same rows, and the same walls between clinics for this login. */
function faultOf(primary: Look, standby: Look): string | null {
  if (!standby.is_standby) return 'it is no standby any more'
  if (standby.system !== primary.system || standby.database !== primary.database)
    return 'it is not a copy of the database of DATABASE_URL'
  return standby.login === primary.login ? null : 'it was reached with another login than the primary'
}

/** The statement kept the standby from replaying, so it was cancelled. */
function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && /^40/.test(error.code ?? '')
}
