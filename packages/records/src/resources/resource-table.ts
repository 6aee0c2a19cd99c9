// Defines how a resource is read and shown: the columns of each of its fields, and the field's form in answers.
import type { Clinic } from '@clinic-data/contract'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'

/** A field that does not simply show the column of its name. `More` has the columns of all such fields of the resource. */
interface Made<More, Value> {
  readonly columns: Statement | ((clinic: Clinic) => Statement)
  readonly render: (row: More) => Value
}

type FieldOf<Resource> = keyof Resource & string
type InstantOf<Resource> = {
  [K in FieldOf<Resource>]: string | null extends Resource[K] ? K : never
}[FieldOf<Resource>]

interface Fields<Resource, More, S extends FieldOf<Resource>, I extends InstantOf<Resource>> {
  /** The table's name in statements. */
  readonly relation: string
  /** Fields that show the column of the same name unchanged. */
  readonly stored: readonly S[]
  /** Instants shown with milliseconds. `seconds` are instants shown in whole seconds. */
  readonly instants: readonly I[]
  readonly seconds?: readonly I[]
  /** Every other field. A missing or superfluous one does not compile. */
  readonly made: { readonly [K in Exclude<keyof Resource, S | I>]: Made<More, Resource[K]> }
}

/** PostgreSQL's row for the columns. */
type Row<Resource, More, S extends keyof Resource, I extends string> = Pick<Resource, S> &
  Record<I, string | null> &
  More

export type RowOf<T extends { render(row: never): unknown }> = Parameters<T['render']>[0]

export function resourceTable<Resource, More = unknown>() {
  return <S extends FieldOf<Resource>, I extends InstantOf<Resource> = never>(fields: Fields<Resource, More, S, I>) => {
    const { relation, stored, instants, seconds = [] } = fields
    const made: [name: string, Made<More, unknown>][] = Object.entries(fields.made)
    const plain = [...stored, ...instants, ...seconds].map(
      (name) => sql`${sql.identifier(relation)}.${sql.identifier(name)}`,
    )
    const parts = made.map(([, { columns }]) => columns)
    // Copied for each row, so that no row's object grows field by field.
    const names = [...stored, ...instants, ...seconds, ...Object.keys(fields.made)]
    const blank = Object.fromEntries(names.map((name) => [name, null]))
    const fixed = sql.join([...plain, ...parts.filter((part) => typeof part !== 'function')])
    const byClinic = parts.filter((part) => typeof part === 'function')
    return {
      /** The columns that a statement selects. */
      columns: (clinic: Clinic): Statement =>
        byClinic.length === 0 ? fixed : sql.join([fixed, ...byClinic.map((columns) => columns(clinic))]),
      render: (row: Row<Resource, More, S, I>): Resource => {
        const resource: Record<string, unknown> = { ...blank }
        for (const name of stored) resource[name] = row[name]
        for (const name of instants) resource[name] = instant(row[name])
        for (const name of seconds) resource[name] = wholeSecond(row[name])
        for (const [name, { render }] of made) resource[name] = render(row)
        // The type of `fields` ensures that it names every field of the resource.
        return resource as Resource
      },
    }
  }
}
