import type { EventEnvelope } from './event-envelope.js';
/** The tolerance of Standard Webhooks, for clocks that differ and slow networks. */
export declare const TOLERANCE_SECONDS = 300;
/** `Headers`, Node's `request.headers`, a plain object, a `Map`, or a list of pairs. Names may be in any case. */
export type WebhookHeaders = Iterable<readonly [string, string]> | Readonly<Record<string, string | readonly string[] | undefined>>;
export interface ReceivedWebhook {
    /** The secret from the answer that created the subscription or rotated the secret. Give both while you rotate them. */
    readonly secret: string | readonly string[];
    readonly headers: WebhookHeaders;
    /** The raw body, before any parsing. */
    readonly body: string | Uint8Array;
    readonly now?: Date | undefined;
    /** The largest allowed difference between the signed timestamp and `now`. Default: 300. */
    readonly toleranceSeconds?: number | undefined;
    /** Refuses deliveries without the headers of Standard Webhooks: `X-Service-Signature` alone does not cover its timestamp. */
    readonly requireSignedTimestamp?: boolean | undefined;
    /** @deprecated The name of `toleranceSeconds` in 0.2.0. */
    readonly tolerance_seconds?: number | undefined;
    /** @deprecated The name of `requireSignedTimestamp` in 0.2.0. */
    readonly require_signed_timestamp?: boolean | undefined;
}
export type WebhookFault = 
/** A header that a signature needs is missing. */
'header_missing'
/** The body, id or timestamp was changed, or another secret signed it. */
 | 'signature_mismatch' | 'timestamp_too_old' | 'timestamp_too_new'
/** Signed, but not an event. */
 | 'body_malformed'
/** Signed, but a header names another event than the body. */
 | 'event_mismatch';
/** The delivery cannot be trusted: answer 400 and do nothing. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
    readonly reason: WebhookFault;
    constructor(reason: WebhookFault);
}
/**
 * Returns the event of a delivery after checking its signatures: `webhook-signature` and `X-Service-Signature`, whichever are
 * present. A delivery can arrive twice: deduplicate on the event's `id`.
 *
 * @throws WebhookVerificationError with a `reason`; TypeError when the secret or the body has an impossible form, or an option has another name.
 * @example
 * const event = verifyWebhook({ secret, headers: request.headers, body: await request.text() })
 * if (event.type === 'patient.created') console.log(event.data.id)
 */
export declare function verifyWebhook(received: ReceivedWebhook): EventEnvelope;
