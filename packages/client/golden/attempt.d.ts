import { type ClinicDataError } from './errors.js';
import type { Answer } from './request.js';
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export interface PreparedRequest {
    readonly fetch: Fetch;
    readonly url: string;
    readonly init: RequestInit;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
    /** The key or the token. It is never part of an error. */
    readonly secret: string;
}
/** An answer whose status is not a success. */
export interface Failure {
    readonly error: ClinicDataError;
    readonly retryAfterMs: number | null;
}
/** @throws only the reason of the caller's signal. */
export declare function attempt(request: PreparedRequest): Promise<Answer | Failure>;
