// An operator's command: reaches the database, brings the tables up to date, works as their owner, leaves all as it was found.
import { listClinics } from '@clinic-data/backend/clinics'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { readConfig } from './config.ts'
import { asOwner, migrateStorage, reachStorage } from './storage.ts'
import { UsageError } from './usage-error.ts'

/** Runs `work` beside a running `serve`, or on a server started for it alone. */
export async function asOperator<T>(work: (owner: Database) => Promise<T>): Promise<T> {
  const storage = await reachStorage(readConfig())
  try {
    return await asOwner(storage, async (owner) => {
      await migrateStorage(owner, () => undefined)
      return work(owner)
    })
  } finally {
    await storage.stop()
  }
}

/** The clinic of `--clinic`. @throws UsageError when there is none: a mistyped id is not a clinic without keys or rows. */
export async function requireClinic(owner: Database, clinic_id: string): Promise<Clinic> {
  const clinic = (await listClinics(owner)).find((one) => one.clinic_id === clinic_id)
  if (!clinic)
    throw new UsageError('there is no clinic with the id that --clinic names; clinicd clinics list shows all')
  return clinic
}
