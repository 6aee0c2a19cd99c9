// An operator's command: reaches the database, brings the tables up to date, works as their owner, leaves all as it was found.
import { listClinics } from '@clinic-data/backend/clinics'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { readConfig } from './config.ts'
import { stopSignal } from './shutdown.ts'
import { asOwner, migrateStorage, reachStorage, type Storage } from './storage.ts'
import { UsageError } from './usage-error.ts'

/** What a shell answers for a command that a signal has ended. */
const EXIT_BY_SIGNAL = 130

/** Runs `work` beside a running `serve`, or on a server started for it alone, which a signal does not leave behind. */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const signal = stopSignal()
  const storage = await reachStorage(readConfig())
  const end = () => void storage.stop().finally(() => process.exit(EXIT_BY_SIGNAL))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await work(storage)
  } catch (error) {
    // It failed for want of the server: the process is about to end.
    if (signal.aborted) await new Promise(() => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await storage.stop()
  }
}

/** As the owner of the tables, which are up to date. */
export function asOperator<T>(work: (owner: Database) => Promise<T>): Promise<T> {
  return withStorage((storage) =>
    asOwner(storage, async (owner) => {
      await migrateStorage(storage, owner, () => undefined)
      return work(owner)
    }),
  )
}

/** The clinic of `--clinic`. @throws UsageError when there is none: a mistyped id is not a clinic without keys or rows. */
export async function requireClinic(owner: Database, clinic_id: string): Promise<Clinic> {
  const clinic = (await listClinics(owner)).find((one) => one.clinic_id === clinic_id)
  if (!clinic)
    throw new UsageError('there is no clinic with the id that --clinic names; clinicd clinics list shows all')
  return clinic
}
