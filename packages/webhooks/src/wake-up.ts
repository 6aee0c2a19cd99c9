// Notices to dispatchers of other processes: deliveries of a clinic are due, or a subscription has ended. A lost notice costs a
// second, the interval of a dispatcher's own scan. A request that is being sent to an ended subscription may still arrive.
import type { Database } from '@clinic-data/database'

const DUE = 'deliveries_due'
const ENDED = 'subscription_ended'

/** Clinics whose deliveries become due within this time after a notice share the next one. */
const BETWEEN_MS = 10

/** PostgreSQL accepts payloads of less than 8,000 bytes, and an id has up to 63. The scan finds the clinics that do not fit. */
const MOST_CLINICS = 100

export class WakeUp {
  readonly #database: Database
  readonly #waiting = new Set<string>()
  #pause: NodeJS.Timeout | null = null

  constructor(database: Database) {
    this.#database = database
  }

  /** Call this when due deliveries of the clinic are committed. */
  tell(clinic_id: string): void {
    if (this.#waiting.size < MOST_CLINICS) this.#waiting.add(clinic_id)
    if (this.#pause === null) this.#send()
  }

  /** Call this when the end of the subscription is committed. */
  async tellEnded(clinic_id: string, subscription_id: string): Promise<void> {
    await this.#database.notify(ENDED, `${clinic_id} ${subscription_id}`).catch(() => undefined)
  }

  /** Receives both notices until the database is closed. */
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
    const payload = [...this.#waiting].join(' ')
    this.#waiting.clear()
    this.#pause = setTimeout(() => {
      this.#pause = null
      if (this.#waiting.size > 0) this.#send()
    }, BETWEEN_MS)
    // A missed notice costs one scan interval.
    this.#database.notify(DUE, payload).catch(() => undefined)
  }
}
