// The process in which `demo-filling.ts` fills the demo clinic, so that the memory which that takes ends with it. It speaks to
// nobody else, and ends with it.
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { readConfig } from '../config.ts'
import { isAway } from '../database/away.ts'
import { asOwner, openAsApp, type StorageUrls } from '../database/storage.ts'
import { secretKeysOf } from '../secret-key-file.ts'
import type { Filled } from './demo-filling.ts'

/** Resolves when the service has started: the rest of the clinic waits for it. */
const started = Promise.withResolvers<void>()

// Ctrl-C reaches every process of a terminal. The service decides when this one ends.
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: StorageUrls | 'started') => {
  if (message === 'started') started.resolve()
  else void fillFor(message)
})

async function fillFor(storage: StorageUrls): Promise<void> {
  try {
    await fill(storage, await secretKeysOf(readConfig()))
    tell({ stage: 'whole' })
  } catch (error) {
    tell({ stage: 'failed', error, isAway: isAway(error) })
  }
}

function fill(storage: StorageUrls, secretKeys: SecretKeys): Promise<void> {
  return asOwner(storage, async (owner) => {
    const app = await openAsApp(storage, () => undefined)
    try {
      const webhookKeys = signingKeys(secretKeys, 'webhook-secret')
      const onPatients = () => {
        tell({ stage: 'patients' })
        return started.promise
      }
      await ensureDemoClinic({ owner, database: app, now: new Date(), onPatients, webhookKeys })
    } finally {
      await app.close()
    }
  })
}

function tell(filled: Filled): void {
  process.send?.(filled, undefined, undefined, () => {
    if (filled.stage !== 'patients') process.disconnect()
  })
}
