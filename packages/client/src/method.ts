// The types of a method's arguments and result, inferred from the contract's schemas without loading them.
import type { Operations } from '@clinic-data/contract/operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import type { EventEnvelope } from './event-envelope.ts'
import type { OperationId } from './operation-record.ts'
import type { PageOf, Pages } from './pages.ts'
import type { RequestOptions } from './request.ts'

type Of<Schema> = NonNullable<Schema> extends TSchema ? Static<NonNullable<Schema>> : never
type None = Record<string, never>
type OrNone<T> = keyof T extends never ? None : T

/** An operation's query parameters, or the fields of its body. */
export type InputOf<I extends OperationId> = keyof Of<Operations[I]['body']> extends never
  ? OrNone<Of<Operations[I]['query']>>
  : Of<Operations[I]['body']>

/** The result of an operation: `{ data }`, `{ data, next_cursor }`, or nothing for a deletion. */
export type OutputOf<I extends OperationId> = Operations[I]['shape'] extends 'none'
  ? undefined
  : I extends 'events.list'
    ? Typed<Of<Operations[I]['output']>>
    : Of<Operations[I]['output']>

/** The contract leaves an event's `data` open. Its `type` determines it. */
type Typed<Feed> = Omit<Feed, 'data'> & { data: EventEnvelope[]; next_cursor: string | null }

/** The result under `response_format: 'detailed'`. */
export type DetailedOutputOf<I extends OperationId> = Of<Operations[I]['detailed']>

type Answers<I extends OperationId, Output> = Operations[I]['shape'] extends 'page'
  ? Output extends PageOf<infer Row>
    ? Pages<Row, Output>
    : never
  : Promise<Output>

/** An input without required fields may be omitted. */
type Arguments<I extends OperationId, Ids extends string[]> =
  None extends InputOf<I>
    ? [...ids: Ids, input?: InputOf<I>, options?: RequestOptions]
    : [...ids: Ids, input: InputOf<I>, options?: RequestOptions]

/**
 * Takes the ids of the path in order, then the query or body as one object, then options. A list returns `Pages`: `for await` walks
 * the rows of all pages, `.page()` asks for one.
 */
export type Method<I extends OperationId, Ids extends string[]> = 'response_format' extends keyof InputOf<I>
  ? {
      (
        ...args: [...ids: Ids, input: InputOf<I> & { response_format: 'detailed' }, options?: RequestOptions]
      ): Answers<I, DetailedOutputOf<I>>
      (...args: Arguments<I, Ids>): Answers<I, OutputOf<I>>
    }
  : (...args: Arguments<I, Ids>) => Answers<I, OutputOf<I>>
