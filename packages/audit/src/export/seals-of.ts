// Reads the seals of a clinic's chain for an export, and finds those that a period touches.
import { type ClinicDatabase, sql, utcSession } from '@clinic-data/database'
import { BEGINNING, type Head, headOf, type Seal, sealsOf } from '../audit-chain.ts'
import { rowsBetween } from '../sealed-rows.ts'
import { isRowWithin, type Period } from './period.ts'

/** A page holds as much as some hundred kilobytes. */
const MOST_SEALS = 1_000

/** The seals of one moment: those that come later are left to the next export. */
export interface Chain {
  /** The head's own number, whether its seal is there or not. */
  head: Head | null
  last: Pick<Seal, 'number' | 'last_id' | 'hash'>
}

export async function chainOf(database: ClinicDatabase, clinic_id: string): Promise<Chain> {
  const [head = null] = await database.read<Head>(utcSession(clinic_id), headOf(clinic_id))
  const [last = BEGINNING] = await database.read<Seal>(
    utcSession(clinic_id),
    sql`${sealsOf(clinic_id)} and number <= ${head?.number ?? 0} order by number desc limit 1`,
  )
  return { head, last }
}

/** The seals from `first` to `last`, in order. */
export async function* sealsBetween(
  database: ClinicDatabase,
  clinic_id: string,
  first: number,
  last: number,
): AsyncGenerator<Seal> {
  for (let after = first - 1; ; ) {
    const seals = await database.read<Seal>(
      utcSession(clinic_id),
      sql`${sealsOf(clinic_id)} and number > ${after} and number <= ${last} order by number limit ${MOST_SEALS}`,
    )
    yield* seals
    if (seals.length < MOST_SEALS) return
    after = seals.at(-1)?.number ?? last
  }
}

export async function sealAt(database: ClinicDatabase, clinic_id: string, number: number): Promise<Seal | null> {
  const [seal = null] = await database.read<Seal>(
    utcSession(clinic_id),
    sql`${sealsOf(clinic_id)} and number = ${number}`,
  )
  return seal
}

/** The one before this one. It may be gone: the verification finds that. */
export async function sealBefore(database: ClinicDatabase, clinic_id: string, number: number) {
  if (number === 1) return BEGINNING
  return (await sealAt(database, clinic_id, number - 1)) ?? { ...BEGINNING, number: number - 1 }
}

/**
 * The seals from the first to the last one that hold a row of the period. A seal whose rows were dropped counts by its day. When there is
 * none, `last` is the seal before `first`.
 */
export async function sealsWithin(
  database: ClinicDatabase,
  clinic_id: string,
  period: Period,
  end: number,
): Promise<{ first: number; last: number }> {
  const { since, until } = period
  const touches = (seal: Seal | null) => touchesPeriod(database, clinic_id, period, seal)
  let first = since === null ? 1 : ((await edge(database, clinic_id, 'min', since, end)) ?? end + 1)
  let last = until === null ? end : ((await edge(database, clinic_id, 'max', until, end)) ?? first - 1)
  while (since !== null && first <= last && !(await touches(await sealAt(database, clinic_id, first)))) first++
  while (until !== null && first <= last && !(await touches(await sealAt(database, clinic_id, last)))) last--
  return { first, last: Math.max(last, first - 1) }
}

/** The first seal from the day of `since` on, or the last one up to the day of `until`. */
export async function edge(
  database: ClinicDatabase,
  clinic_id: string,
  which: 'min' | 'max',
  moment: string,
  end: number,
): Promise<number | null> {
  const day = moment.slice(0, 10)
  const chosen = which === 'min' ? sql`min(number)` : sql`max(number)`
  const days = which === 'min' ? sql`day >= ${day}::date` : sql`day <= ${day}::date`
  const [found] = await database.read<{ number: number | null }>(
    utcSession(clinic_id),
    sql`select ${chosen} as number from audit_seal where clinic_id = ${clinic_id} and number <= ${end} and ${days}`,
  )
  return found?.number ?? null
}

async function touchesPeriod(
  database: ClinicDatabase,
  clinic_id: string,
  period: Period,
  seal: Seal | null,
): Promise<boolean> {
  const { since, until } = period
  const isAtEdge = seal?.day === since?.slice(0, 10) || seal?.day === until?.slice(0, 10)
  // A missing seal is found by the verification. It must not leave out what is behind it.
  if (seal === null || !isAtEdge) return true
  const before = (await sealAt(database, clinic_id, seal.number - 1)) ?? BEGINNING
  let rows = 0
  for await (const { content } of rowsBetween(database, clinic_id, before.last_id, seal.last_id)) {
    rows++
    if (isRowWithin(content, period)) return true
  }
  return rows === 0
}
