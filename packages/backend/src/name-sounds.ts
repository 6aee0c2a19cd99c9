// Gives the keys of names their sounds where they have none: rows of before migration 0085, and of the version before.
import { type ClinicSession, type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { keySound } from '@clinic-data/records/name-sounds'

/** Keys per transaction: it holds their rows for some milliseconds. */
const FILLED_AT_ONCE = 1_000

interface Unheard {
  patient_id: string
  key: string
}

/** @param owner opened as the owner of the tables. @returns the clinics with names that have no sound yet. */
export async function clinicsUnheard(owner: Database): Promise<ClinicSession[]> {
  const rows = await owner.readAsDispatcher<{ clinic_id: string }>(
    sql`select distinct clinic_id from patient_name where sound is null`,
  )
  return rows.map(({ clinic_id }) => utcSession(clinic_id))
}

/**
 * Fills in a clinic's missing sounds. It goes on behind the rows that it has filled in: the index still holds their former entries.
 *
 * @returns the number of filled in keys.
 */
export async function fillNameSounds(database: Database, clinic: ClinicSession): Promise<number> {
  let filled = 0
  let after: Unheard = { patient_id: '', key: '' }
  for (;;) {
    const seen = await database.write(clinic, (tx) => fillAfter(tx, clinic, after))
    filled += seen.length
    const last = seen.at(-1)
    if (last === undefined) return filled
    after = last
  }
}

/** A row that a write holds is left to the next round. So this waits for nobody, and nobody for it in a circle. */
async function fillAfter(tx: Transaction, { clinic_id }: ClinicSession, after: Unheard): Promise<Unheard[]> {
  const { rows } = await tx.query<Unheard>(sql`select patient_id, key from patient_name
    where clinic_id = ${clinic_id} and sound is null and (patient_id, key) > (${after.patient_id}, ${after.key})
    order by patient_id, key limit ${FILLED_AT_ONCE} for update skip locked`)
  if (rows.length === 0) return rows
  const ids = rows.map(({ patient_id }) => patient_id)
  const keys = rows.map(({ key }) => key)
  await tx.query(sql`update patient_name n set sound = filled.sound
    from unnest(${ids}::text[], ${keys}::text[], ${keys.map(keySound)}::text[]) filled(patient_id, key, sound)
    where n.clinic_id = ${clinic_id} and n.patient_id = filled.patient_id and n.key = filled.key`)
  return rows
}
