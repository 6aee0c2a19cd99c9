// Sets the longest life of a clinic's new keys and connections.
import { type ClinicDatabase, type ClinicSession, sql } from '@clinic-data/database'
import { changedMeanwhile, requireAsKnown } from '@clinic-data/surface/as-known'
import type { InSameTransaction } from '../credentials/credentials.ts'

interface Setting {
  /** Asks for a proof of who sets it. Called with whether it allows more. @throws Problem 403 */
  requireCare: (isNeeded: boolean) => void
  beside: InSameTransaction
}

/** @param days null: no limit. @throws Problem 409 when it has changed since the form was opened. */
export async function setLongestLife(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { days, known }: { days: number | null; known?: object | undefined },
  { requireCare, beside }: Setting,
): Promise<void> {
  const { clinic_id } = clinic
  await database.write(clinic, async (tx) => {
    const { rows } = await tx.query<{ days: number | null }>(
      sql`select longest_life_days as days from clinic where clinic_id = ${clinic_id}`,
    )
    const former = rows[0]?.days ?? null
    requireAsKnown({ days: former }, known)
    requireCare(former !== null && (days === null || days > former))
    // It must still be as it was compared.
    const { rowCount } = await tx.query(sql`update clinic set longest_life_days = ${days}
      where clinic_id = ${clinic_id} and longest_life_days is not distinct from ${former}::integer`)
    if (rowCount === 0) throw changedMeanwhile()
    beside(tx, clinic_id)
  })
}
