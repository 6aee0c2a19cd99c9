// The dispatcher's work beside the requests: the audit log's chain is extended clinic by clinic, again and again.
import { sealAudit } from '@clinic-data/backend/audit-seal'
import { listClinics } from '@clinic-data/backend/clinics'
import type { Database } from '@clinic-data/database'
import type { Log } from '@clinic-data/gateway/log'

/** A row is sealed at the earliest a minute after it was stored: looking more often finds nothing new. */
const SEAL_EVERY_MS = 60_000

export interface Background {
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>
}

interface BackgroundParts {
  /** As the application's role. */
  database: Database
  /** Runs work as the owner of the tables, who sees which clinics there are. */
  asOwner: <T>(work: (owner: Database) => Promise<T>) => Promise<T>
  log: Log
  now?: () => Date
}

export function startBackground({ database, asOwner, log, now = () => new Date() }: BackgroundParts): Background {
  let working: Promise<void> | null = null
  const seal = async () => {
    try {
      for (const { clinic_id } of await asOwner(listClinics)) await sealAudit(database, clinic_id, now())
    } catch (error) {
      log.error({ err: error }, 'the audit log could not be sealed; the next round tries again')
    }
  }
  const timer = setInterval(() => {
    working ??= seal().finally(() => {
      working = null
    })
  }, SEAL_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await working
    },
  }
}
