// Finds patients by the beginning or the sound of their names, a phone or an id, to ask who read their data.
import { FOUND_PATIENTS, type FoundPatients } from '@clinic-data/console-contract/console-activity'
import { foldName } from '@clinic-data/contract/folded-name'
import { normalPhone } from '@clinic-data/contract/phone'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { nameSearch } from '@clinic-data/records/filters/name-search'
import type { ActiveSession } from '../sessions/sessions.ts'

/** Who was shown is put on record in the same transaction. */
export function findPatients(
  consoleDatabase: ClinicDatabase,
  { clinic }: Pick<ActiveSession, 'clinic'>,
  words: string,
  beside: (tx: Transaction, patient_ids: readonly string[]) => void,
): Promise<FoundPatients> {
  const { clinic_id, country } = clinic
  const phone = normalPhone(words, country)
  const ways = [sql`select ${words.trim()}::text as id, 1 as rank`]
  if (phone !== null) {
    ways.push(sql`select patient_id, 2 from patient_contact
      where clinic_id = ${clinic_id} and type = 'phone' and value_normal = ${phone}`)
  }
  if (foldName(words) !== '') {
    const search = nameSearch(clinic_id, words)
    const where = [sql`n.clinic_id = ${clinic_id}`, search.keyed(sql`n`), ...search.narrowed(sql`named.name_folded`)]
    ways.push(sql`(select n.patient_id, 3 from patient_name n
      join patient named on named.clinic_id = ${clinic_id} and named.id = n.patient_id
      where ${sql.join(where, sql` and `)} order by n.key limit ${MOST_NAMES})`)
    const heard = search.heard()
    if (heard !== null) {
      const sounding = [sql`n.clinic_id = ${clinic_id}`, heard.within(sql`n`, sql`range`)]
      sounding.push(...search.narrowedBySound(sql`n.patient_id`))
      ways.push(sql`(select each.patient_id, 4 from ${heard.ranges} range(low, high, second)
        cross join lateral (select n.patient_id from patient_name n
          where ${sql.join(sounding, sql` and `)} order by n.sound, n.patient_id limit ${FOUND_PATIENTS}) each)`)
    }
  }
  return consoleDatabase.write(clinic, async (tx) => {
    const { rows } = await tx.query<FoundPatients[number]>(sql`select p.id, p.first_name, p.last_name, p.phone
      from (select way.id, min(way.rank) as rank from (${sql.join(ways, sql` union all `)}) way group by way.id) found
        join patient p on p.clinic_id = ${clinic_id} and p.id = found.id
      order by found.rank, p.last_name, p.first_name, p.id limit ${FOUND_PATIENTS}`)
    beside(
      tx,
      rows.map(({ id }) => id),
    )
    return rows
  })
}

/** A patient has several keys. */
const MOST_NAMES = 20 * FOUND_PATIENTS
