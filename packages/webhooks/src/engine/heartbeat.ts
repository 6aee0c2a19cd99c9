// The heartbeat of a dispatcher. Whoever stays silent has died, and what it held is due again long before its leases end
// (docs/decisions/0123).
//
// A dispatcher that lives and cannot beat may be taken for dead. Then its outcomes change nothing, and its deliveries arrive twice. So none
// judges others before it has beaten for as long itself: in an outage of the database all fall silent, and all come back.
import { type Database, type Statement, sql } from '@clinic-data/database'
import { FailureLog } from '../failure-log.ts'
import { Pump } from '../pump.ts'
import { releaseLeases } from './release-leases.ts'
import { PLANNED_ONCE, withWaitingLanes } from './waiting-lanes.ts'

/** The look for the dead comes with each beat, so a death waits for it no longer than this. */
const BEAT_MS = 500
/** Seven beats are missing. By the clock of the database: those of the machines differ. */
export const SILENT_MS = 3_500
const IS_SILENT = sql`beat_at < clock_timestamp() - make_interval(secs => ${SILENT_MS / 1000}::float8)`

export interface HeartbeatOptions {
  readonly database: Database
  readonly log: { warn(detail: object, line: string): void }
  /** The first word of the ids of its leases. */
  readonly worker: string
  /** Called when deliveries of the clinic are due again. */
  readonly onReleased: (clinic_id: string) => void
  /** A clock that never goes back, in milliseconds. */
  readonly elapsed?: () => number
  readonly failures?: FailureLog
}

export class Heartbeat {
  readonly #options: Required<HeartbeatOptions>
  readonly #pump: Pump
  /** Since when no beat was late. */
  #beatingSince = Number.POSITIVE_INFINITY
  #lastBeat = Number.NEGATIVE_INFINITY

  constructor(options: HeartbeatOptions) {
    this.#options = { elapsed: () => performance.now(), failures: new FailureLog(options.log), ...options }
    const { failures } = this.#options
    this.#pump = new Pump({
      scan: () => this.beat(),
      everyMs: BEAT_MS,
      onScanFailure: (error) =>
        failures.failed({ err: error }, 'a heartbeat failed; the next one comes in half a second'),
    })
  }

  /** Beats each half second until `stop`. */
  start(): void {
    this.#pump.start()
  }

  /** Call this when nothing is held any more. */
  async stop(): Promise<void> {
    this.#pump.stop()
    await this.#pump.idle()
    const { database, worker } = this.#options
    // Who cannot say that it ends is found dead, and holds nothing.
    await database.query(sql`delete from dispatcher where worker = ${worker}`).catch(() => undefined)
  }

  /** Says that this dispatcher lives, and takes over from the dead. One statement does both: this is most of what an idle service asks. */
  async beat(): Promise<void> {
    const { database, worker, elapsed } = this.#options
    const { rows } = await database.query<{ worker: string }>(sql`with beat as (
        insert into dispatcher (worker, beat_at) values (${worker}, clock_timestamp())
        on conflict (worker) do update set beat_at = excluded.beat_at)
      select worker from dispatcher where ${IS_SILENT} and worker <> ${worker}`)
    const now = elapsed()
    if (now - this.#lastBeat >= SILENT_MS) this.#beatingSince = now
    this.#lastBeat = now
    const silent = rows.map((row) => row.worker)
    if (silent.length > 0 && now - this.#beatingSince >= SILENT_MS) await this.#takeOver(silent)
  }

  async #takeOver(dead: readonly string[]): Promise<void> {
    const { database, log, onReleased } = this.#options
    const held = await heldBy(database, dead)
    for (const [clinic_id, leases] of Map.groupBy(held, (one) => one.clinic_id)) {
      const lease_ids = [...new Set(leases.map(({ lease_id }) => lease_id))]
      if (await releaseLeases(database, clinic_id, lease_ids)) onReleased(clinic_id)
    }
    // Last, so that whoever comes next takes over what this one did not come to.
    await database.query(sql`delete from dispatcher where worker = any(${dead}::uuid[]) and ${IS_SILENT}`)
    log.warn({ dispatchers: dead.length, clinics: new Set(held.map((one) => one.clinic_id)).size }, DIED)
  }
}

const DIED = 'dispatchers have died; what they held is due again'

interface Held {
  clinic_id: string
  lease_id: string
}

/** A delivery that is held waits, so no other lanes are looked at. On a cluster the workers share all of them. */
function heldBy(database: Database, workers: readonly string[]): Promise<Held[]> {
  const heldOf = (lanes: Statement) => sql`select lane.clinic_id, lease.id as lease_id
    from ${lanes} cross join lateral jsonb_object_keys(lane.leases) lease (id)
    where lane.leases <> '{}' and split_part(lease.id, ' ', 1) = any(${workers}::text[])`
  if (database.isCluster) return database.readAsDispatcher<Held>(heldOf(sql`lane`))
  // One by one: a join may read all lanes.
  const waiting = sql`waiting cross join lateral (select clinic_id, leases from lane
    where lane.clinic_id = waiting.clinic_id and lane.subscription_id = waiting.subscription_id limit 1) lane`
  return database.readAsDispatcher<Held>(sql`${withWaitingLanes} ${heldOf(waiting)}`, PLANNED_ONCE)
}
