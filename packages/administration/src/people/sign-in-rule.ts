// The demand of a clinic how everybody signs in: an owner makes it, and each session is asked at every request (docs/decisions/0110).
import { meetsDemand, type SignInDemand, signInDemands } from '@clinic-data/console-contract/sign-in-demand'
import type { SignInRule } from '@clinic-data/console-contract/sign-in-demand-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { requireAsKnown } from '@clinic-data/surface/as-known'
import type { Holder } from '@clinic-data/surface/still-valid'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { type ActiveSession, lasts, WAY_IN } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { inTurn } from './in-turn.ts'

export function signInRule({ openId }: Pick<ConsoleParts, 'openId'>, { demand, way }: ActiveSession): SignInRule {
  const isOffered: Readonly<Record<SignInDemand, boolean>> = {
    any: true,
    // Nobody signs in by one where the operator demands the provider.
    passkey: openId?.isRequired !== true,
    provider: openId !== null,
  }
  const offered = signInDemands.filter((one) => isOffered[one])
  return { demand, offered, met: offered.filter((one) => meetsDemand(one, way)) }
}

/**
 * In turn with other owners, each of whom must meet what is demanded by then.
 *
 * @returns whose sessions do not meet it. `untilAllWritesEnd` comes after the commit.
 * @throws Problem 409 for what is not offered, and for what the asking session does not meet.
 */
export async function setSignInRule(
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  { demand, known }: { demand: SignInDemand; known?: object | undefined },
  { rule, now, beside }: { rule: SignInRule; now: Date; beside: InSameTransaction },
): Promise<Holder[]> {
  if (!rule.offered.includes(demand)) throw new Problem('conflict', NOT_OFFERED[demand])
  if (!rule.met.includes(demand)) throw new Problem('conflict', NOT_MET[demand])
  const { clinic_id } = session.clinic
  return inTurn(consoleDatabase, session, 'setSignInRule', async (tx) => {
    const { rows: former } = await tx.query<{ demand: SignInDemand }>(
      sql`select sign_in_demand as demand from clinic where clinic_id = ${clinic_id}`,
    )
    requireAsKnown({ ...former[0] }, known)
    if (demand === 'passkey') await refuseBesideGroups(tx, clinic_id)
    await tx.query(sql`update clinic set sign_in_demand = ${demand} where clinic_id = ${clinic_id}`)
    const { rows } = await tx.query<{ id: string; way: string | null }>(sql`
      select distinct administrator_id as id, ${WAY_IN} as way from administrator_session
      where clinic_id = ${clinic_id} and ${lasts(now)}`)
    beside(tx, demand)
    const held = rows.filter(({ way }) => !meetsDemand(demand, way))
    return [...new Set(held.map(({ id }) => id))].map((id) => ({ clinic_id, id }))
  })
}

/** Whoever has a role by group must sign in by the provider. @throws Problem 409 */
async function refuseBesideGroups(tx: Transaction, clinic_id: string): Promise<void> {
  const { rows } = await tx.query(sql`select group_name from group_role where clinic_id = ${clinic_id} limit 1`)
  if (rows.length > 0) throw new Problem('conflict', ROLES_BY_GROUP)
}

const ROLES_BY_GROUP =
  'Groups of the identity provider give roles, and whoever has one by group signs in by the provider. Take the groups off first.'

const NOT_OFFERED: Readonly<Record<SignInDemand, string>> = {
  any: 'This cannot be chosen here.',
  passkey: 'Only the identity provider opens this console: nobody signs in by a passkey.',
  provider: 'There is no identity provider. The operator of the service sets one.',
}

const NOT_MET: Readonly<Record<SignInDemand, string>> = {
  any: 'Sign in again.',
  passkey: 'You would lock yourself out: you did not sign in by a passkey. Sign in by yours, and then demand it.',
  provider:
    'You would lock yourself out: you did not sign in by the identity provider. Sign in by it, and then demand it.',
}
