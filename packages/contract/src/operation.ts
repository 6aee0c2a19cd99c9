// The form of an operation record: all that REST, OpenAPI, tools, commands, clients and the rule tests need to know of an operation.
import type { Finding } from './input/findings.ts'
import type { About } from './input/formats.ts'
import { MAX, PAGE } from './limits.ts'
import { PageMeta, type UnknownValues } from './page-meta.ts'
import type { PatientPlace, PlaceIn } from './patients-of.ts'
import type { ProblemSlug } from './problems.ts'
import {
  Id,
  list,
  nullable,
  object,
  type Static,
  strictObject,
  type TObject,
  type TSchema,
  Type,
  text,
} from './schema/schema.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export const takesBody = (method: Method): boolean => method === 'POST' || method === 'PATCH'

/** The kinds of ids, each with the list whose rows have such ids, by the id of its operation. */
export const idLists = {
  patient: 'patients.list',
  appointment: 'appointments.list',
  treatment: 'treatments.list',
  payment: 'payments.list',
  call: 'calls.list',
  conversation: 'chat.conversations.list',
  message: 'chat.messages.list',
  branch: 'catalog.branches.list',
  provider: 'catalog.providers.list',
  status: 'catalog.appointment_statuses.list',
  lead: 'leads.list',
  webhook: 'webhooks.list',
  delivery: 'webhooks.deliveries.list',
} as const

export type IdKind = keyof typeof idLists

/** An id of each kind in documented examples: that of the list's example row. */
export const exampleIds: Readonly<Record<IdKind, string>> = {
  patient: 'p1042',
  appointment: 'a88012',
  treatment: 't5501',
  payment: 'pay9001',
  call: 'c7710',
  conversation: 'conv310',
  message: 'out_70412',
  branch: 'haifa',
  provider: 'dr-cohen',
  status: 'confirmed',
  lead: 'l301',
  webhook: 'wh31',
  delivery: 'dlv901',
}

/**
 * The order of a list's rows. Rows without the field come last. Rows with equal values are ordered by id, in the same direction.
 */
export interface ListOrder<Field extends string = string> {
  readonly by: Field
  readonly kind: 'instant' | 'text' | 'id'
  readonly direction: 'ascending' | 'descending'
}

/** The answer to a filter by an unknown id: an empty list that says so, one that does not (the id may be one of many kinds), or 404. */
export type UnknownIdAnswer = 'empty' | 'untold' | 'not-found'

export interface Operation {
  /** `resource.action`. It is part of the contract: renaming one breaks clients. */
  readonly id: string
  readonly method: Method
  readonly path: `/v1/${string}`
  readonly scope: Scope | null
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** None, one change for each `Idempotency-Key` (which it then takes), a change each time, or the same state each time. */
  readonly effect: 'none' | 'once a key' | 'each time' | 'repeatable'
  /** The kind of id in each path parameter. */
  readonly ids: Readonly<Record<string, IdKind>>
  /** Path parameters, one for each of `ids`. A malformed one answers 404. */
  readonly params: TObject
  readonly query: TObject
  /** One entry for each filter by an id. */
  readonly unknownIds: Readonly<Record<string, UnknownIdAnswer>>
  /** Filters that earlier backends do not know, each with the scope that it needs besides the operation's own (`input/added-filters.ts`). */
  readonly addedFilters?: Readonly<Record<string, Scope | null>>
  readonly body?: TObject
  /** Filters in the body by an id. An answer may say which of their values are the id of nothing. */
  readonly idFilters?: readonly string[]
  /** Faults of a body beyond its schema. Reveals nothing that the key's scopes do not open. */
  readonly checkBody?: (body: unknown, may: (scope: Scope) => boolean, about: About) => Finding[]
  /** The scopes that a faultless body can need in addition to the operation's own. Where either of two does, the one that the key holds. */
  readonly scopesOf?: (body: unknown, may: (scope: Scope) => boolean) => Scope[]
  readonly output: TSchema
  /** The output under `response_format=detailed`. `output` is then the concise one. */
  readonly detailed?: TSchema
  readonly status: 200 | 201 | 202 | 204
  /** A further success status with the same body: a lead or payment that already existed. */
  readonly alsoStatus?: 200
  /**
   * `page` has a cursor, `bounded` is a whole list, `link` is answered by a signed link to a file, and the rest is one resource or
   * nothing.
   */
  readonly shape: 'page' | 'bounded' | 'one' | 'link' | 'none'
  /** The order of a page's rows unless `updated_since` asks for another. A feed is in the order of its events and has no end. */
  readonly order?: ListOrder | 'feed'
  /** Where the resources of the answer name their patients. A parameter of the kind `patient` names one too. */
  readonly patients: PatientPlace
  /** The answer holds text that patients wrote or said: data, never instructions. */
  readonly untrustedText: boolean
  /** Query parameters besides `cursor` and `limit` that may change from page to page, because they filter nothing. */
  readonly unbound?: readonly string[]
  /** The longest period from `from` to `to`, both days included. */
  readonly maxPeriodDays?: number
  /** Problems in addition to those of every request. */
  readonly problems: readonly ProblemSlug[]
  /**
   * The input of the documented example. Its ids are those of the resources' examples, and so are the path's unless `params` names
   * others. `answer` is given where the answer cannot be made from those examples.
   */
  readonly example: Readonly<{
    params?: Record<string, string>
    query?: Record<string, string>
    body?: unknown
    answer?: unknown
  }>
}

