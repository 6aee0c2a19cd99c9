// The period that a search or an export of the audit log is bounded to: days of the clinic's, or instants.
import {
  type ClinicDatabase,
  type ClinicSession,
  instant,
  type Statement,
  sql,
  type Transaction,
} from '@clinic-data/database'
import { firstInstant } from '@clinic-data/records/filters/period'

interface Wanted {
  from?: string | undefined
  /** Included, as a whole day or as an instant. */
  to?: string | undefined
}

/** In epoch milliseconds: from `since`, before `until`. Null: without a bound. */
interface Bounds {
  since: number | null
  until: number | null
}

export function auditPeriod(database: ClinicDatabase, clinic: ClinicSession, wanted: Wanted): Promise<Bounds> {
  return database.write(clinic, (tx) => boundsOf(tx, wanted))
}

/** @param tx in the clinic's zone. */
export async function boundsOf(tx: Transaction, { from, to }: Wanted): Promise<Bounds> {
  if (from === undefined && to === undefined) return { since: null, until: null }
  const { rows } = await tx.query<{ since: string | null; until: string | null }>(sql`
    select ${from === undefined ? NONE : usual(beginOf(from))} as since,
      ${to === undefined ? NONE : usual(endOf(to))} as until`)
  const [bounds] = rows
  return { since: epoch(bounds?.since), until: epoch(bounds?.until) }
}

const NONE = sql`null::timestamptz`
/** A year of four digits, which `Date` reads. No row is older or newer. */
const usual = (moment: Statement) => sql`least(greatest(${moment}, '1900-01-01Z'), '9000-01-01Z')`
const isDay = (moment: string) => moment.length === 10

function beginOf(from: string): Statement {
  return isDay(from) ? firstInstant(sql`${from}::date`) : sql`${from}::timestamptz`
}

function endOf(to: string): Statement {
  return isDay(to) ? firstInstant(sql`${to}::date + 1`) : sql`${to}::timestamptz + interval '1 millisecond'`
}

function epoch(moment: string | null | undefined): number | null {
  return moment == null ? null : Date.parse(instant(moment) ?? '')
}
