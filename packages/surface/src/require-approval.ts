// How what opens patients' data wider asks for a second person's approval (docs/decisions/0113).
import type { Scope } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'

/** The second person sees it beside the request, and approves it with it. */
export interface Shown {
  /** The key, the app, the person or the address that it is about. */
  readonly name: string
  readonly scopes?: readonly Scope[]
  /** How what it changes is now. */
  readonly former?: Readonly<Record<string, unknown>>
  /** The next four are an app's. */
  readonly app_id?: string | null
  readonly host?: string | null
  readonly is_verified?: boolean
  readonly audience?: string | null
}

export interface Opening {
  /** Whether it opens more. Nobody is asked for anything else. */
  readonly isNeeded: boolean
  readonly shown: Shown
  /** The request as it is approved. Default: its whole body. */
  readonly body?: object
}

/**
 * Called in the transaction of the change, by each operation that another person may have to approve.
 *
 * @throws Problem 403 where the clinic wants an approval and there is none. It has been asked for then.
 */
export type RequireApproval = (tx: Transaction, opening: Opening) => Promise<void>
