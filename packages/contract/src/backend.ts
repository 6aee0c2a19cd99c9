// The port between gateway and backend: what any system that holds a clinic's data implements, in process or over HTTP.
import type { Readable } from 'node:stream'
import type { Grant, Principal } from './grant.ts'
import type { Answer, HandlerInput } from './operation.ts'
import type { OperationId, Operations } from './operations.ts'

/** What travels with a call besides its grant and input. */
export interface CallContext {
  request_id: string
  /** On the monotonic clock of this process (`performance.now()`): work past it is dropped. */
  deadline: number
}

export type Handler<Id extends OperationId> = (
  grant: Grant,
  input: HandlerInput<Operations[Id]>,
  context: CallContext,
) => Promise<Answer<Operations[Id]>>

/** One handler an operation: the compiler lists what is missing. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

/** One row of the audit log. It names what was read or written, never what it said. */
export interface AuditRow {
  /** ISO 8601, UTC. */
  at: string
  clinic_id: string
  key_id: string
  operation: string
  surface: 'rest' | 'mcp' | 'file'
  /** Ids of the resources that the answer held, at most 100. */
  resource_ids: readonly string[]
  /** How many resources the answer held. */
  count: number
  status: number
  request_id: string
  address: string
}

/** What a signed file link names. */
export interface FileReference {
  clinic_id: string
  key_id: string
  file_id: string
}

/** A byte range, both ends included, as `Range` asks; `last` null means to the end, `first` null the last `last` bytes. */
export interface ByteRange {
  first: number | null
  last: number | null
}

export type OpenedFile =
  | {
      state: 'open'
      content_type: string
      file_name: string
      size_bytes: number
      first: number
      last: number
      stream: Readable
    }
  /** The range lies outside the file. */
  | { state: 'unsatisfiable'; size_bytes: number }
  | { state: 'missing' }
  /** The key that asked for the link is revoked or expired. */
  | { state: 'revoked' }

export interface Backend {
  /** The principal of a key by the SHA-256 of it in hex, or null when there is none, it has expired or was revoked. */
  authenticate(keyHash: string): Promise<Principal | null>
  readonly handlers: Handlers
  /** Stores rows durably, in order, before it resolves. */
  audit(rows: readonly AuditRow[]): Promise<void>
  openFile(file: FileReference, range: ByteRange | null): Promise<OpenedFile>
  /** Resolves when the backend can answer. @throws when it cannot. */
  ready(): Promise<void>
}
