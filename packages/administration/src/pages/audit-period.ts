// The period of an export of the audit log, whose days are the clinic's.
import { type ClinicSession, type Database, instant, type Statement, sql } from '@clinic-data/database'
import { firstInstant } from '@clinic-data/records/filters/period'

const isDay = (moment: string) => moment.length === 10

/**
 * In UTC: from `since`, before `until`. Null: without a bound.
 *
 * @param since a day or an instant. @param until a day, which is included, or an instant, which is included too.
 */
export async function auditPeriod(
  database: Database,
  clinic: ClinicSession,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): Promise<{ since: string | null; until: string | null }> {
  const [bounds] = await database.read<{ since: string | null; until: string | null }>(
    clinic,
    sql`select ${momentOf(since, { days: 0, milliseconds: 0 })} as since,
      ${momentOf(until, { days: 1, milliseconds: 1 })} as until`,
  )
  return { since: utc(bounds?.since), until: utc(bounds?.until) }
}

function momentOf(text: string | undefined, later: { days: number; milliseconds: number }): Statement {
  if (text === undefined) return sql`null::timestamptz`
  if (isDay(text)) return firstInstant(sql`${text}::date + ${later.days}::integer`)
  return sql`${text}::timestamptz + ${later.milliseconds}::integer * interval '1 millisecond'`
}

function utc(moment: string | null | undefined): string | null {
  const text = instant(moment ?? null)
  return text === null ? null : new Date(text).toISOString()
}
