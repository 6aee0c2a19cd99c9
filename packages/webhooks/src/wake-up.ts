// Tells dispatchers of other processes that deliveries of a clinic are due: coalesced, after the commit. One that is lost costs a
// second, which is how often a dispatcher looks by itself.
import type { Database } from '@clinic-data/database'

const CHANNEL = 'deliveries_due'

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

  /** Hears of clinics, until the database is closed. */
  hear(wake: (clinic_id: string) => void): void {
    this.#database.listen(CHANNEL, (payload) => {
      for (const clinic_id of payload.split(' ')) wake(clinic_id)
    })
  }

  #send(): void {
    this.#timer = null
    const payload = [...this.#waiting].join(' ')
    this.#waiting.clear()
    // Whoever is not told looks by himself.
    this.#database.notify(CHANNEL, payload).catch(() => undefined)
  }
}
