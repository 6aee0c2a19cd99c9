// How one kind of record lies in its table: which column takes what of a record, and what happens to it at a change.

import type { Clinic } from '@clinic-data/contract'
import type { SqlScalar } from '@clinic-data/database'

/** What a store did, by the records' ids. One that differs in nothing from the stored one is unchanged, its row untouched. */
export type Stored = {
  readonly inserted: ReadonlySet<string>
  readonly updated: ReadonlySet<string>
  readonly unchanged: number
}

export type Column<R> = {
  readonly name: string
  readonly value: (record: R, clinic: Clinic) => SqlScalar
  /** What becomes of the parameter in SQL, written behind it: `::timestamptz(0)::date`. */
  readonly cast: string
  /** Written with a new row, and never compared or changed after: when a record came to be. */
  readonly once: boolean
  /** No form of the resource shows it: a change of nothing else leaves `updated_at` as it is. */
  readonly unshown: boolean
  /** PostgreSQL compares no json: its text is compared. */
  readonly comparedAs: '' | '::text'
}

export type RecordTable<R> = {
  readonly name: string
  /** What names a record beside its clinic. */
  readonly key: readonly Column<R>[]
  readonly columns: readonly Column<R>[]
  /** Given for tables that tell when a record last changed. */
  readonly updatedAt?: (record: R) => string
  /** How many rows one statement writes; fewer where a row is large. */
  readonly rowsPerStatement?: number
}

/** The names of the fields that are stored as they are. */
export type Given<R> = { [K in keyof R]: R[K] extends SqlScalar ? K : never }[keyof R] & string

/** The makers of columns for one type of record, so that a table's list of columns names only fields that there are. */
export function columnsOf<R>() {
  const derived = (name: string, value: Column<R>['value']): Column<R> => ({
    name,
    value,
    cast: '',
    once: false,
    unshown: false,
    comparedAs: '',
  })
  return {
    /** The record's fields of the columns' own names. */
    fields: (...names: Given<R>[]): Column<R>[] =>
      names.map((name) => derived(name, (record) => record[name] as SqlScalar)),
    derived,
    /**
     * The clinic's local date of an instant, by the session's time zone, as the rounded instant beside it would show.
     */
    localDate: (name: string, instant: (record: R) => string | null, decimals: 0 | 3): Column<R> => ({
      ...derived(name, instant),
      cast: `::timestamptz(${decimals})::date`,
    }),
    json: (name: string, value: (record: R) => unknown): Column<R> => ({
      ...derived(name, (record) => jsonText(value(record))),
      comparedAs: '::text',
    }),
    once: (columns: readonly Column<R>[]): Column<R>[] => columns.map((column) => ({ ...column, once: true })),
    unshown: (columns: readonly Column<R>[]): Column<R>[] => columns.map((column) => ({ ...column, unshown: true })),
  }
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
