// What the handlers of an operations file are made of, and which operations a file handles.
import type { Handlers } from '@clinic-data/contract'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'

export interface HandlerParts {
  readonly database: Database
  readonly now: () => Date
  /** Called when a chat message waits to be sent, with its clinic: whoever sends need not look for it. */
  readonly onMessageQueued?: (clinic_id: string) => void
  /** Those of the installation: the secrets of subscriptions are sealed with them. Without them none can be made. */
  readonly secretKeys?: SecretKeys
  /** Why no webhook may be sent to an address, in a word; null when it may. Without it every address may be subscribed. */
  readonly checkTarget?: (url: string) => Promise<string | null>
  /** Called when deliveries of a clinic are due at once, after the commit: whoever sends need not look for them. */
  readonly onDeliveriesDue?: (clinic_id: string) => void
  /** Called when a subscription has ended, after the commit; resolves when no request to it will start any more. */
  readonly onSubscriptionEnded?: (clinic_id: string, subscription_id: string) => Promise<void>
}

/** The handlers of some operations: the compiler checks each one against the contract. */
export type HandlersOf<Id extends keyof Handlers> = Pick<Handlers, Id>
