// Describes what an answer says about the filters of its question: those of an empty list, or of a query, that name an unknown id.
import { MAX } from './limits.ts'
import { list, named, object, type Static, Type, text } from './schema/schema.ts'

/** The most unknown values that are told of one filter. Whoever sent more sees by these what kind of mistake it is. */
export const MOST_TOLD_VALUES = 10

const Warning = named(
  'Warning',
  object({
    parameter: text(MAX.name, { description: 'The query parameter. Of `POST /v1/query` the `field` of the filter.' }),
    code: text(MAX.code, { description: 'Stable: branch on it. `unknown_id` is the only one so far.' }),
    detail: text(MAX.note, { description: 'What is odd about it, in words. The submitted value is never quoted.' }),
    values: Type.Optional(
      list(text(MAX.attribution_value), MOST_TOLD_VALUES, {
        description: `Only of \`POST /v1/query\`: those values of the filter that are the id of nothing, at most ${MOST_TOLD_VALUES}.`,
      }),
    ),
  }),
  {
    parameter: 'branch_id',
    code: 'unknown_id',
    detail: 'is the id of no branch of this clinic: the catalog lists the ids',
  },
)

/** More than any list has filters. */
const MOST_WARNINGS = 20

export const PageMeta = object(
  { warnings: list(Warning, MOST_WARNINGS) },
  { description: 'Only on an empty list whose filters name an id that this clinic does not have.' },
)

export type PageMeta = Static<typeof PageMeta>

/** The same of a query, whose figures may be of the other values of a filter. */
export const QueryMeta = object(
  { warnings: list(Warning, MOST_WARNINGS) },
  { description: 'Only if a filter of the query names an id that this clinic does not have.' },
)

/** A name is easily taken for an id: `no_show` for `no-show`. */
const CATALOGS: ReadonlySet<string> = new Set(['branch', 'provider', 'status'])

/** @param parameter a filter by an id: `branch_id`. */
export function unknownIdWarning(parameter: string): PageMeta['warnings'][number] {
  const kind = parameter.replace(/_id$/, '')
  const way = CATALOGS.has(kind) ? `: ${CATALOG_WAY}` : ''
  return { parameter, code: 'unknown_id', detail: `is the id of no ${kind} of this clinic${way}` }
}

const CATALOG_WAY = 'the catalog lists the ids'

/** Values of one filter (`idFilters`) of a query that are the id of nothing in the clinic. */
export interface UnknownValues {
  readonly filter: string
  readonly values: readonly string[]
}

/** A status has two kinds, and only one of them has a catalog. */
const QUERY_CATALOGS: ReadonlySet<string> = new Set(['branch', 'provider', 'type', 'treatment', 'billing_account'])

export function unknownValuesWarning({ filter, values }: UnknownValues): PageMeta['warnings'][number] {
  const kind = filter.replaceAll('_', ' ')
  const some = values.length === 1 ? 'has a value that is the id' : 'has values that are the ids'
  const way = QUERY_CATALOGS.has(filter) ? CATALOG_WAY : `rows grouped by ${filter} show the ids`
  return {
    parameter: filter,
    code: 'unknown_id',
    detail: `${some} of no ${kind} of this clinic: ${way}`,
    values: [...values],
  }
}
