// Whether a person may give an app these scopes now. The role, and what the clinic lets its members give, may have changed since the page opened.
import type { Role } from '@clinic-data/console-contract/role-names'
import { scopesToGive, USUAL_MEMBER_SCOPES } from '@clinic-data/console-contract/roles'
import type { Scope } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { sql, type Transaction } from '@clinic-data/database'
import { type Holder, noLongerValid, sharedLock } from '@clinic-data/surface/still-valid'

interface Giver {
  role: Role
  member_scopes: Scope[] | null
}

/** @throws Problem 422 for scopes that the person may not give, 401 when the person was disabled meanwhile. */
export async function requireGiver(tx: Transaction, person: Holder, scopes: readonly Scope[]): Promise<void> {
  const { clinic_id, id } = person
  // Whoever disables the person waits for this write, and ends the connection that it made.
  tx.send(sharedLock(person))
  const { rows } = await tx.query<Giver>(sql`
    select a.role, c.member_scopes from administrator a join clinic c on c.clinic_id = ${clinic_id}
    where a.clinic_id = ${clinic_id} and a.id = ${id} and a.disabled_at is null`)
  const [giver] = rows
  if (giver === undefined) throw noLongerValid()
  const mayGive = scopesToGive(giver.role, giver.member_scopes ?? USUAL_MEMBER_SCOPES)
  const beyond = scopes.filter((scope) => !mayGive.includes(scope))
  if (beyond.length === 0) return
  const detail = `must leave out ${beyond.join(', ')}: your role does not let you give that to an app`
  throw faultProblem('unprocessable', [{ pointer: '#/scopes', code: 'not_yours', detail }])
}
