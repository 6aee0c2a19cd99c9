// Filters that a list has gained since its first release. Some show what another scope opens, and a backend of an earlier version would
// leave them all out: it would answer rows that nobody asked for.
import type { Scope } from '../scopes.ts'

/** The part of an operation that says which they are. */
interface Filtered {
  readonly addedFilters?: Readonly<Record<string, Scope | null>>
}

type Query = Readonly<Record<string, unknown>>

/** The added filters that a request names. The port tells them apart, so that a backend which does not know them refuses the call. */
export function addedFiltersIn({ addedFilters = {} }: Filtered, query: Query): string[] {
  return Object.keys(addedFilters).filter((name) => query[name] !== undefined)
}

/** The scopes that the filters of a request need in addition to the operation's own. */
export function scopesOfFilters(operation: Filtered, query: Query): Scope[] {
  const scopes = addedFiltersIn(operation, query).map((name) => operation.addedFilters?.[name] ?? null)
  return [...new Set(scopes)].filter((scope) => scope !== null)
}
