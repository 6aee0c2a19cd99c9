// Fills the demo clinic, in the process of `demo-filler.ts`.
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { readConfig } from '@clinic-data/installation/config'
import { isAway } from '@clinic-data/installation/database/away'
import { asOwner, openAsApp, type StorageUrls } from '@clinic-data/installation/database/storage'
import { secretKeysOf } from '@clinic-data/installation/secret-key-file'
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
