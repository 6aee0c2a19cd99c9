// A paginated list: awaited as a page, or walked by rows or by pages.

import type { Warning } from './generated/resources.ts'

/** One page of a list. */
export interface PageOf<Row> {
  /** The rows of this page. */
  data: Row[]
  /** Send it back as `cursor` for the next page. Null on the last page. */
  next_cursor: string | null
  /** Only on an empty page whose filters name an id that the clinic does not have. */
  meta?: {
    /** One for each such filter. */
    warnings: Warning[]
  }
}

/** Whoever walks rows sees no page, and an empty walk would end in silence. */
function warnOnConsole(warning: Warning): void {
  console.warn(warningText(warning))
}

/** Tells what the service warns of beside a whole list or the figures of a query: a program reads these, and no `meta`. */
export function tellWarnings(body: unknown, onWarning: (warning: Warning) => void = warnOnConsole): void {
  const { meta } = (body ?? {}) as Partial<PageOf<unknown>>
  for (const warning of meta?.warnings ?? []) onWarning(warning)
}

function warningText({ parameter, detail }: Warning): string {
  return `${parameter} ${detail}`
}

/** The contract's largest page. Whoever wants a second page walks, and a walk is limited by the number of its requests. */
export const MOST_ROWS = 100

/**
 * Sends nothing until it is awaited or walked. `await` asks for one page: the first, or the one that the input's `cursor` names. The
 * page that came is kept: awaiting again asks nothing, and walks begin with it. Without one, each walk starts again.
 *
 * @example
 * const { data, next_cursor } = await client.patients.list({ limit: 10 })
 * for await (const patient of client.patients.list({ query: 'Levi' })) console.log(patient.id)
 */
export class Pages<Row, Page extends PageOf<Row> = PageOf<Row>> implements PromiseLike<Page>, AsyncIterable<Row> {
  readonly #ask: (cursor: string | undefined) => Promise<Page>
  readonly #onWarning: (warning: Warning) => void
  /** The awaited page, or the request for it. */
  #awaited: Promise<Page> | undefined
  /** The request for the first page, while it is on its way. */
  #firstPage: Promise<Page> | undefined

  constructor(
    ask: (cursor: string | undefined) => Promise<Page>,
    onWarning: (warning: Warning) => void = warnOnConsole,
  ) {
    this.#ask = ask
    this.#onWarning = onWarning
  }

  /** Asks for the page, now and each time. */
  page(): Promise<Page> {
    return this.#ask(undefined)
  }

  /** What `await` calls. */
  // biome-ignore lint/suspicious/noThenProperty: it is awaited on purpose.
  then<Value = Page, Instead = never>(
    onPage?: ((page: Page) => Value | PromiseLike<Value>) | null,
    onError?: ((reason: unknown) => Instead | PromiseLike<Instead>) | null,
  ): Promise<Value | Instead> {
    this.#awaited ??= this.#kept()
    return this.#awaited.then(onPage, onError)
  }

  /** Like a promise's. */
  catch<Instead = never>(
    onError?: ((reason: unknown) => Instead | PromiseLike<Instead>) | null,
  ): Promise<Page | Instead> {
    return this.then(null, onError)
  }

  /** Like a promise's. */
  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd)
  }

  /** All pages from that one on. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await (this.#awaited ?? this.#first())
    for (;;) {
      yield page
      if (page.next_cursor === null) return
      page = await this.#ask(page.next_cursor)
    }
  }

  /** The rows of all pages. What the service warns of goes to the client's `onWarning`, each text once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const texts = new Set<string>()
    for await (const { data, meta } of this.pages()) {
      for (const warning of meta?.warnings ?? []) {
        if (!texts.has(warningText(warning))) this.#onWarning(warning)
        texts.add(warningText(warning))
      }
      yield* data
    }
  }

  /** Those who want the first page at once share a request. */
  #first(): Promise<Page> {
    this.#firstPage ??= this.#ask(undefined).finally(() => {
      this.#firstPage = undefined
    })
    return this.#firstPage
  }

  /** A request that failed is not kept: awaiting again asks again. */
  #kept(): Promise<Page> {
    return this.#first().catch((error) => {
      this.#awaited = undefined
      throw error
    })
  }
}
