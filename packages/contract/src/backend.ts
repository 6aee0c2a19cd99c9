// The port between gateway and backend. Any system that holds a clinic's data implements it, in process or over HTTP.
import type { Readable } from 'node:stream'
import type { AnswerApp } from './app-request.ts'
import type { Grant, Principal } from './grant.ts'
import type { Answer, HandlerInput, Operation, Position } from './operation.ts'
import { allOperations, type OperationId, type Operations } from './operations.ts'
import type { UnknownValues } from './page-meta.ts'
import type { ProblemSlug } from './problems.ts'

/** The context of a call, in addition to its grant and input. */
export interface CallContext {
  request_id: string
  /** By the monotonic clock of this process (`performance.now()`). Work past it is dropped. */
  deadline: number
  /** For a backend that records a read before it answers it. */
  record?: ReadRecord
}

/** The gateway's part of the audit row that a backend stores of a read (docs/decisions/0154). */
export interface ReadRecord {
  surface: AuditRow['surface']
  address: string
  /** The ids in the path. */
  named: readonly string[]
  /** The patients whom the request names. */
  patient_ids: readonly string[]
  /** Whole milliseconds since the request arrived. Absent for a feed that may wait. */
  elapsed_ms?: number
}

export type Handler<Id extends OperationId> = (
  grant: Grant,
  input: HandlerInput<Operations[Id]>,
  context: CallContext,
) => Promise<Answer<Operations[Id]>>

/** One handler per operation. The compiler reports missing ones. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

/** The answer of any handler. Its members depend on the operation's shape. */
export interface AnyAnswer {
  data: unknown
  next?: Position | null
  resume?: Position
  unknown_ids?: readonly string[]
  unknown_values?: readonly UnknownValues[]
  meta?: unknown
  status?: number
  replayed?: true
  /** The backend has stored the audit row of this read. */
  recorded?: true
  /** The ids that the audit log names of rows that came written (`WrittenRows`), unless their audit row is stored. */
  audited?: Audited
  /** Where the resource does not name its patients. A backend of an earlier version does not tell them. */
  patient_ids?: readonly string[]
}

/** The handler of any operation. */
export type AnyHandler = (
  grant: Grant,
  input: HandlerInput<Operation>,
  context: CallContext,
) => Promise<AnyAnswer | null>

/** TypeScript does not see that an operation's id names the handler of its own input. This function and the next one say so. */
export function handlerOf({ handlers }: Pick<Backend, 'handlers'>, { id }: Operation): AnyHandler {
  return handlers[id as OperationId] as unknown as AnyHandler
}

/** A handler for every operation, each made in the same way. */
export function handlersMadeBy(make: (operation: Operation) => AnyHandler): Handlers {
  return Object.fromEntries(allOperations.map((operation) => [operation.id, make(operation)])) as Record<
    string,
    AnyHandler
  > &
    Handlers
}

/** One row of the audit log. It names the data that was read or written, never its content. */
export interface AuditRow {
  /** ISO 8601, UTC. */
  at: string
  clinic_id: string
  key_id: string
  operation: string
  surface: 'rest' | 'mcp' | 'file'
  /** Ids of the resources in the answer, at most 100. */
  resource_ids: readonly string[]
  /** All patients whose data left or changed, each once. A gateway of an earlier version does not tell them. */
  patient_ids?: readonly string[]
  /** Why the request was refused. Absent for an answer below 400, and from a gateway of an earlier version. */
  problem?: ProblemSlug
  /** The scope that the key lacked. */
  required_scope?: string
  /** The number of resources in the answer. */
  count: number
  status: number
  request_id: string
  address: string
  /** Whole milliseconds until the answer was ready. A gateway of an earlier version does not tell it, nor does a feed that may wait. */
  duration_ms?: number
}

/** The part of an audit row that names an answer's rows. */
export type Audited = Readonly<Required<Pick<AuditRow, 'resource_ids' | 'patient_ids' | 'count'>>>

/** The content of a signed file link. */
export interface FileReference {
  clinic_id: string
  key_id: string
  file_id: string
}

/** A byte range like `Range`, both ends included. `last` null means to the end, `first` null means the last `last` bytes. */
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
      /** Whose file it is. A backend of an earlier version does not tell them. */
      patient_ids?: readonly string[]
    }
  /** The range lies outside the file. Whoever asked learns that the patients’ file is there, and its size. */
  | { state: 'unsatisfiable'; size_bytes: number; patient_ids?: readonly string[] }
  | { state: 'missing' }
  /** The key that requested the link is revoked or expired. */
  | { state: 'revoked' }
  /** The key may be used from other addresses alone. */
  | { state: 'elsewhere' }

export interface Backend {
  /** Finds the principal of a key by the key's SHA-256 in hex. Null if there is no such key, or if it has expired or was revoked. */
  authenticate(keyHash: string): Promise<Principal | null>
  readonly handlers: Handlers
  /**
   * Does a write of `rehearsedOperations` as its handler does, and keeps nothing of it: answers what that would answer, and refuses what it would refuse.
   * Null from a backend that cannot.
   */
  readonly rehearse?: AnyHandler
  /**
   * Stores rows, in order, before it resolves: they outlive every process of the backend. Rows about writes and refusals are on disk by then.
   * A power cut may undo those about reads that were answered within the last second.
   */
  audit(rows: readonly AuditRow[]): Promise<void>
  /** @param address where the client asks from. A gateway of an earlier version does not tell it. */
  openFile(file: FileReference, range: ByteRange | null, address?: string | null): Promise<OpenedFile>
  /** Answers apps that want tokens, or end them. A backend to which no app can be connected has none. */
  readonly answerApp?: AnswerApp
  /** Resolves when the backend can answer. @throws when it cannot. */
  ready(): Promise<void>
}
