// The clinic's own rule about apps: stricter than the operator's policy, never looser. Connections that it does not allow end with the change
// (docs/decisions/0103).
import { type AppRule, appRules } from '@clinic-data/console-contract/app-rule-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { requireAsKnown } from '@clinic-data/surface/as-known'
import { lockOf, sharedLock } from '@clinic-data/surface/still-valid'
import type { App } from '../apps/app.ts'
import type { Changing } from '../connections/change-connection.ts'
import { ruleAllows } from '../tokens/connection-state.ts'
import { endWithin, untilRefused } from '../tokens/end-connection.ts'

type Rule = (typeof appRules)[number]

const REFUSED =
  'The clinic does not allow this app: it allows only apps that the operator has verified, or none. An administrator changes that in the console, on the page of connected apps.'

/** Whoever connects an app holds this lock with others, and whoever changes the rule holds it alone. No id of a key or a person is the word. */
const lockFor = (clinic_id: string) => ({ clinic_id, id: 'app-rule' })

export async function isAllowed(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { isVerified }: Pick<App, 'isVerified'>,
): Promise<boolean> {
  return (await database.read(clinic, allowing(clinic, isVerified))).length > 0
}

/** Runs in the transaction of the person's yes, before its rows. @throws Problem 403, with the transaction's next statement. */
export function requireAllowed(tx: Transaction, clinic: ClinicSession, { isVerified }: Pick<App, 'isVerified'>): void {
  tx.send(sharedLock(lockFor(clinic.clinic_id)))
  // Another statement: only one that begins after the wait for the lock sees what was committed meanwhile.
  tx.require(allowing(clinic, isVerified), (rows) => {
    if (rows.length === 0) throw new Problem('forbidden', REFUSED)
  })
}

function allowing({ clinic_id }: ClinicSession, isVerified: boolean): Statement {
  return sql`select clinic_id from clinic where clinic_id = ${clinic_id} and ${ruleAllows(sql`${isVerified}::boolean`)}`
}

/** With the number of connections that each stricter rule would end. */
export async function appRule(database: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<AppRule> {
  const { clinic_id } = clinic
  const [rules, counts] = await Promise.all([
    database.read<{ allowed: Rule }>(
      clinic,
      sql`select allowed_apps as allowed from clinic where clinic_id = ${clinic_id}`,
    ),
    database.read<{ verified: number; none: number }>(
      clinic,
      sql`select count(*) filter (where not c.is_verified)::integer as verified, count(*)::integer as none
        from connection c where c.clinic_id = ${clinic_id} and c.connected_at is not null and ${lasting(clinic_id, now)}`,
    ),
  ])
  return { allowed: rules[0]?.allowed ?? 'any', would_end: counts[0] ?? { verified: 0, none: 0 } }
}

/** Resolves when the connections that it does not allow are refused everywhere. */
export async function setAppRule(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { allowed, known }: { allowed: Rule; known?: object | undefined },
  { now, wait, requireCare, record }: Omit<Changing, 'id' | 'by' | 'requireApproval'>,
): Promise<AppRule> {
  const { clinic_id } = clinic
  const ids = await database.write(clinic, async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${lockOf(lockFor(clinic_id))})`)
    const { rows } = await tx.query<{ former: Rule }>(
      sql`select allowed_apps as former from clinic where clinic_id = ${clinic_id}`,
    )
    const former = rows[0]?.former ?? 'any'
    requireAsKnown({ allowed: former }, known)
    requireCare(isLooser(allowed, former))
    const forbidden = allowed === 'any' ? sql`false` : allowed === 'verified' ? sql`not c.is_verified` : sql`true`
    const which = sql`id in (select c.id from connection c
      where c.clinic_id = ${clinic_id} and ${forbidden} and ${lasting(clinic_id, now)})`
    const ended = await endWithin(tx, { clinic_id, which, reason: 'not_allowed', now })
    // The clinic last: on a cluster a change locks the whole of a table that all clinics share, and a key's change locks the keys before the clinics.
    await tx.query(sql`update clinic set allowed_apps = ${allowed} where clinic_id = ${clinic_id}`)
    record(tx, [allowed, ...ended])
    return ended
  })
  await untilRefused(database, { clinic_id, ids, now }, wait)
  return appRule(database, clinic, now)
}

/** They stand from the loosest to the strictest. */
function isLooser(wanted: Rule, former: Rule): boolean {
  return appRules.indexOf(wanted) < appRules.indexOf(former)
}

/** A condition on the relation `c`. */
function lasting(clinic_id: string, now: Date): Statement {
  return sql`exists (select from api_key k where k.clinic_id = ${clinic_id} and k.id = c.id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > ${now}))`
}
