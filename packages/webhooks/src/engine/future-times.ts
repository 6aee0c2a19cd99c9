// Moves times that were written while a clock was ahead back to now, so that nothing waits for a clock that was once wrong. A wait
// has its intended length only if it began in the past.
import { type Database, type Statement, sql, utcSession } from '@clinic-data/database'
import { LONGEST_PROBE_MS } from '../subscriptions/circuit.ts'
import { CLOCKS_APART_MS, LEASE_MS } from '../subscriptions/leases.ts'
import { MOST_CLINICS } from './engine-limits.ts'
import { FutureLooks } from './future-looks.ts'

const laneTimes = ['last_success_at', 'failing_since', 'first_gone_at', 'last_gone_at', 'opened_at', 'recovered_at']

export class FutureTimes {
  readonly #database: Database
  readonly #log: { warn(detail: object, line: string): void }
  readonly #looks = new FutureLooks()

  constructor(database: Database, log: { warn(detail: object, line: string): void }) {
    this.#database = database
    this.#log = log
  }

  /** Call this at each scan over all clinics. */
  async end(now: Date): Promise<void> {
    if (!this.#looks.isDue(now)) return
    const clinics = await clinicsWithFutureTimes(this.#database, now)
    for (const clinic_id of clinics) await endFutureTimes(this.#database, clinic_id, now)
    this.#looks.looked(now)
    if (clinics.length === 0) return
    this.#log.warn({ clinics: clinics.length }, 'a clock was ahead: what waited by its times is due now')
  }
}

interface Wrong {
  /** A condition on the relation `lane`. */
  readonly lane: Statement
  /** A condition on the relation `d`: the wait began at a time in the future, or there is nothing to wait for. */
  readonly wait: Statement
  readonly lease: Statement
}

function wrongAt(now: Date): Wrong {
  const ahead = (ms: number) => sql`${new Date(now.getTime() + CLOCKS_APART_MS + ms)}::timestamptz`
  const columns = sql.join(laneTimes.map((name) => sql`lane.${sql.identifier(name)}`))
  return {
    lane: sql`(greatest(${columns}) > ${ahead(0)} or lane.probe_at > ${ahead(LONGEST_PROBE_MS)})`,
    wait: sql`(d.due_at > ${now} and greatest(d.last_attempt_at, d.scheduled_from,
      case when d.attempt_count = 0 or d.manual_from is not null then d.due_at end) > ${ahead(0)})`,
    lease: sql`d.lease_until > ${ahead(LEASE_MS)}`,
  }
}

/** The clinics that have such times. */
async function clinicsWithFutureTimes(database: Database, now: Date): Promise<string[]> {
  const { lane, wait, lease } = wrongAt(now)
  const lanes = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct clinic_id from lane where ${lane} limit ${MOST_CLINICS}`)
  const deliveries = await database.readAsDispatcher<{ clinic_id: string }>(sql`
    select distinct d.clinic_id from delivery d where d.status = 'pending' and (${wait} or ${lease}) limit ${MOST_CLINICS}`)
  return [...new Set([...lanes, ...deliveries].map(({ clinic_id }) => clinic_id))]
}

/**
 * Waiting deliveries become due, circuits continue from now, and a held delivery keeps a full lease from now: a running attempt is
 * not made twice.
 */
async function endFutureTimes(database: Database, clinic_id: string, now: Date): Promise<void> {
  const { lane, wait, lease } = wrongAt(now)
  const notAhead = (column: Statement) => sql`case when ${column} > ${now} then ${now} else ${column} end`
  const set = laneTimes.map((name) => sql`${sql.identifier(name)} = ${notAhead(sql.identifier(name))}`)
  await database.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`update lane set ${sql.join([...set, sql`probe_at = ${notAhead(sql`probe_at`)}`])}
      where lane.clinic_id = ${clinic_id} and ${lane}`)
    await tx.query(sql`update delivery d set due_at = ${notAhead(sql`d.due_at`)},
        scheduled_at = ${notAhead(sql`d.scheduled_at`)}, scheduled_from = ${notAhead(sql`d.scheduled_from`)}
      where d.clinic_id = ${clinic_id} and d.status = 'pending' and ${wait}`)
    await tx.query(sql`update delivery d set lease_until = ${new Date(now.getTime() + LEASE_MS)}
      where d.clinic_id = ${clinic_id} and d.status = 'pending' and ${lease}`)
  })
}
