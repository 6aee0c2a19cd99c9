// The scan of a query: groups the clinic's matching records once by the values they hold.
//
// These groups are called cells. They are few (a day and a provider, say) and are folded afterwards to the requested groups (the
// month). A distinct count needs its own value in the cell, and then days are folded at once.
import { type Statement, sql } from '@clinic-data/database'
import { Statement as Text } from '@clinic-data/database/sql'
import type { DimensionSql, FilterSql } from './dataset-sql.ts'
import { CLINIC, FROM, parameter, TO } from './parameters.ts'
import type { Plan, PlannedDimension, PlannedFilter } from './plan.ts'

/** Columns: `c0…` by dimensions, `n0…` labels from records, `p0…` parts, `member`. */
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

/** Groups by the first columns. Without any there is one group, if there are records. */
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

/** A record without a listed value has another one, or none: `in` and `not_in` divide the records between them. */
function condition(filter: PlannedFilter): Statement {
  const isMet = filter.several ? filter.several.exists(matches(filter)) : matches(filter)
  return filter.op === 'not_in' ? sql`(${isMet}) is not true` : isMet
}

function matches({ sql: value, type, op, name }: PlannedFilter): Statement {
  const given = sql`${parameter(name)}::${casts[type]}`
  return op === 'eq' ? sql`${value} = ${given}` : sql`${value} = any(${given}[])`
}

const casts: Readonly<Record<FilterSql['type'], Statement>> = {
  text: sql`text`,
  integer: sql`integer`,
  boolean: sql`boolean`,
  date: sql`date`,
}

/** When a record has several values, there are rows only for those that the filters ask for. */
function shown(filters: readonly PlannedFilter[], field: PlannedDimension['field']): Statement {
  const asked = filters.filter((filter) => filter.field === field && filter.op !== 'not_in').map(matches)
  return asked.length > 0 ? sql`(${sql.join(asked, sql` or `)})` : sql`true`
}
