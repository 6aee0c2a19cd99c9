// The facts about an operation that the client needs to call it. The contract's schemas stay at the service.

/** `patients.list`, `webhooks.deliveries.retry`: the ids of the contract. */
export type { OperationId } from '@clinic-data/contract/operations'

export interface OperationRecord {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/v1/${string}`
  readonly shape: 'page' | 'bounded' | 'one' | 'link' | 'none'
  /** The effect of asking twice: none for a read, none for a write under the same `Idempotency-Key`, or the same change again. */
  readonly effect: 'none' | 'once a key' | 'each time'
}
