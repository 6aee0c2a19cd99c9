// Makes a wrong backend from the reference: changes the requests, the answers or the lists of some operations.
import { type Backend, type CallContext, Grant, type Position } from '@clinic-data/contract'
import type { UnknownValues } from '@clinic-data/contract/page-meta'

export type Row = Readonly<Record<string, unknown>>

export interface Input {
  params: Record<string, string>
  query: Record<string, unknown> & { limit: number; after: Position | null }
  body: Record<string, unknown>
  idempotency_key: string | null
}

export interface AnyAnswer {
  data: unknown
  next?: Position | null
  resume?: Position
  unknown_ids?: readonly string[]
  unknown_values?: readonly UnknownValues[]
  status?: number
}

export type AnyHandler = (grant: Grant, input: Input, context: CallContext) => Promise<AnyAnswer>

/** Makes a backend wrong in one place. */
export type Wrap = (backend: Backend) => Backend

/** Replaces the handlers of operations by handlers made from them. Operations that are not served stay so. */
export function handled(ids: string | readonly string[], make: (own: AnyHandler) => AnyHandler): Wrap {
  return (backend) => {
    const handlers = backend.handlers as unknown as Record<string, AnyHandler>
    const wrong = [ids].flat().flatMap((id) => (handlers[id] ? [[id, make(handlers[id])] as const] : []))
    return { ...backend, handlers: { ...backend.handlers, ...Object.fromEntries(wrong) } }
  }
}

/** Changes the query of each request. */
export function asking(ids: string | readonly string[], change: (query: Input['query']) => object): Wrap {
  return handled(
    ids,
    (own) => (grant, input, context) =>
      own(grant, { ...input, query: { ...input.query, ...change(input.query) } }, context),
  )
}

/** Changes the body of each request. */
export function writing(ids: string | readonly string[], change: (body: Input['body']) => object): Wrap {
  return handled(
    ids,
    (own) => (grant, input, context) =>
      own(grant, { ...input, body: { ...input.body, ...change(input.body) } }, context),
  )
}

/** Changes each row of the answers. */
export function answering(ids: string | readonly string[], change: (row: Row) => object): Wrap {
  return handled(ids, (own) => async (...args) => {
    const answer = await own(...args)
    const { data } = answer
    return { ...answer, data: Array.isArray(data) ? data.map(change) : change(data as Row) }
  })
}

interface Relisting {
  /** Limits the change to requests with such a query. */
  when?: (query: Input['query']) => boolean
  rows?: (rows: Row[]) => Row[]
  /** Where the next page begins, after the page that ends before `end`. */
  begins?: (end: number) => number
  position?: (begins: number, grant: Grant) => Position
  /** Where a page begins, and the grant to read it with. */
  opened?: (after: Position, grant: Grant) => [begins: number, grant: Grant]
}

/** Reads the whole list, then answers it with other pages, another order or other rows. */
export function relisted(ids: string | readonly string[], relisting: Relisting): Wrap {
  const {
    when = () => true,
    rows: change = (rows) => rows,
    begins = (end) => end,
    position = (at) => [String(at)],
    opened = ([at], grant) => [Number(at), grant],
  } = relisting
  return handled(ids, (own) => async (grant, input, context) => {
    const { limit, after } = input.query
    if (!when(input.query)) return own(grant, input, context)
    const [begin, by] = after === null ? ([0, grant] as const) : opened(after, grant)
    const rows = change(await wholeList(own, by, input, context))
    const end = begin + limit
    return { data: rows.slice(begin, end), next: end < rows.length ? position(begins(end), by) : null }
  })
}

async function wholeList(own: AnyHandler, grant: Grant, input: Input, context: CallContext): Promise<Row[]> {
  const rows: Row[] = []
  let after: Position | null = null
  do {
    const answer: AnyAnswer = await own(grant, { ...input, query: { ...input.query, limit: 100, after } }, context)
    rows.push(...(answer.data as Row[]))
    after = answer.next ?? null
  } while (after !== null)
  return rows
}

/** Makes the same grant for another clinic, which no backend may do. */
export function grantFor(grant: Grant, clinic: Grant['clinic']): Grant {
  return Grant.authorize({ ...grant.principal, clinic }, grant.operation)
}
