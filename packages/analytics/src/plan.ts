// Replaces the names in a shape with the registry's SQL.
import type { Grain, Operator } from '@clinic-data/contract/analytics/dataset'
import type { DatasetSql, DimensionSql, Expression, FilterSql, MeasureSql } from './dataset-sql.ts'
import { datasetSql } from './datasets.ts'
import { periodOf } from './dimension-sql.ts'
import type { ParameterName } from './parameters.ts'
import type { Shape } from './question.ts'

export interface Plan {
  readonly shape: Shape
  readonly dataset: DatasetSql
  readonly dimensions: readonly PlannedDimension[]
  readonly filters: readonly PlannedFilter[]
  /** As the totals have them. */
  readonly measures: readonly MeasureSql[]
  /** As the rows have them. */
  readonly ofRows: readonly MeasureSql[]
  /** The parts of all measures, each once. */
  readonly parts: readonly Expression[]
  /** The value that a distinct count counts. No dataset has two such measures. */
  readonly distinct: Expression | undefined
}

export interface PlannedDimension extends DimensionSql {
  readonly field: string
}

export interface PlannedFilter extends FilterSql {
  readonly field: string
  readonly op: Operator
  /** The parameter with its values. */
  readonly name: ParameterName
}

export function planOf(shape: Shape): Plan {
  const dataset: DatasetSql = datasetSql[shape.dataset]
  const requested = shape.measures.map((name) => entryOf<MeasureSql>(dataset.measures, name))
  const inUnit = (measure: MeasureSql) => (shape.inThousandths && measure.inThousandths) || measure
  const measures = requested.map(inUnit)
  const ofRows = requested.map((measure) => {
    const { apart } = measure
    const isApart = apart !== undefined && shape.dimensions.some(({ field }) => field === apart.by)
    return inUnit(isApart ? apart.measure : measure)
  })
  const parts = [...measures, ...ofRows].flatMap((measure) => measure.parts)
  return {
    shape,
    dataset,
    dimensions: shape.dimensions.map(({ field, grain }) => {
      const dimension = entryOf<DimensionSql>(dataset.dimensions, field)
      return { ...dimension, field, ...(grain === null ? {} : { fold: foldTo(grain, shape) }) }
    }),
    filters: shape.filters.map(({ field, op }, at) => {
      return { ...entryOf<FilterSql>(dataset.filters, field), field, op, name: `filter_${at}` }
    }),
    measures,
    ofRows,
    parts: [...new Map(parts.map((part) => [keyOf(part), part])).values()],
    distinct: measures.find(({ distinct }) => distinct)?.distinct,
  }
}

/** Parts with the same SQL have the same key. */
export function keyOf({ sql: { chunks, values } }: Expression): string {
  return JSON.stringify([chunks, values])
}

/** Names come from a query, so inherited properties must not match. */
function entryOf<T>(entries: Readonly<Record<string, T>>, name: string): T {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (entry === undefined) throw new TypeError('a query was not checked before it was compiled')
  return entry
}

function foldTo(grain: Grain, { weekStart }: Shape): NonNullable<DimensionSql['fold']> {
  return { value: (date) => periodOf(date, grain, weekStart) }
}
