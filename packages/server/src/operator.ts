// An operator's command: reaches the database, brings the tables up to date, works as their owner, leaves all as it was found.
import type { Database } from '@clinic-data/database'
import { readConfig } from './config.ts'
import { asOwner, migrateStorage, reachStorage } from './storage.ts'

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
