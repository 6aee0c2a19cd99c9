// Whose data each key has read: each patient and lead once a key and day of the clinic. The transaction that seals rows keeps the pairs of these days,
// and counts those that are new (docs/decisions/0101).
import { type ClinicDatabase, type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { READS } from './latest-use.ts'
import { peopleIn } from './stored-ids.ts'

/** Limits the time of an answer while nobody seals. */
const MOST_UNSEALED = 2_000

/** People whom a key had not read before on that day, by the hour in which it did. */
export interface NewlyRead {
  key_id: string
  /** The beginning of the hour, as PostgreSQL prints it. */
  at: string
  patients: number
}

interface Pair {
  key_id: string
  day: string
  patient_id: string
  hour: string
}

/** A condition on rows of `audit`: an integration was answered with data. A link to a file is no operation of the contract. */
const isRead = sql`status < 400 and surface not in ('console', 'webhook')
  and (operation = any(${READS}::text[]) or surface = 'file')`

/** The pairs that rows name, each with the first hour. */
function pairsOf(rows: Statement, day: Statement): Statement {
  return sql`select key_id, day, patient_id, min(hour) as hour from (
      select key_id, ${day} as day, date_trunc('hour', stored_at, 'UTC') as hour, unnest(${peopleIn}) as patient_id
      from (${rows}) rows) named
    group by 1, 2, 3`
}

/**
 * Keeps the pairs of the rows of a new seal. Whoever calls it holds the clinic's chain.
 *
 * @param tx in UTC.
 */
export async function addPatientsRead(
  tx: Transaction,
  clinic_id: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<NewlyRead[]> {
  const rows = sql`select key_id, operation, stored_at, resource_ids from audit
    where clinic_id = ${clinic_id} and id > ${after} and id <= ${upTo} and ${isRead}`
  const zone = sql`(select time_zone from clinic where clinic_id = ${clinic_id})`
  const day = sql`(stored_at at time zone ${zone})::date::text`
  const { rows: pairs } = await tx.query<Pair>(pairsOf(rows, day))
  const hours = new Map(pairs.map((pair) => [nameOf(pair), pair.hour]))
  const counts = new Map<string, NewlyRead>()
  for (const some of sql.chunkRows(pairs.map((pair) => [clinic_id, pair.day, pair.key_id, pair.patient_id]))) {
    const { rows: added } = await tx.query<Pair>(sql`insert into patient_read (clinic_id, day, key_id, patient_id)
      values ${sql.values(some)} on conflict do nothing returning day, key_id, patient_id`)
    for (const pair of added) {
      const { key_id } = pair
      const at = hours.get(nameOf(pair)) ?? ''
      const name = `${at} ${key_id}`
      const count = counts.get(name) ?? { key_id, at, patients: 0 }
      count.patients += 1
      counts.set(name, count)
    }
  }
  return [...counts.values()]
}

function nameOf({ key_id, day, patient_id }: Pick<Pair, 'key_id' | 'day' | 'patient_id'>): string {
  return `${day} ${key_id} ${patient_id}`
}

/**
 * The pairs of the latest rows, which no seal covers yet.
 *
 * @param tx in the clinic's zone.
 * @param at of the column `hour`.
 */
export async function unsealedPatients(
  tx: Transaction,
  clinic_id: string,
  { after, since, at }: { after: number; since: Date; at: Statement },
): Promise<NewlyRead[]> {
  const rows = sql`select key_id, operation, stored_at, resource_ids from audit where clinic_id = ${clinic_id}
    and id > ${after} and stored_at >= ${since} and ${isRead} order by id desc limit ${MOST_UNSEALED}`
  const { rows: found } = await tx.query<NewlyRead>(sql`
    select key_id, ${at} as at, count(*)::integer as patients from (${pairsOf(rows, sql`stored_at::date`)}) pairs
    where not exists (select from patient_read p where p.clinic_id = ${clinic_id} and p.day = pairs.day
      and p.key_id = pairs.key_id and p.patient_id = pairs.patient_id)
    group by 1, 2`)
  return found
}

/** Removes the pairs of days that have ended everywhere: no row of theirs can still be sealed. */
export async function forgetPatientsRead(owner: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<void> {
  const { clinic_id } = clinic
  await owner.write(clinic, (tx) =>
    tx.query(sql`delete from patient_read where clinic_id = ${clinic_id} and day < ${now}::timestamptz::date - 2`),
  )
}