type Defaulted = 'effect' | 'status' | 'problems' | 'example'

type Written<Q extends TObject, B extends TObject, O extends TSchema, D extends TSchema> = Omit<
  Operation,
  Defaulted | 'ids' | 'params' | 'query' | 'unknownIds' | 'body' | 'output' | 'detailed' | 'order'
> & { query?: Q; body?: B; output: O; detailed?: D } & Partial<Pick<Operation, 'status' | 'problems' | 'example'>>

/** The parameters in a path. */
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never

/** An answer holds one or many of these. */
type ResourceOf<O extends TSchema> =
  Static<O> extends { data: infer Data } ? (Data extends readonly (infer Row)[] ? Row : Data) : never

type RowOf<O extends TSchema> = Static<O> extends { data: readonly (infer Row)[] } ? Row : never

/** The facts that an operation with this method, path, query and shape must state. No other one may. */
type Facts<M, Path, Q extends TObject, S, O extends TSchema> = (M extends 'GET'
  ? { effect?: never }
  : { effect: Operation['effect'] }) &
  ([ParameterOf<Path>] extends [never] ? unknown : { ids: Readonly<Record<ParameterOf<Path>, IdKind>> }) &
  ([keyof Q['properties'] & `${string}_id`] extends [never]
    ? unknown
    : { unknownIds: Readonly<Record<keyof Q['properties'] & `${string}_id`, UnknownIdAnswer>> }) &
  (S extends 'page' ? { order: ListOrder<keyof RowOf<O> & string> | 'feed' } : unknown) & {
    patients: S extends 'none' ? 'none' : S extends 'link' ? 'beside' : PlaceIn<ResourceOf<O>>
  }

const none = strictObject({})

/** Completes an operation with the defaults and keeps its schemas' types. */
export function operation<
  const I extends string,
  const S extends Operation['shape'],
  const M extends Method,
  const Path extends Operation['path'],
  O extends TSchema,
  const E extends Operation['effect'] = 'none',
  Q extends TObject = typeof none,
  B extends TObject = TObject<Record<never, never>>,
  D extends TSchema = O,
>(written: Written<Q, B, O, D> & { id: I; shape: S; method: M; path: Path; effect?: E } & Facts<M, Path, Q, S, O>) {
  const ids = 'ids' in written ? (written.ids as Operation['ids']) : {}
  const params = strictObject(Object.fromEntries(Object.keys(ids).map((name) => [name, Id])))
  const examples = Object.fromEntries(Object.entries(ids).map(([name, kind]) => [name, exampleIds[kind]]))
  // `satisfies` has checked it. The result keeps the types of what was written, which the defaults would widen.
  return {
    effect: 'none' as const,
    unknownIds: {},
    status: 200 as const,
    problems: [],
    ...written,
    example: { params: examples, ...written.example },
    ids,
    params,
    query: (written.query ?? none) as Q,
  } satisfies Operation as unknown as Omit<
    Operation,
    'id' | 'method' | 'path' | 'shape' | 'effect' | 'params' | 'query' | 'body' | 'output' | 'detailed'
  > & {
    readonly id: I
    readonly method: M
    readonly path: Path
    readonly shape: S
    readonly effect: M extends 'GET' ? 'none' : E
    readonly params: TObject<Record<ParameterOf<Path>, typeof Id>>
    readonly query: Q
    readonly body?: B
    readonly output: O
    readonly detailed?: D
  }
}

