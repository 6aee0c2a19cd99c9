// A paginated list, walked by rows or by pages.

import type { PageMeta } from '@clinic-data/contract/page-meta'

/** The common fields of every page. */
export interface PageOf<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
  /** Only on an empty page whose filters name an id that the clinic does not have. */
  readonly meta?: PageMeta
}

/**
 * Sends nothing until it is walked. Each walk starts again.
 *
 * @example
 * for await (const patient of client.patients.list({ query: 'Levi' })) console.log(patient.id)
 * const { data, next_cursor } = await client.patients.list({ limit: 10 }).page()
 */
export class Pages<Row, Page extends PageOf<Row>> implements AsyncIterable<Row> {
  readonly #ask: (cursor: string | undefined) => Promise<Page>

  constructor(ask: (cursor: string | undefined) => Promise<Page>) {
    this.#ask = ask
  }

  /** One page: the first, or the one that the input's `cursor` names. */
  page(): Promise<Page> {
    return this.#ask(undefined)
  }

  /** All pages from that one on. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#ask(cursor)
      yield page
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /** The rows of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}
