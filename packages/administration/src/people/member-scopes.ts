// The scopes that members of a clinic may give to the apps that they connect.
import { USUAL_MEMBER_SCOPES } from '@clinic-data/console-contract/roles'
import { allScopes, type Scope } from '@clinic-data/contract'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import { changedMeanwhile, requireAsKnown } from '@clinic-data/surface/as-known'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'

export function memberScopesOf({ memberScopes }: Pick<ActiveSession, 'memberScopes'>): Scope[] {
  const stored = memberScopes ?? USUAL_MEMBER_SCOPES
  return allScopes.filter((scope) => stored.includes(scope))
}

interface SettingScopes {
  scopes: readonly Scope[]
  /** As the form was opened on. */
  known?: object | undefined
  /** Asks for a proof of who sets them. Called with whether members may give more. @throws Problem 403 */
  requireCare: (isNeeded: boolean) => void
  beside: InSameTransaction
}

/**
 * Connections that members have made already stay as they are.
 *
 * @throws Problem 409 when they have changed since the form was opened.
 */
export async function setMemberScopes(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  { scopes: wanted, known, requireCare, beside }: SettingScopes,
): Promise<Scope[]> {
  const scopes = allScopes.filter((scope) => wanted.includes(scope))
  const { clinic_id } = clinic
  await consoleDatabase.write(clinic, async (tx) => {
    const { rows } = await tx.query<{ stored: Scope[] | null }>(
      sql`select member_scopes as stored from clinic where clinic_id = ${clinic_id}`,
    )
    const stored = rows[0]?.stored ?? null
    const former = memberScopesOf({ memberScopes: stored })
    requireAsKnown({ scopes: former }, known)
    requireCare(scopes.some((scope) => !former.includes(scope)))
    // It must still be as it was compared.
    const { rowCount } = await tx.query(sql`update clinic set member_scopes = ${scopes}
      where clinic_id = ${clinic_id} and member_scopes is not distinct from ${stored}::text[]`)
    if (rowCount === 0) throw changedMeanwhile()
    beside(tx, clinic_id)
  })
  return scopes
}
