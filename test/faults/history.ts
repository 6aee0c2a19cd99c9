// Describes what clients saw of a service: each call with the moments of its beginning and end, on one clock, in milliseconds. The checker
// reads nothing else.

import type { WriteKind } from '@clinic-data/testing/grounds/crash-load'

export type { WriteKind }

/** `unknown`: no answer, or one that leaves open whether the change was made. */
export type Result = 'ok' | 'fail' | 'unknown'

interface Call {
  /** Before the request was sent. */
  readonly invokedAt: number
  /** After the answer was read. */
  readonly endedAt: number
}

/** One attempt to write. Attempts with the same name are repetitions of one keyed request. */
export interface Write extends Call {
  readonly entry: 'write'
  readonly kind: WriteKind
  readonly name: string
  readonly result: Result
  /** The id in an answer of 2xx. */
  readonly id?: string
  readonly requestId?: string
}

/** An answered read of one record by its id. */
export interface Read extends Call {
  readonly entry: 'read'
  readonly kind: WriteKind
  readonly id: string
  readonly isFound: boolean
}

export interface Subscribe extends Call {
  readonly entry: 'subscribe'
  readonly subscription: string
  readonly result: Result
  /** Empty: all. */
  readonly types: readonly string[]
}

export interface Unsubscribe extends Call {
  readonly entry: 'unsubscribe'
  readonly subscription: string
  readonly result: Result
}

/** A request that the receiver of a subscription got. */
export interface Delivery {
  readonly entry: 'delivery'
  readonly subscription: string
  readonly event: string
  readonly type: string
  readonly at: number
}

export interface Revoke extends Call {
  readonly entry: 'revoke'
  readonly key: string
  readonly result: Result
}

/** An answered request with a key. */
export interface Use extends Call {
  readonly entry: 'use'
  readonly key: string
  readonly isAccepted: boolean
}

/** All payments, page by page, by one chain of cursors. */
export interface Walk extends Call {
  readonly entry: 'walk'
  readonly ids: readonly string[]
}

/** An answer that no caller should get, whatever happens behind the service. */
export interface WrongAnswer {
  readonly entry: 'wrong answer'
  readonly at: number
  readonly text: string
}

export type Entry = Write | Read | Subscribe | Unsubscribe | Delivery | Revoke | Use | Walk | WrongAnswer

/** The service holds this when everything has come to rest. */
export interface Stored {
  readonly records: readonly { readonly kind: WriteKind; readonly id: string; readonly name: string }[]
  /** In the order of the feed. */
  readonly events: readonly StoredEvent[]
  /** The numbers of the payments' documents, ascending. */
  readonly documents: readonly number[]
  /** The requests in the audit log. */
  readonly audited: ReadonlySet<string>
}

export interface StoredEvent {
  readonly id: string
  readonly type: string
  /** Null for a test event, which is in no feed. */
  readonly position: number | null
  /** The id of the record in its data. */
  readonly subject: string
}
