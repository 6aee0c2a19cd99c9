// What the client has to know of an operation to ask for it: the contract's schemas stay at the service.

/** `patients.list`, `webhooks.deliveries.retry`: the ids of the contract. */
export type { OperationId } from '@clinic-data/contract/operations'

export interface OperationRecord {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/v1/${string}`
  readonly shape: 'page' | 'bounded' | 'one' | 'link' | 'none'
  /** What asking twice does: nothing, for a read; nothing more, for a write under one `Idempotency-Key`; the same again. */
  readonly effect: 'none' | 'once a key' | 'each time'
}
