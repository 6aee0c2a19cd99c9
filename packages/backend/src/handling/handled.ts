// The dependencies of the handlers, and the type of a file's handlers.
import type { Grant, Handlers } from '@clinic-data/contract'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import type { StillValid } from '@clinic-data/surface/still-valid'

export interface HandlerParts {
  readonly database: Database
  readonly now: () => Date
  /** The writes do everything but the commit. */
  readonly isRehearsal?: boolean
  /** Checks in a write's transaction that its principal may still write. Default: that its key is neither revoked nor expired. */
  readonly validOf?: (grant: Grant) => StillValid
  /** Called with the clinic when a chat message waits to be sent, so that a sender need not look for it. */
  readonly onMessageQueued?: (clinic_id: string) => void
  /** The installation's keys, which seal the secrets of subscriptions. Without them no subscription can be made. */
  readonly secretKeys?: SecretKeys
  /** Why no webhook may be sent to an address, in a word, or null when it may. Without it every address may be subscribed. */
  readonly checkTarget?: (url: string) => Promise<string | null>
  /** Called after the commit when deliveries of a clinic are due at once, so that a sender need not look for them. */
  readonly onDeliveriesDue?: (clinic_id: string) => void
  /** Called after the commit when a subscription has ended. Resolves when no request to it will start any more. */
  readonly onSubscriptionEnded?: (clinic_id: string, subscription_id: string) => Promise<void>
}

/** The handlers of some operations. The compiler checks each one against the contract. */
export type HandlersOf<Id extends keyof Handlers> = Pick<Handlers, Id>
