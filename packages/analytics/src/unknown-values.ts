// Finds the values of a query's filters that are the id of nothing in the clinic: misspelt ids, and names. They count no records
// (docs/decisions/0149).
import type { Clinic } from '@clinic-data/contract'
import { MOST_TOLD_VALUES, type UnknownValues } from '@clinic-data/contract/page-meta'
import { type Row, type Statement, sql } from '@clinic-data/database'
import type { DimensionSql } from './dataset-sql.ts'
import { datasetSql } from './datasets.ts'
import type { Query } from './question.ts'

/** Ids by which a query filters, and the table that has them. */
interface Named {
  readonly filter: string
  readonly table: string
  readonly ids: readonly string[]
}

/** The ids that a query names, by filter. Those without a table of their own, as of a call's agent, cannot be told. */
export function namedIn(query: Query): Named[] {
  const dimensions: Readonly<Record<string, DimensionSql>> = datasetSql[query.dataset].dimensions
  const named = new Map<string, Named>()
  for (const { field, value } of query.filters ?? []) {
    const label = dimensions[field]?.label
    if (!label || !('table' in label)) continue
    const ids = [value].flat() as string[]
    const earlier = named.get(field)?.ids ?? []
    named.set(field, { filter: field, table: label.table, ids: [...new Set([...earlier, ...ids])] })
  }
  return [...named.values()]
}

/** One look-up of them all, by the keys of their tables. A row is a filter and an id that the clinic has. */
export function knownIds({ clinic_id }: Clinic, named: readonly Named[]): Statement {
  const each = named.map(
    ({ filter, table, ids }) => sql`select ${filter}::text as filter, id from ${sql.identifier(table)}
      where clinic_id = ${clinic_id} and id = any(${ids}::text[])`,
  )
  return sql.join(each, sql` union all `)
}

/** @param rows - of that look-up. */
export function unknownValues(named: readonly Named[], rows: readonly Row[]): UnknownValues[] {
  return named.flatMap(({ filter, ids }) => {
    const known = new Set(rows.flatMap((row) => (row.filter === filter ? row.id : [])))
    const values = ids.filter((id) => !known.has(id)).slice(0, MOST_TOLD_VALUES)
    return values.length === 0 ? [] : { filter, values }
  })
}
