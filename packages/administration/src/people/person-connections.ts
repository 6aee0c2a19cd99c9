// The connections that end with a person's rights: all of them when the person is disabled, and with a narrower role those that it could not make.
import { endWithin, untilRefused } from '@clinic-data/connect/tokens/end-connection'
import type { Role } from '@clinic-data/console-contract/role-names'
import { scopesToGive } from '@clinic-data/console-contract/roles'
import type { Scope } from '@clinic-data/contract'
import {
  type ClinicDatabase,
  type ClinicSession,
  type Statement,
  sql,
  type Transaction,
  utcSession,
} from '@clinic-data/database'
import { type Holder, untilWritesEnd } from '@clinic-data/surface/still-valid'
import { requirePerson } from './people.ts'

export interface PersonsEnd extends Holder {
  readonly now: Date
  readonly reason: 'person_disabled' | 'ended'
  /** A condition on `connection`. */
  readonly which: Statement
}

export function disabledEnd({ clinic_id, id }: Holder, now: Date): PersonsEnd {
  return { clinic_id, id, now, reason: 'person_disabled', which: sql`true` }
}

/** Whoever is in no group any more that gives a role has no app either. An owner ends them likewise, and the person stays. */
export function appsEnd({ clinic_id, id }: Holder, now: Date): PersonsEnd {
  return { clinic_id, id, now, reason: 'ended', which: sql`true` }
}

/** Whoever may no longer give a scope has no app with it either. */
export function roleEnd(
  { clinic_id, id }: Holder,
  { role, memberScopes, now }: { role: Role; memberScopes: readonly Scope[]; now: Date },
): PersonsEnd {
  const mayGive = scopesToGive(role, memberScopes)
  const which = sql`${mayGive.length === 0}::boolean or id in (
    select id from api_key where clinic_id = ${clinic_id} and not scopes <@ ${mayGive}::text[])`
  return { clinic_id, id, now, reason: 'ended', which: sql`(${which})` }
}

interface Ending {
  readonly id: string
  readonly now: Date
  /** Adds the audit row. */
  readonly record: (tx: Transaction, ids: readonly string[]) => void
}

/** `untilPersonsEnd` comes after it. @throws Problem 404 */
export async function endPersonConnections(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  { id, now, record }: Ending,
): Promise<PersonsEnd> {
  await requirePerson(consoleDatabase, clinic, id)
  const end = appsEnd({ clinic_id: clinic.clinic_id, id }, now)
  await consoleDatabase.write(clinic, async (tx) => record(tx, [id, ...(await endConnectionsOf(tx, end))]))
  return end
}

export function endConnectionsOf(
  tx: Transaction,
  { clinic_id, id, now, reason, which }: PersonsEnd,
): Promise<string[]> {
  return endWithin(tx, { clinic_id, which: sql`administrator_id = ${id} and ${which}`, reason, now })
}

/**
 * Resolves when these apps are refused everywhere, and what the person was writing is stored or undone. Call it after the commit.
 *
 * @param wait waits until the apps are refused everywhere. Default: as long as that takes.
 */
export async function untilPersonsEnd(
  database: ClinicDatabase,
  end: PersonsEnd,
  wait: ((ms: number) => Promise<unknown>) | undefined,
): Promise<void> {
  const { clinic_id, now } = end
  await untilWritesEnd(database, end)
  // One of these writes may have connected an app.
  const ids = await database.write(utcSession(clinic_id), (tx) => endConnectionsOf(tx, end))
  await untilRefused(database, { clinic_id, ids, now }, wait)
}
