import { type Fetch } from './attempt.js';
import { type TokenSource } from './bearer.js';
import { type ClinicDataError } from './errors.js';
import type { Resources } from './generated/methods.js';
import type { Warning } from './generated/resources.js';
import type { OutputOf } from './method.js';
import type { OperationId } from './operation-record.js';
import { type PageOf, Pages } from './pages.js';
import type { Answer, RequestInput, SendInput } from './request.js';
export interface ClientOptions {
    /**
     * `sk_live_…`. It belongs on servers, never in a browser or a mobile app. Undefined (an unset environment variable, say) is
     * refused, unless there is a `token`.
     */
    readonly apiKey?: string | undefined;
    /**
     * In place of a key: answers the access token of a clinic that has connected your app. It is called before each attempt, and once
     * more with the refused token after a 401.
     */
    readonly token?: TokenSource | undefined;
    /** The service's address: https, or http to this machine. */
    readonly baseUrl: string | undefined;
    /** Replaces the runtime's own `fetch`, for a proxy or for tests. */
    readonly fetch?: Fetch | undefined;
    /** Time for the whole answer of each attempt. Default: 30,000. */
    readonly timeoutMs?: number | undefined;
    /** Repeats of one call after a temporary failure. Default: 3. */
    readonly maxRetries?: number | undefined;
    /**
     * Is told that a filter names an id that the clinic does not have: of a list whose rows are walked (once a walk), of a whole list
     * and of a query. Default: `console.warn`. Whoever awaits a page finds it in `meta.warnings`, where the others have it too.
     */
    readonly onWarning?: ((warning: Warning) => void) | undefined;
    /** Waits before a repeat, which follows the error. A test need not wait. */
    readonly pause?: ((ms: number, signal: AbortSignal | undefined, error: ClinicDataError) => Promise<void>) | undefined;
}
/** The methods are made from the table. This type tells the compiler about them. */
declare const WithResources: new () => Resources;
/**
 * The Clinic Data API with one key, or as an app that a clinic has connected.
 *
 * A method takes the ids of its path, then its query or body as one object, then options. It returns the body as the reference
 * shows it. Fields keep the contract's spelling.
 *
 * @example
 * const client = new ClinicDataClient({ apiKey, baseUrl })
 * const { data: patients } = await client.patients.list({ limit: 10 })
 * for await (const patient of client.patients.list({ query: 'Levi' })) console.log(patient.first_name)
 * const { data: payment } = await client.payments.create('p1042', { amount: 350, method_type: 'cash', billing_account_id: 'main' })
 */
export declare class ClinicDataClient extends WithResources {
    #private;
    /** @throws TypeError for a malformed key, neither key nor token source, an address that is not https, or an unknown option. */
    constructor(options: ClientOptions);
    /**
     * Calls any operation by its id, with the request's parts by the contract's names. Returns status and headers too. Repeats after
     * a temporary failure (429, 500, 502, 503, a broken connection) where that is safe: reads, and writes with an `Idempotency-Key`.
     *
     * @throws ClinicDataError, or the reason of `signal`; TypeError for an unknown operation or option, an impossible id, null in the query, or a
     * number that is none.
     * @example
     * const { status, body, request_id } = await client.request('leads.create', { body: { first_name: 'Dana', … } })
     */
    request<I extends OperationId>(operation: I, input?: RequestInput): Promise<Answer<OutputOf<I>>>;
    request(operation: string, input?: RequestInput): Promise<Answer>;
    /**
     * Sends any request, by method and path with its query. A POST gets an `Idempotency-Key`. Repeated like the operation that has
     * this method and path. What no operation has is repeated only as a read.
     *
     * @throws ClinicDataError, or the reason of `signal`; TypeError for a path that does not begin with `/`.
     * @example
     * const { body } = await client.send('GET', '/v1/patients?limit=2')
     */
    send(method: string, path: string, input?: SendInput): Promise<Answer>;
    /** Reads the pages of a paginated operation by its id, like the list methods. */
    pages(operation: string, input?: RequestInput): Pages<unknown, PageOf<unknown>>;
}
export {};
