// Runs an operator's command on the database, as the owner of its tables, and leaves no server behind.
import { hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { findClinic, type ListedClinic } from '@clinic-data/administration/clinics'
import { besideOperator, type OperatorOperation } from '@clinic-data/audit/operator-audit'
import type { Database } from '@clinic-data/database'
import { hasCluster } from '@clinic-data/database/embedded/restore-postgres'
import { readConfig } from '@clinic-data/installation/config'
import { asOwner, migrateStorage, reachStorage, type Storage } from '@clinic-data/installation/database/storage'
import { printFault } from './output.ts'
import { EXIT_BY_SIGNAL, stopSignal } from './stop-signal.ts'
import { UsageError } from './usage-error.ts'

/** Runs `work` beside a running `serve`, or on a server of its own, which a signal stops too. */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const signal = stopSignal()
  const config = readConfig()
  const isMissing = config.databaseUrl === null && !hasCluster(config.dataDir)
  const storage = await reachStorage(config)
  // Somebody who has forgotten the service's settings would otherwise look into an empty database, and wonder.
  if (isMissing)
    printFault(`made a new database in ${resolve(config.dataDir)}; for another, set DATA_DIR or DATABASE_URL`)
  const end = () => void storage.stop().finally(() => process.exit(EXIT_BY_SIGNAL))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await work(storage)
  } catch (error) {
    // It failed because the server has stopped. The process is about to end.
    if (signal.aborted) await new Promise(() => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await storage.stop()
  }
}

/** Brings the tables up to date, and runs `work` as their owner. */
export function asOperator<T>(work: (owner: Database) => Promise<T>): Promise<T> {
  return withStorage((storage) =>
    asOwner(storage, async (owner) => {
      await migrateStorage(storage, owner, () => undefined)
      return work(owner)
    }),
  )
}

/** The row of a command's change. It names who runs the command, and where. */
export function asAudited(clinic_id: string, operation: OperatorOperation) {
  return besideOperator({ clinic_id, operation, user: accountName(), machine: hostname(), now: new Date() })
}

/** Null in a container that has no name for its account. */
function accountName(): string | null {
  try {
    const { username } = userInfo()
    return /^[\w.@-]{1,64}$/.test(username) ? username : null
  } catch {
    return null
  }
}

/**
 * Finds the clinic of `--clinic`.
 *
 * @param even finds one that was closed too, or even deleted.
 * @throws UsageError when there is none: a mistyped id must not look like an empty clinic.
 */
export async function requireClinic(
  owner: Database,
  clinic_id: string,
  { even = 'open' }: { even?: 'open' | 'closed' | 'deleted' } = {},
): Promise<ListedClinic> {
  const clinic = await findClinic(owner, clinic_id)
  if (!clinic)
    throw new UsageError(
      'there is no clinic with the id given as --clinic; clinicd clinics list shows all, clinicd clinics create makes one',
    )
  const { closed_at, deleted_at } = clinic
  if (deleted_at !== null && even !== 'deleted')
    throw new UsageError(`the clinic given as --clinic was deleted at ${deleted_at}`)
  if (closed_at !== null && even === 'open')
    throw new UsageError(
      `the clinic given as --clinic was closed at ${closed_at}; clinicd clinics delete goes on with it`,
    )
  return clinic
}
