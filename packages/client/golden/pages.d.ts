import type { Warning } from './generated/resources.js';
/** One page of a list. */
export interface PageOf<Row> {
    /** The rows of this page. */
    data: Row[];
    /** Send it back as `cursor` for the next page. Null on the last page. */
    next_cursor: string | null;
    /** Only on an empty page whose filters name an id that the clinic does not have. */
    meta?: {
        /** One for each such filter. */
        warnings: Warning[];
    };
}
/** Tells what the service warns of beside a whole list or the figures of a query: a program reads these, and no `meta`. */
export declare function tellWarnings(body: unknown, onWarning?: (warning: Warning) => void): void;
/** The contract's largest page. Whoever wants a second page walks, and a walk is limited by the number of its requests. */
export declare const MOST_ROWS = 100;
/**
 * Sends nothing until it is awaited or walked. `await` asks for one page: the first, or the one that the input's `cursor` names. The
 * page that came is kept: awaiting again asks nothing, and walks begin with it. Without one, each walk starts again.
 *
 * @example
 * const { data, next_cursor } = await client.patients.list({ limit: 10 })
 * for await (const patient of client.patients.list({ query: 'Levi' })) console.log(patient.id)
 */
export declare class Pages<Row, Page extends PageOf<Row> = PageOf<Row>> implements PromiseLike<Page>, AsyncIterable<Row> {
    #private;
    constructor(ask: (cursor: string | undefined) => Promise<Page>, onWarning?: (warning: Warning) => void);
    /** Asks for the page, now and each time. */
    page(): Promise<Page>;
    /** What `await` calls. */
    then<Value = Page, Instead = never>(onPage?: ((page: Page) => Value | PromiseLike<Value>) | null, onError?: ((reason: unknown) => Instead | PromiseLike<Instead>) | null): Promise<Value | Instead>;
    /** Like a promise's. */
    catch<Instead = never>(onError?: ((reason: unknown) => Instead | PromiseLike<Instead>) | null): Promise<Page | Instead>;
    /** Like a promise's. */
    finally(onEnd?: (() => void) | null): Promise<Page>;
    /** All pages from that one on. */
    pages(): AsyncGenerator<Page, void, undefined>;
    /** The rows of all pages. What the service warns of goes to the client's `onWarning`, each text once. */
    [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>;
}