/** Returns what the reading operations of one scope share. Each one adds its id and its path. */
export function reading<const Place extends PatientPlace>(
  shared: Pick<Operation, 'scope' | 'tag' | 'untrustedText'> & { patients: Place },
) {
  return <const I extends string, const Path extends Operation['path']>(id: I, path: Path) =>
    ({ ...shared, method: 'GET', id, path }) as const
}

/** `{ data: T }`. */
export function one<T extends TSchema>(resource: T) {
  return object({ data: resource })
}

/** Answers one resource. */
export function answersOne<T extends TSchema, D extends TSchema = T>(resource: T, detailed?: D) {
  return { shape: 'one', output: one(resource), ...(detailed && { detailed: one(detailed) }) } as const
}

/** Answers a signed link to a file. The link holds nothing that patients wrote, and does not name them. */
export function answersLink<T extends TSchema>(link: T) {
  return { shape: 'link', output: one(link), untrustedText: false, patients: 'beside' } as const
}

/** Answers a whole list of limited length: `{ data: T[] }`. */
export function answersList<T extends TSchema>(row: T, maxItems: number = MAX.catalog) {
  return { shape: 'bounded', output: object({ data: list(row, maxItems) }) } as const
}

/** Answers a whole list of limited length that has filters: `{ data: T[], meta? }`. */
export function answersFilteredList<T extends TSchema>(row: T, maxItems: number) {
  const output = object({ data: list(row, maxItems), meta: Type.Optional(PageMeta) })
  return { shape: 'bounded', output } as const
}

/** Answers the pages of a list in this order. */
export function answersPage<T extends TSchema, const Order extends ListOrder, D extends TSchema = T>(
  row: T,
  order: Order,
  detailed?: D,
) {
  return { shape: 'page', order, output: page(row), ...(detailed && { detailed: page(detailed) }) } as const
}

/** `{ data: T[], next_cursor, meta? }`. */
function page<T extends TSchema>(row: T) {
  return object({
    data: list(row, PAGE.max),
    next_cursor: nullable(
      text(MAX.cursor, { description: 'Send back verbatim as `cursor` for the next page; null on the last page.' }),
    ),
    meta: Type.Optional(PageMeta),
  })
}

/** Ordered by a time, the latest first. */
export function latestFirst<const Field extends string>(by: Field) {
  return { by, kind: 'instant', direction: 'descending' } as const
}

export type Position = readonly string[]

/** A handler's input: validated, with defaults filled in, and the cursor opened to the position after which the page begins. */
export interface HandlerInput<O extends Pick<Operation, 'params' | 'query' | 'body'>> {
  readonly params: Static<O['params']>
  readonly query: Omit<Static<O['query']>, 'cursor' | 'limit'> & {
    readonly limit: number
    readonly after: Position | null
  }
  readonly body: O['body'] extends TSchema
    ? Static<O['body']>
    : NonNullable<O['body']> extends TSchema
      ? Static<NonNullable<O['body']>>
      : never
  /** The client's `Idempotency-Key`, or null. */
  readonly idempotency_key: string | null
}

/** A stored file to which a link operation points. The gateway signs the link. */
export interface StoredFile {
  file_id: string
  content_type: string
  file_name: string
  size_bytes: number
}

/** A handler's answer: the data in the shape of the output, and for a page that is not the last the position of its last row. */
export type Answer<O extends Pick<Operation, 'output' | 'shape'>> = O['shape'] extends 'link'
  ? { data: StoredFile; patient_ids: readonly string[] }
  : O['shape'] extends 'page'
    ? { data: Rows<Static<O['output']>>; next: Position | null } & UnknownIds & Resumable<Static<O['output']>>
    : O['shape'] extends 'none'
      ? null
      : O['shape'] extends 'bounded'
        ? Static<O['output']> & UnknownIds
        : Static<O['output']> & {
            status?: 200 | 201
            /** True for the repeated answer of an earlier request with the same `Idempotency-Key`. */
            replayed?: true
            unknown_values?: readonly UnknownValues[]
            patient_ids?: readonly string[]
          }

interface UnknownIds {
  /** Only in an empty list: the filters that name an id which the clinic does not have. */
  unknown_ids?: readonly string[]
}

/** A feed has no last page: its answer always says where reading continues. */
type Resumable<T> = T extends { resume_cursor: string } ? { resume: Position } : unknown

type Rows<T> = T extends { data: infer D } ? D : never
