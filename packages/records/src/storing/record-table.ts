// How one kind of record is stored in its table: the columns, their values, and their changes.

import type { Clinic } from '@clinic-data/contract'
import type { SqlScalar } from '@clinic-data/database'
import { type MoneyColumn, storedMoney } from '../resources/money.ts'

/** The result of a store, by the records' ids. A record equal to the stored one is unchanged, and its row is not touched. */
export type Stored = {
  readonly inserted: ReadonlySet<string>
  readonly updated: ReadonlySet<string>
  readonly unchanged: number
}

export type Column<R> = {
  readonly name: string
  readonly value: (record: R, clinic: Clinic) => SqlScalar
  /** SQL written behind the parameter: `::timestamptz(0)::date`. */
  readonly cast: string
  /** Written only with a new row, and never compared or changed later, like the time of creation. */
  readonly once: boolean
  /** No form of the resource shows it: changing only this leaves `updated_at` as it is. */
  readonly unshown: boolean
  /** PostgreSQL cannot compare json, so its text is compared. */
  readonly comparedAs: '' | '::text'
}

export type RecordTable<R> = {
  readonly name: string
  /** The columns that identify a record within its clinic. */
  readonly key: readonly Column<R>[]
  readonly columns: readonly Column<R>[]
  /** For tables that store when a record last changed. */
  readonly updatedAt?: (record: R) => string
  /** The rows that one statement writes. Fewer where a row is large. */
  readonly rowsPerStatement?: number
}

/** The names of fields that are stored unchanged. */
export type PlainField<R> = { [K in keyof R]: R[K] extends SqlScalar ? K : never }[keyof R] & string

/** Makes columns for one type of record, so that a table's columns can only name existing fields. */
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
    /** Fields stored in columns of the same name. */
    fields: (...names: PlainField<R>[]): Column<R>[] =>
      names.map((name) => derived(name, (record) => record[name] as SqlScalar)),
    derived,
    /** The clinic's local date of an instant, by the session's time zone, matching the rounded instant beside it. */
    localDate: (name: string, instant: (record: R) => string | null, decimals: 0 | 3): Column<R> => ({
      ...derived(name, instant),
      cast: `::timestamptz(${decimals})::date`,
    }),
    json: (name: string, value: (record: R) => unknown): Column<R> => ({
      ...derived(name, (record) => jsonText(value(record))),
      comparedAs: '::text',
    }),
    /** The two columns of an amount. */
    money: (name: MoneyColumn, value: (record: R) => number | null): Column<R>[] => [
      derived(`${name}_minor`, (record) => storedMoney(value(record)).hundredths),
      derived(`${name}_thousandths`, (record) => storedMoney(value(record)).thousandths),
    ],
    once: (columns: readonly Column<R>[]): Column<R>[] => columns.map((column) => ({ ...column, once: true })),
    unshown: (columns: readonly Column<R>[]): Column<R>[] => columns.map((column) => ({ ...column, unshown: true })),
  }
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
