// Types what a method takes and answers, by its operation's id.
import type { OperationTypes } from './generated/methods.ts'
import type { OperationId } from './operation-record.ts'

/** An operation's query parameters, or the fields of its body. */
export type InputOf<I extends OperationId> = OperationTypes[I]['input']

/** The result of an operation: `{ data }`, `{ data, next_cursor }`, or nothing for a deletion. */
export type OutputOf<I extends OperationId> = OperationTypes[I]['output']

/** The result under `response_format: 'detailed'`. */
export type DetailedOutputOf<I extends OperationId> = OperationTypes[I]['detailed']
