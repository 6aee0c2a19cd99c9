import type { EventData, EventType } from './generated/resources.js';
type EnvelopeOf<T extends EventType> = {
    /** The same on every attempt: use it to deduplicate. */
    id: string;
    /** What happened. It determines the type of `data`. */
    type: T;
    /** ISO 8601 with the clinic's offset. */
    created_at: string;
    /** The resource as GET returns it. */
    data: EventData[T];
    /** True on test events only. */
    test?: boolean;
};
/**
 * An event of any type. Comparing `type` narrows `data`. A subscription to every type also receives types of later versions, which
 * this type does not name: end a `switch` with a default that answers 2xx.
 */
export type EventEnvelope = {
    [T in EventType]: EnvelopeOf<T>;
}[EventType];
export {};
