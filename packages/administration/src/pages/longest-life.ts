// Sets the longest life of a clinic's new keys and connections.
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, type ClinicSession, sql } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'

interface Setting {
  /** Asks for a proof of who sets it. Called with whether it allows more. @throws Problem 403 */
  requireCare: (isNeeded: boolean) => void
  beside: InSameTransaction
}

/** @param days null: no limit. @throws Problem 409 when it was set at the same moment. */
export async function setLongestLife(
  database: ClinicDatabase,
  clinic: ClinicSession,
  days: number | null,
  { requireCare, beside }: Setting,
): Promise<void> {
  const { clinic_id } = clinic
  await database.write(clinic, async (tx) => {
    const { rows } = await tx.query<{ days: number | null }>(
      sql`select longest_life_days as days from clinic where clinic_id = ${clinic_id}`,
    )
    const former = rows[0]?.days ?? null
    requireCare(former !== null && (days === null || days > former))
    // It must still be as it was compared.
    const { rowCount } = await tx.query(sql`update clinic set longest_life_days = ${days}
      where clinic_id = ${clinic_id} and longest_life_days is not distinct from ${former}::integer`)
    if (rowCount === 0) throw new Problem('conflict', 'It was set at the same moment. Look at it again.')
    beside(tx, clinic_id)
  })
}
