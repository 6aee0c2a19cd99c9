// Scans the clinic's matching records once and groups them by the values they hold.
//
// These groups are called cells. They are few (a day and a provider, say) and are folded to the requested groups (the month)
// afterwards. A distinct count adds the counted value to the cell. In that case days are folded during the scan (docs/decisions/0016).
import { type Statement, sql } from '@clinic-data/database'
import { Statement as Text } from '@clinic-data/database/sql'
import type { DimensionSql, FilterSql } from './dataset-sql.ts'
import { CLINIC, FROM, parameter, TO } from './parameters.ts'
import type { Plan, PlannedDimension, PlannedFilter } from './plan.ts'

/** Columns: dimensions `c0…`, labels from records `n0…`, parts `p0…`, and the value of a distinct count, `member`. */
export function cells(plan: Plan): Statement {
  const { dataset, dimensions, distinct, parts } = plan
  const keys = dimensions.map((dimension) => (distinct ? folded(dimension, dimension.sql) : dimension.sql))
  const selected = [
    ...keys.map((key, at) => sql`${key} as ${nth('c', at)}`),
    ...(distinct ? [sql`${distinct.sql} as member`] : []),
    ...dimensions.flatMap(({ label }, at) =>
      label && 'sql' in label ? sql`max(${label.sql}) as ${nth('n', at)}` : [],
    ),
    ...parts.map((part, at) => sql`${part.sql} as ${nth('p', at)}`),
  ]
  return sql`select ${sql.join(selected)} from ${dataset.from} ${sql.join(joins(plan), sql` `)}
    where ${sql.join(conditions(plan), sql` and `)} ${grouped(keys.length + (distinct ? 1 : 0))}`
}

export function folded({ fold }: DimensionSql, value: Statement): Statement {
  return fold ? fold.value(value) : value
}

/** Groups by the first `keys` columns. With 0 there is one group if there are records, otherwise none. */
export function grouped(keys: number): Statement {
  const places = Array.from({ length: keys }, (_, at) => at + 1)
  return new Text([keys === 0 ? 'having count(*) > 0' : `group by ${places.join(', ')}`], [])
}

/** `c0`, `c1` … */
export function nth(letter: string, at: number): Statement {
  return sql.identifier(`${letter}${at}`)
}

function joins({ dimensions, filters, distinct, parts }: Plan): Statement[] {
  const read = [...dimensions, ...parts, ...(distinct ? [distinct] : []), ...filters]
  const several = dimensions.flatMap(({ field, several }) => several?.join(shown(filters, field)) ?? [])
  const folds = distinct ? dimensions.flatMap((dimension) => dimension.fold?.join?.(dimension.sql) ?? []) : []
  return [...new Set(read.flatMap(({ joins = [] }) => joins)), ...several, ...folds]
}

function conditions({ shape, dataset, filters }: Plan): Statement[] {
  return [
    sql`t.clinic_id = ${CLINIC}`,
    ...(shape.hasFrom ? [sql`${dataset.date} >= ${FROM}`] : []),
    ...(shape.hasTo ? [sql`${dataset.date} <= ${TO}`] : []),
    ...(dataset.where ? [dataset.where] : []),
    ...filters.map(condition),
  ]
}

/** `not_in` also matches records without any value, so each record matches either `in` or `not_in`. */
function condition(filter: PlannedFilter): Statement {
  const isMet = filter.several ? filter.several.exists(matches(filter)) : matches(filter)
  return filter.op === 'not_in' ? sql`(${isMet}) is not true` : isMet
}

function matches({ sql: value, type, op, name }: PlannedFilter): Statement {
  const operand = sql`${parameter(name)}::${casts[type]}`
  return op === 'eq' ? sql`${value} = ${operand}` : sql`${value} = any(${operand}[])`
}

const casts: Readonly<Record<FilterSql['type'], Statement>> = {
  text: sql`text`,
  integer: sql`integer`,
  boolean: sql`boolean`,
  date: sql`date`,
}

/** If a record has several values, only the values in the filters get a row. */
function shown(filters: readonly PlannedFilter[], field: PlannedDimension['field']): Statement {
  const matching = filters.filter((filter) => filter.field === field && filter.op !== 'not_in').map(matches)
  return matching.length > 0 ? sql`(${sql.join(matching, sql` or `)})` : sql`true`
}
