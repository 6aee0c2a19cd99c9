// The scopes that members of a clinic may give to the apps that they connect.
import { USUAL_MEMBER_SCOPES } from '@clinic-data/console-contract/roles'
import { allScopes, type Scope } from '@clinic-data/contract'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'

export function memberScopesOf({ memberScopes }: Pick<ActiveSession, 'memberScopes'>): Scope[] {
  const stored = memberScopes ?? USUAL_MEMBER_SCOPES
  return allScopes.filter((scope) => stored.includes(scope))
}

/** Connections that members have made already stay as they are. */
export async function setMemberScopes(
  consoleDatabase: ClinicDatabase,
  { clinic }: ActiveSession,
  wanted: readonly Scope[],
  beside: InSameTransaction,
): Promise<Scope[]> {
  const scopes = allScopes.filter((scope) => wanted.includes(scope))
  const { clinic_id } = clinic
  await consoleDatabase.write(clinic, async (tx) => {
    await tx.query(sql`update clinic set member_scopes = ${scopes} where clinic_id = ${clinic_id}`)
    beside(tx, clinic_id)
  })
  return scopes
}
