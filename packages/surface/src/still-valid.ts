// Checks in the transaction of a write that its sender still may write: a body can arrive long after the check of the key.
//
// The transaction takes a lock that many can hold, then reads whether the key is valid. A revocation is committed first. Then it takes
// the same lock alone, before it is answered. So a write that came before that has been committed or undone by then, and a later one
// finds the revocation. The lock is an advisory one: a row's would be written to disk with each write, and on a cluster it would be the
// whole table's, which all clinics share.
import { Problem, type Scope } from '@clinic-data/contract'
import {
  type ClinicDatabase,
  type Statement,
  StatementTimeout,
  sql,
  type Transaction,
  TransactionTimeout,
  utcSession,
} from '@clinic-data/database'

/** Runs first in a transaction. @throws Problem 401, at once or with the transaction's next statement. */
export type StillValid = (tx: Transaction) => void | Promise<void>

/** A key, an ingest token or an administrator, or `REPORTS`: their ids differ. */
export interface Holder {
  readonly clinic_id: string
  readonly id: string
}

/** Checks an API key or a connection, and that it still has the scope of the write. A person may have taken it away meanwhile. */
export function keyStillValid({ clinic_id, id }: Holder, now: () => Date, scope: Scope | null): StillValid {
  return (tx) => {
    stillValid<{ may: boolean }>(
      tx,
      { clinic_id, id },
      sql`select ${scope}::text is null or ${scope}::text = any(scopes) as may from api_key where clinic_id = ${clinic_id} and id = ${id}
        and revoked_at is null and stopped_at is null and (expires_at is null or expires_at > ${now()})`,
      ({ may }) => {
        if (scope !== null && !may) throw scopeTaken(scope)
      },
    )
  }
}

function scopeTaken(required_scope: Scope): Problem {
  const detail = `The scope ${required_scope} was taken away while the request arrived. Nothing was stored.`
  return new Problem('forbidden', detail, { required_scope })
}

/** The id of the messaging platform's reports, which no key sends: they are taken until the clinic is closed. */
export const REPORTS = 'reports'

export function reportsStillValid(tx: Transaction, clinic_id: string): void {
  const isOpen = sql`select clinic_id from clinic where clinic_id = ${clinic_id} and closed_at is null`
  stillValid(tx, { clinic_id, id: REPORTS }, isOpen)
}

/** Checks an ingest token. */
export function tokenStillValid({ clinic_id, id }: Holder): StillValid {
  const valid = sql`select id from ingest_token where clinic_id = ${clinic_id} and id = ${id} and revoked_at is null`
  return (tx) => stillValid(tx, { clinic_id, id }, valid)
}

/** @param valid finds a row while the holder may write. @param further looks at that row. */
export function stillValid<R extends object>(
  tx: Transaction,
  holder: Holder,
  valid: Statement,
  further: (row: R) => void = () => undefined,
): void {
  tx.send(sharedLock(holder))
  // Another statement: only one that begins after the wait for the lock sees what was committed meanwhile.
  tx.require<R>(valid, ([row]) => {
    if (row === undefined) throw noLongerValid()
    further(row)
  })
}

export function sharedLock(holder: Holder): Statement {
  return sql`select pg_advisory_xact_lock_shared(${lockOf(holder)})`
}

export function noLongerValid(): Problem {
  return new Problem('unauthorized', 'It was revoked or has expired while the request arrived. Nothing was stored.')
}

/** The same database, where every write begins with the check. */
export function onlyWhile(valid: StillValid, database: ClinicDatabase): ClinicDatabase {
  return {
    read: (clinic, statement) => database.read(clinic, statement),
    write: (clinic, work, options) =>
      database.write(
        clinic,
        async (tx) => {
          await valid(tx)
          return work(tx)
        },
        options,
      ),
  }
}

/** Resolves when all writes that have found the holder valid have ended. Call it after the commit of the revocation. */
export async function untilWritesEnd(owner: ClinicDatabase, holder: Holder): Promise<void> {
  for (;;) {
    try {
      await owner.write(utcSession(holder.clinic_id), (tx) =>
        tx.query(sql`select pg_advisory_xact_lock(${lockOf(holder)})`),
      )
      return
    } catch (error) {
      // A write may last longer than this wait, but it ends: its transaction has a limit of its own.
      if (!(error instanceof StatementTimeout || error instanceof TransactionTimeout)) throw error
    }
  }
}

/** Resolves when nothing of any of them is under way any more that began before the commit of a stricter rule. */
export async function untilAllWritesEnd(owner: ClinicDatabase, holders: readonly Holder[]): Promise<void> {
  for (const holder of holders) await untilWritesEnd(owner, holder)
}

/** The number of its advisory lock. */
export function lockOf({ clinic_id, id }: Holder): Statement {
  return sql`hashtextextended(${`${clinic_id} holder ${id}`}, 0)`
}
