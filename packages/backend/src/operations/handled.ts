// What the handlers of an operations file are made of, and which operations a file handles.
import type { Handlers } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'

export interface HandlerParts {
  readonly database: Database
  readonly now: () => Date
  /** Called when a chat message waits to be sent, with its clinic: whoever sends need not look for it. */
  readonly onMessageQueued?: (clinic_id: string) => void
}

/** The handlers of some operations: the compiler checks each one against the contract. */
export type HandlersOf<Id extends keyof Handlers> = Pick<Handlers, Id>
