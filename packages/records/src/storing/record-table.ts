// How one kind of record is stored in its table: the columns, their values, and their changes.

import type { Clinic } from '@clinic-data/contract'
import type { SqlScalar } from '@clinic-data/database'
import { type MoneyColumn, storedMoney } from '../resources/money.ts'

/** The result of a store, by the records' ids. A record equal to the stored one is unchanged, and its row is not touched. */
export type Stored = {
  readonly inserted: ReadonlySet<string>
  readonly updated: ReadonlySet<string>
  /** These were erased with their patient, and nothing of them was stored. */
  readonly erased?: ReadonlySet<string>
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

/** A column of the field's name, part of the key, written once, or shown by no resource. */
type PlainForm = 'key' | 'stored' | 'once' | 'unshown'

/** How a field is stored. `elsewhere` is for rows of another table; a function gives the column of the field's name another value. */
type FieldForm<R, K extends keyof R> =
  | (R[K] extends SqlScalar ? PlainForm : never)
  | (K extends MoneyColumn ? 'money' | 'unshown money' : never)
  | (K extends 'updated_at' ? 'updated' : never)
  | 'json'
  | 'elsewhere'
  | Column<R>['value']
  | readonly Column<R>[]

type FieldForms<R> = { readonly [K in keyof R]-?: FieldForm<R, K> }

interface Written<R, F extends FieldForms<R>> {
  readonly name: string
  /** A field that is missing or superfluous does not compile: it would be dropped in silence. */
  readonly fields: F & { readonly [K in Exclude<keyof F, keyof R>]: never }
  /** Columns that are no field, such as the folded forms that a search compares. */
  readonly more?: readonly Column<R>[]
  readonly rowsPerStatement?: number
}

/**
 * Makes the table of one kind of record from the form of each of its fields.
 *
 * @example recordTable<Plan>()({ name: 'treatment_plan', fields: { id: 'key', name: 'stored' } })
 */
export function recordTable<R>() {
  return <const F extends FieldForms<R>>({ fields, more = [], ...written }: Written<R, F>): RecordTable<R> => {
    const forms = Object.entries(fields) as [keyof R & string, FieldForm<R, keyof R>][]
    const namesOf = (wanted: string) => forms.flatMap(([name, form]) => (form === wanted ? [name] : []))
    const [updated] = namesOf('updated')
    return {
      ...written,
      key: namesOf('key').map((name) => plain<R>(name)),
      columns: [...forms.flatMap(([name, form]) => columnsOfField<R>(name, form)), ...more],
      ...(updated !== undefined && { updatedAt: (record: R) => record[updated] as string }),
    }
  }
}

function columnsOfField<R>(name: keyof R & string, form: FieldForm<R, keyof R>): readonly Column<R>[] {
  if (typeof form === 'function') return [derived(name, form)]
  if (typeof form === 'object') return form
  switch (form) {
    case 'stored':
      return [plain(name)]
    case 'once':
      return once([plain(name)])
    case 'unshown':
      return unshown([plain(name)])
    case 'json':
      return [{ ...derived<R>(name, (record) => jsonText(record[name])), comparedAs: '::text' }]
    case 'money':
      return money(name)
    case 'unshown money':
      return unshown(money(name))
    // The key stands apart, and a statement writes `updated_at` by a rule of its own.
    case 'key':
    case 'updated':
    case 'elsewhere':
      return []
  }
}

/** The forms of several fields that are stored unchanged. */
export function stored<const N extends string>(names: readonly N[]): { readonly [K in N]: 'stored' } {
  return Object.fromEntries(names.map((name) => [name, 'stored'])) as { [K in N]: 'stored' }
}

export function derived<R>(name: string, value: Column<R>['value']): Column<R> {
  return { name, value, cast: '', once: false, unshown: false, comparedAs: '' }
}

/** The clinic's local date of an instant, by the session's time zone, matching the rounded instant beside it. */
export function localDate<R>(name: string, instant: (record: R) => string | null, decimals: 0 | 3): Column<R> {
  return { ...derived(name, instant), cast: `::timestamptz(${decimals})::date` }
}

/** The day of `created_at`, which never changes either. */
export const createdDate = once([
  localDate('created_date', ({ created_at }: { readonly created_at: string }) => created_at, 3),
])

function plain<R>(name: keyof R & string): Column<R> {
  return derived(name, (record) => record[name] as SqlScalar)
}

function once<R>(columns: readonly Column<R>[]): Column<R>[] {
  return columns.map((column) => ({ ...column, once: true }))
}

function unshown<R>(columns: readonly Column<R>[]): Column<R>[] {
  return columns.map((column) => ({ ...column, unshown: true }))
}

/** The two columns of an amount. */
function money<R>(name: keyof R & string): Column<R>[] {
  const storedOf = (record: R) => storedMoney(record[name] as number | null)
  return [
    derived(`${name}_minor`, (record) => storedOf(record).hundredths),
    derived(`${name}_thousandths`, (record) => storedOf(record).thousandths),
  ]
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
