// Fills the demo clinic of `serve --demo`. The service starts when the patients are there, and answers while the rest is
// written.
import { type SecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { asOwner, openAsApp, type Storage } from './database/storage.ts'
import { Phase } from './progress.ts'

export class DemoFilling {
  #opening = new Phase('Preparing the database')
  #whole: Promise<void> | undefined
  /** The rest waits for it: a start needs this process for itself. */
  readonly #started = Promise.withResolvers<void>()

  readonly #secretKeys: () => Promise<SecretKeys>

  constructor(secretKeys: () => Promise<SecretKeys>) {
    this.#secretKeys = secretKeys
  }

  /** Resolves when the service may answer. A start that repeats it, because its database went away, goes on with the first one. */
  readonly begin = async (storage: Storage): Promise<void> => {
    this.#opening.end()
    const patients = new Phase('Preparing the demo clinic')
    const servable = Promise.withResolvers<void>()
    this.#whole ??= fill(storage, this.#secretKeys, () => {
      servable.resolve()
      return this.#started.promise
    })
    try {
      await Promise.race([servable.promise, this.#whole])
    } catch (error) {
      patients.abandon()
      this.#whole = undefined
      this.#opening = new Phase('Preparing the database')
      throw error
    }
    patients.end()
  }

  abandon(): void {
    this.#opening.abandon()
  }

  /** Resolves when the clinic is complete. */
  async whole(): Promise<void> {
    this.#started.resolve()
    const calendar = new Phase('Filling its calendar, calls and chats')
    try {
      await this.#whole
    } catch (error) {
      calendar.abandon()
      throw error
    }
    calendar.end()
  }
}

function fill(storage: Storage, secretKeys: () => Promise<SecretKeys>, onPatients: () => Promise<void>): Promise<void> {
  return asOwner(storage, async (owner) => {
    const app = await openAsApp(storage, () => undefined)
    try {
      const webhookKeys = signingKeys(await secretKeys(), 'webhook-secret')
      await ensureDemoClinic({ owner, database: app, now: new Date(), onPatients, webhookKeys })
    } finally {
      await app.close()
    }
  })
}
