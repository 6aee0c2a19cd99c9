// The tools that make a wrong backend of the right one: one operation asked or answered otherwise, one list told anew.
import { type Backend, type CallContext, Grant, type Position } from '@clinic-data/contract'

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
  status?: number
}

export type AnyHandler = (grant: Grant, input: Input, context: CallContext) => Promise<AnyAnswer>

/** A backend made wrong in one place. */
export type Wrap = (backend: Backend) => Backend

/** Operations with other handlers, made of their own; one that is not served stays so. */
export function handled(ids: string | readonly string[], make: (own: AnyHandler) => AnyHandler): Wrap {
  return (backend) => {
    const handlers = backend.handlers as unknown as Record<string, AnyHandler>
    const wrong = [ids].flat().flatMap((id) => (handlers[id] ? [[id, make(handlers[id])] as const] : []))
    return { ...backend, handlers: { ...backend.handlers, ...Object.fromEntries(wrong) } }
  }
}

/** Asked with another query. */
export function asking(ids: string | readonly string[], change: (query: Input['query']) => object): Wrap {
  return handled(
    ids,
    (own) => (grant, input, context) =>
      own(grant, { ...input, query: { ...input.query, ...change(input.query) } }, context),
  )
}

/** Asked with another body. */
export function writing(ids: string | readonly string[], change: (body: Input['body']) => object): Wrap {
  return handled(
    ids,
    (own) => (grant, input, context) =>
      own(grant, { ...input, body: { ...input.body, ...change(input.body) } }, context),
  )
}

/** Answered with other rows. */
export function answering(ids: string | readonly string[], change: (row: Row) => object): Wrap {
  return handled(ids, (own) => async (...given) => {
    const answer = await own(...given)
    const { data } = answer
    return { ...answer, data: Array.isArray(data) ? data.map(change) : change(data as Row) }
  })
}

interface Relisting {
  /** Only where this is true of the query. */
  when?: (query: Input['query']) => boolean
  rows?: (rows: Row[]) => Row[]
  /** Where the page after the one that ends before `end` begins. */
  begins?: (end: number) => number
  position?: (begins: number, grant: Grant) => Position
  /** Where a page begins, and by whose grant. */
  opened?: (after: Position, grant: Grant) => [begins: number, grant: Grant]
}

/** A list read whole and told anew: in other pages, in another order, with other rows. */
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

/** The same permission for another clinic: what no backend may make. */
export function grantFor(grant: Grant, clinic: Grant['clinic']): Grant {
  return Grant.authorize({ ...grant.principal, clinic }, grant.operation)
}
