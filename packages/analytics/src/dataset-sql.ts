// The form of a dataset's SQL: how to compute each of its names. The compiler combines these parts.
import type {
  DatasetName,
  Datasets,
  DimensionName,
  FilterName,
  MeasureName,
} from '@clinic-data/contract/analytics/datasets'
import { type Statement, sql } from '@clinic-data/database'
import { CLINIC } from './parameters.ts'

/** Has exactly the contract's names. A missing one does not compile. */
export interface DatasetSql<N extends DatasetName = DatasetName> {
  /** The records of all clinics, as the relation `t`. */
  readonly from: Statement
  /** Records that do not meet this condition are not counted. */
  readonly where?: Statement
  /** The local day to which a query's range applies. */
  readonly date: Statement
  readonly measures: Readonly<Record<MeasureName<N>, MeasureSql>>
  readonly dimensions: Readonly<Record<DimensionName<N>, DimensionSql>>
  readonly filters: Readonly<Record<Exclude<FilterName<N>, Datasets[N]['date_filter']>, FilterSql>>
}

type ValueType = 'text' | 'integer' | 'boolean' | 'date'

/** A value computed from each record. */
export interface Expression {
  readonly sql: Statement
  /** Joins of the other relations that it reads. Each adds at most one row per record. */
  readonly joins?: readonly Statement[]
}

export interface DimensionSql extends Expression {
  readonly type: ValueType
  /** Records are grouped by the expression itself. The fold then turns those few groups into the requested ones. */
  readonly fold?: Fold
  readonly label?: Label
  readonly several?: Several
}

export interface Fold {
  readonly value: (column: Statement) => Statement
  readonly join?: (column: Statement) => Statement
}

/** The name that belongs to an id. It comes from a table joined to the answer's rows, or from the records themselves. */
export type Label = { readonly table: string; readonly name: string; readonly patients?: Statement } | Expression

/** For a dimension that can have several values per record. */
export interface Several {
  /** Joins `t` to one row for each value that meets the condition, and to one row if there is none. */
  readonly join: (condition: Statement) => Statement
  /** Whether one of the values meets the condition. */
  readonly exists: (condition: Statement) => Statement
}

export interface FilterSql extends Expression {
  readonly type: ValueType
  readonly several?: Several
}

export interface MeasureSql {
  /** Aggregates over records. The totals of a group are sums of these. */
  readonly parts: readonly Expression[]
  /** For a distinct count: the value to count once. Null values are not counted. */
  readonly distinct?: Expression
  /** Computes the measure from the totals of its parts (for a distinct count, from the count). */
  readonly value: (totals: readonly Statement[]) => Statement
  /** Computed so instead in rows that are grouped by this dimension. The totals are as always. */
  readonly apart?: { readonly by: string; readonly measure: MeasureSql }
  /** Computed so instead for a clinic whose currency has three decimals. */
  readonly inThousandths?: MeasureSql
}

/** Joins to each record the row that has this id. */
export function joined(table: string, alias: string, id: Statement): Statement {
  const name = sql.identifier(alias)
  return sql`left join ${sql.identifier(table)} ${name} on ${name}.clinic_id = ${CLINIC} and ${name}.id = ${id}`
}
