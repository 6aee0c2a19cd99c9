// What the method of an operation takes and answers: inferred from the contract's schemas, of which nothing is loaded.
import type { Operations } from '@clinic-data/contract/operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import type { EventEnvelope } from './event-envelope.ts'
import type { OperationId } from './operation-record.ts'
import type { PageOf, Pages } from './pages.ts'
import type { RequestOptions } from './request.ts'

type Of<Schema> = NonNullable<Schema> extends TSchema ? Static<NonNullable<Schema>> : never
type None = Record<string, never>
type OrNone<T> = keyof T extends never ? None : T

/** The query parameters, or the fields of the body, of an operation. */
export type InputOf<I extends OperationId> = keyof Of<Operations[I]['body']> extends never
  ? OrNone<Of<Operations[I]['query']>>
  : Of<Operations[I]['body']>

/** What an operation answers: `{ data }`, `{ data, next_cursor }`; nothing for a deletion. */
export type OutputOf<I extends OperationId> = Operations[I]['shape'] extends 'none'
  ? undefined
  : I extends 'events.list'
    ? Typed<Of<Operations[I]['output']>>
    : Of<Operations[I]['output']>

/** The contract leaves an event's `data` open; its `type` says what it is. */
type Typed<Feed> = Omit<Feed, 'data'> & { data: EventEnvelope[]; next_cursor: string | null }

/** The same under `response_format: 'detailed'`. */
export type DetailedOutputOf<I extends OperationId> = Of<Operations[I]['detailed']>

type Answers<I extends OperationId, Output> = Operations[I]['shape'] extends 'page'
  ? Output extends PageOf<infer Row>
    ? Pages<Row, Output>
    : never
  : Promise<Output>

/** An input without a required field may be left out. */
type Arguments<I extends OperationId, Ids extends string[]> =
  None extends InputOf<I>
    ? [...ids: Ids, input?: InputOf<I>, options?: RequestOptions]
    : [...ids: Ids, input: InputOf<I>, options?: RequestOptions]

/**
 * The ids of the path in their order, then the query or the body as one object, then options. A list answers `Pages`:
 * `for await` walks the rows of all pages, `.page()` asks for one.
 */
export type Method<I extends OperationId, Ids extends string[]> = 'response_format' extends keyof InputOf<I>
  ? {
      (
        ...args: [...ids: Ids, input: InputOf<I> & { response_format: 'detailed' }, options?: RequestOptions]
      ): Answers<I, DetailedOutputOf<I>>
      (...args: Arguments<I, Ids>): Answers<I, OutputOf<I>>
    }
  : (...args: Arguments<I, Ids>) => Answers<I, OutputOf<I>>
