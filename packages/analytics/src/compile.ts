// Compiles a query's shape to a statement by replacing the registry's names with their SQL.
//
// Cells are folded to the requested groups. Window functions over the groups give the totals and the number of groups in the same
// scan, because `grouping sets` would prevent parallel workers. Labels are joined last, to the rows that remain after the limit.
import { type Statement, sql } from '@clinic-data/database'
import { cells, folded, grouped, nth } from './cells.ts'
import type { DimensionSql, MeasureSql } from './dataset-sql.ts'
import { CLINIC, parameter } from './parameters.ts'
import { keyOf, type Plan, planOf } from './plan.ts'
import type { Shape } from './question.ts'

/**
 * The statement has parameter names where values belong. A row holds the dimensions `k0…`, their labels `l0…`, the patients whose text such a label
 * is, `w0…`, the measures `m0…` and the totals `t0…`, numbered by position in the shape, and `group_count`, which is the same in each row.
 */
export function compile(shape: Shape): Statement {
  const plan = planOf(shape)
  const order = orderOf(shape)
  const isSeveral = plan.dimensions.some(({ several }) => several)
  const labels = plan.dimensions.flatMap(joinedLabel)
  const columns = [sql`g.*`, ...labels.map(({ column }) => column), ...(isSeveral ? [sql`whole.*`] : [])]
  return sql`with cells as (${cells(plan)})
    select ${sql.join(columns)}
    from (${groups(plan, isSeveral)} order by ${order} limit ${parameter('limit')}::integer) g
      ${sql.join(
        labels.map(({ join }) => join),
        sql` `,
      )}
      ${isSeveral ? sql`cross join (${whole(plan)}) whole` : sql.empty}
    order by ${order}`
}

function groups(plan: Plan, isSeveral: boolean): Statement {
  const { dimensions, measures, ofRows, distinct } = plan
  const cell = (at: number) => sql`c.${nth('c', at)}`
  const keys = dimensions.map((dimension, at) => {
    const key = distinct ? cell(at) : folded(dimension, cell(at))
    return dimension.type === 'text' ? sql`${key} collate "C"` : key
  })
  const folds = distinct ? [] : dimensions.flatMap(({ fold }, at) => fold?.join?.(cell(at)) ?? [])
  const labels = dimensions.flatMap(({ label }, at) =>
    label && 'sql' in label ? sql`max(c.${nth('n', at)}) as ${nth('l', at)}` : [],
  )
  const selected = [
    ...keys.map((key, at) => sql`${key} as ${nth('k', at)}`),
    ...labels,
    ...ofRows.map((measure, at) => sql`${computed(plan, measure, ofGroup)} as ${nth('m', at)}`),
    ...(isSeveral ? [] : measures.map((measure, at) => sql`${computed(plan, measure, ofAll)} as ${nth('t', at)}`)),
    sql`count(*) over () as group_count`,
  ]
  return sql`select ${sql.join(selected)} from cells c ${sql.join(folds, sql` `)} ${grouped(keys.length)}`
}

/** The totals when a record can be in several groups. They are computed from the records, not from the groups. */
function whole(plan: Plan): Statement {
  const undivided = { ...plan, dimensions: [] }
  const totals = plan.measures.map((measure, at) => sql`${computed(plan, measure, ofGroup)} as ${nth('t', at)}`)
  return sql`with cells as (${cells(undivided)}) select ${sql.join(totals)} from cells c`
}

/** How to compute the total of a part and a distinct count from cells. */
interface Totals {
  readonly part: (column: Statement) => Statement
  readonly distinct: Statement
}

const ofGroup: Totals = { part: (column) => sql`sum(${column})`, distinct: sql`count(c.member)` }

const ofAll: Totals = {
  part: (column) => sql`sum(sum(${column})) over ()`,
  distinct: sql`(select count(*) from (select member from cells where member is not null group by member) members)`,
}

function computed({ parts }: Plan, measure: MeasureSql, totals: Totals): Statement {
  if (measure.distinct) return measure.value([totals.distinct])
  const places = measure.parts.map((part) => parts.findIndex((other) => keyOf(other) === keyOf(part)))
  return measure.value(places.map((at) => totals.part(sql`c.${nth('p', at)}`)))
}

function joinedLabel({ label }: DimensionSql, at: number): { column: Statement; join: Statement }[] {
  if (label === undefined || 'sql' in label) return []
  const [l, w, id] = [nth('e', at), nth('w', at), sql`g.${nth('k', at)}`]
  const { name, table, patients } = label
  return [
    {
      column: sql`${l}.${sql.identifier(name)} as ${nth('l', at)}`,
      join: sql`left join ${sql.identifier(table)} ${l} on ${l}.clinic_id = ${CLINIC} and ${l}.id = ${id}`,
    },
    ...(patients
      ? [{ column: sql`${w}.patients as ${w}`, join: sql`left join ${patients} ${w} on ${w}.id = ${id}` }]
      : []),
  ]
}

/** Ends with every dimension, so no two rows are equal in it. */
function orderOf({ order, measures, dimensions }: Shape): Statement {
  return sql.join(
    order.map(({ by, isDescending }) => {
      const measure = measures.indexOf(by)
      const value =
        measure < 0
          ? nth(
              'k',
              dimensions.findIndex(({ field }) => field === by),
            )
          : nth('m', measure)
      return sql`${value} ${isDescending ? sql`desc` : sql`asc`} nulls last`
    }),
  )
}
