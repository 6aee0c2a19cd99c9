// Word to dispatchers of other processes: deliveries of a clinic are due, a subscription has ended. Word that is lost costs a
// second, which is how often a dispatcher looks by itself; what it is sending to an ended subscription may still arrive.
import type { Database } from '@clinic-data/database'

const DUE = 'deliveries_due'
const ENDED = 'subscription_ended'

/** Clinics that become due within it are told together. */
const COALESCE_MS = 10

/** PostgreSQL takes payloads of less than 8,000 bytes, and an id has up to 63: what does not fit is found by looking. */
const MOST_CLINICS = 100

export class WakeUp {
  readonly #database: Database
  readonly #waiting = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  constructor(database: Database) {
    this.#database = database
  }

  /** Deliveries of the clinic are due, and committed. */
  tell(clinic_id: string): void {
    if (this.#waiting.size < MOST_CLINICS) this.#waiting.add(clinic_id)
    this.#timer ??= setTimeout(() => this.#send(), COALESCE_MS)
  }

  /** The subscription has ended, and that is committed. */
  async tellEnded(clinic_id: string, subscription_id: string): Promise<void> {
    await this.#database.notify(ENDED, `${clinic_id} ${subscription_id}`).catch(() => undefined)
  }

  /** Hears of both, until the database is closed. */
  hear(dispatcher: { wake(clinic_id: string): void; end(clinic_id: string, subscription_id: string): void }): void {
    this.#database.listen(DUE, (payload) => {
      for (const clinic_id of payload.split(' ')) dispatcher.wake(clinic_id)
    })
    this.#database.listen(ENDED, (payload) => {
      const [clinic_id = '', subscription_id = ''] = payload.split(' ')
      dispatcher.end(clinic_id, subscription_id)
    })
  }

  #send(): void {
    this.#timer = null
    const payload = [...this.#waiting].join(' ')
    this.#waiting.clear()
    // Whoever is not told looks by himself.
    this.#database.notify(DUE, payload).catch(() => undefined)
  }
}
