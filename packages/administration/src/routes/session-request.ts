// An operation of the console as its handler sees it: the request of a signed-in administrator, and its answer.

import type { Readable } from 'node:stream'
import type { consoleOperations } from '@clinic-data/console-contract/console-operations'
import type { SessionOperation } from '@clinic-data/console-contract/roles'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import type { ClinicDatabase, Database, Transaction } from '@clinic-data/database'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { StillValid } from '@clinic-data/surface/still-valid'
import type { Offer } from '../pairings/offer-cookie.ts'
import type { RecordFor } from '../pairings/pair.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { OwnAddress } from '../sign-in/own-address.ts'

type Operations = typeof consoleOperations

export type { SessionOperation }

export interface SessionRequest<Name extends SessionOperation> {
  /** Opened with the console's login. Its writes check the session again. */
  consoleDatabase: ClinicDatabase
  session: ActiveSession
  /** The check of its writes, for a transaction of another database. */
  stillValid: StillValid
  body: Operations[Name]['body'] extends TSchema ? Static<Operations[Name]['body']> : null
  params: Readonly<Record<string, string>>
  query: Static<Operations[Name]['query']>
  idempotencyKey: string
  now: Date
  browser: Browser
  /** The address under which the browser sees the console. */
  address: OwnAddress | null
  /**
   * Asks for a proof of who sends it. Every operation whose care depends on the request calls it, with whether this one gives power.
   *
   * @throws Problem 403
   */
  requireCare: (isNeeded: boolean) => void
  /** Each of `approvedOperations` calls it. */
  requireApproval: RequireApproval
  /** Whether whoever asked waits no more. */
  isGone: () => boolean
  /** Stores the audit row with the change. Every change calls it, last in its transaction. */
  record: (tx: Transaction, ids: readonly string[], patient_ids?: readonly string[]) => void
  /** Stores the audit row of what the same person changes in a paired clinic, in the name of the account there. */
  recordFor: RecordFor
}

/** The handlers of pairings ask this of the browser. */
interface Browser {
  /** Its session has this one, which finds those in paired clinics. */
  token: string
  user_agent: string
  /** The account that it has offered in another clinic. */
  offer: Offer | null
  isSecure: boolean
}

export interface Answer<Output> {
  /** Has the form of the operation's output. */
  output: Output
  /** Answered in place of the output. */
  file?: { name: string; type: string; content: Readable }
  /** The session of the request has ended. */
  isEnd?: boolean
  /** Set in the browser. */
  cookie?: string
  /** Other sessions of the administrator have ended. */
  endsOthers?: boolean
  /** Awaited before the answer leaves, with a database whose writes need no session: this one may have ended. */
  until?: (database: Database) => Promise<void>
}

type OutputOf<Name extends SessionOperation> = Operations[Name]['output'] extends TSchema
  ? Static<Operations[Name]['output']>
  : null

export type ConsoleHandlers = {
  [Name in SessionOperation]: (request: SessionRequest<Name>) => Promise<Answer<OutputOf<Name>>>
}
