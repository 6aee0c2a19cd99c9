import type { OperationTypes } from './generated/methods.js';
/** `patients.list`, `webhooks.deliveries.retry`: the ids of the contract. */
export type OperationId = keyof OperationTypes;
export interface OperationRecord {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    readonly path: `/v1/${string}`;
    readonly shape: 'page' | 'bounded' | 'one' | 'link' | 'none';
    /** The effect of asking twice: none under the same `Idempotency-Key`, the same change again, or none. A read has none. */
    readonly effect?: 'once a key' | 'each time' | 'repeatable';
}
