import type { OperationTypes } from './generated/methods.js';
import type { OperationId } from './operation-record.js';
/** An operation's query parameters, or the fields of its body. */
export type InputOf<I extends OperationId> = OperationTypes[I]['input'];
/** The result of an operation: `{ data }`, `{ data, next_cursor }`, or nothing for a deletion. */
export type OutputOf<I extends OperationId> = OperationTypes[I]['output'];
/** The result under `response_format: 'detailed'`. */
export type DetailedOutputOf<I extends OperationId> = OperationTypes[I]['detailed'];
