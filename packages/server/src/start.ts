// The parts that every step of a start shares.
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import type { Config } from '@clinic-data/installation/config'
import type { Storage } from '@clinic-data/installation/database/storage'
import type { Role } from '@clinic-data/installation/role'
import type { Logger } from 'pino'

export interface ServeOptions {
  config: Config
  role: Role
  log: Logger
  /** How many processes serve the public API. More than one need the command line, which each of them runs again. Default: one. */
  workers?: number
  /** Runs once the tables are up to date and before anything listens: the demo clinic. */
  prepare?: (storage: Storage) => Promise<void>
  /** Whether webhooks to names of examples are received: those of the demo's samples. */
  isDemo?: boolean
  /** Abandons the start; a service that has started is stopped by `stop`. */
  signal?: AbortSignal
}

export interface Start extends ServeOptions {
  secretKeys: SecretKeys
  /** Each step adds here how to close what it has opened. They are closed in the opposite order. */
  opened: AsyncDisposableStack
  /** Aborted some time after the stop has begun: nothing waits for the database any more, and what has no record is logged. */
  stopDeadline: AbortSignal
}
