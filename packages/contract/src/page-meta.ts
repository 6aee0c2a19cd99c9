// Describes what a page, or a whole list with filters, says about itself: warnings about its filters, which only an empty one has.
import { MAX } from './limits.ts'
import { list, named, object, type Static, text } from './schema/schema.ts'

const Warning = named(
  'Warning',
  object({
    parameter: text(MAX.name, { description: 'The query parameter.' }),
    code: text(MAX.code, { description: 'Stable: branch on it. `unknown_id` is the only one so far.' }),
    detail: text(MAX.note, { description: 'What is odd about it, in words. The submitted value is never quoted.' }),
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

/** A name is easily taken for an id: `no_show` for `no-show`. */
const CATALOGS: ReadonlySet<string> = new Set(['branch', 'provider', 'status'])

/** @param parameter a filter by an id: `branch_id`. */
export function unknownIdWarning(parameter: string): PageMeta['warnings'][number] {
  const kind = parameter.replace(/_id$/, '')
  const way = CATALOGS.has(kind) ? ': the catalog lists the ids' : ''
  return { parameter, code: 'unknown_id', detail: `is the id of no ${kind} of this clinic${way}` }
}
