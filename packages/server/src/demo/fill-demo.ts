// Fills the demo clinic, in the process of `demo-filler.ts`.
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { readConfig } from '../config.ts'
import { isAway } from '../database/away.ts'
import { asOwner, openAsApp, type StorageUrls } from '../database/storage.ts'
import { secretKeysOf } from '../secret-key-file.ts'
import type { Filled } from './demo-filling.ts'

/** @param onPatients is called when the patients are there. What it answers is awaited. */
export async function fillDemo(storage: StorageUrls, onPatients: () => Promise<void>): Promise<Filled> {
  try {
    const webhookKeys = signingKeys(await secretKeysOf(readConfig()), 'webhook-secret')
    await asOwner(storage, async (owner) => {
      const app = await openAsApp(storage, () => undefined)
      try {
        await ensureDemoClinic({ owner, database: app, now: new Date(), onPatients, webhookKeys })
      } finally {
        await app.close()
      }
    })
    return { stage: 'whole' }
  } catch (error) {
    return { stage: 'failed', error, isAway: isAway(error) }
  }
}
