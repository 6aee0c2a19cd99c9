// Reads a command's pages one after the other, up to the limit.
import { PAGE } from '@clinic-data/contract/limits'
import type { PageMeta } from '@clinic-data/contract/page-meta'
import type { Value } from '../command-line/option-value.ts'

/** The body of an operation's answer. `data` is a list or one resource. */
export interface Body {
  readonly data: unknown
  readonly next_cursor?: string | null
  readonly meta?: PageMeta
}

/** Asks for one page. */
export type AskPage = (query: Readonly<Record<string, Value>>) => Promise<Body>

export interface Walk {
  /** The maximum number of rows. */
  readonly max: number
}

/**
 * Every page from the query's cursor on, as large as allowed unless the query says otherwise. The last request asks for exactly the
 * rows still wanted, so that its `next_cursor` follows the last row shown.
 */
export async function* walkPages(
  ask: AskPage,
  query: Readonly<Record<string, Value>>,
  { max }: Walk,
): AsyncGenerator<Body> {
  const limit = Number(query.limit ?? PAGE.max)
  let cursor = query.cursor
  for (let left = max; left > 0; ) {
    const body = await ask({ ...query, limit: Math.min(limit, left), ...(cursor === undefined ? {} : { cursor }) })
    yield body
    left -= itemsOf(body)
    if (typeof body.next_cursor !== 'string') return
    cursor = body.next_cursor
  }
}

export function itemsOf({ data }: Body): number {
  return Array.isArray(data) ? data.length : 1
}

/** Counts what was printed so far. */
export class Tally {
  items = 0
  next_cursor: string | null = null

  /** Counts the pages that pass. */
  async *count(pages: AsyncIterable<Body>): AsyncGenerator<Body> {
    for await (const body of pages) {
      this.items += itemsOf(body)
      this.next_cursor = body.next_cursor ?? null
      yield body
    }
  }
}
