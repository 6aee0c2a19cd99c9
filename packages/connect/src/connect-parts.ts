// The parts of the service that its authorization server needs.
import type { Database } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'

/** Which apps may be connected. A host in a list is that of an app's document; registered apps may always. */
export type AppPolicy = 'any' | 'registered' | readonly string[]

export interface ConnectParts {
  /** Opened with the console's login: that of requests may add neither keys nor tokens. */
  readonly database: Database
  /** The public API's address without a slash at its end. It is the issuer. */
  readonly baseUrl: string
  /** Where browsers reach the console, without a slash at its end. */
  readonly consoleUrl: string
  readonly policy: AppPolicy
  /** Whether apps may register themselves. */
  readonly mayRegister: boolean
  readonly now: () => Date
  readonly log: Log
  /** Waits until an ended connection is refused everywhere. Default: as long as that takes. */
  readonly wait?: (ms: number) => Promise<unknown>
}
