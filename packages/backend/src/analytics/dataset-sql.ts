// The form of a dataset's SQL: how each of its names is computed. The compiler combines it.
import type {
  DatasetName,
  Datasets,
  DimensionName,
  FilterName,
  MeasureName,
} from '@clinic-data/contract/analytics/datasets'
import { type Statement, sql } from '@clinic-data/database'
import { CLINIC } from './parameters.ts'

/** Uses the contract's names. A missing one does not compile. */
export interface DatasetSql<N extends DatasetName = DatasetName> {
  /** The records of all clinics, as the relation `t`. */
  readonly from: Statement
  /** The condition for records that count at all. */
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
  /** The relations that it reads besides `t`, each with at most one row per record. */
  readonly joins?: readonly Statement[]
}

export interface DimensionSql extends Expression {
  readonly type: ValueType
  /** Records are grouped by the expression itself. Those few groups are then folded with this. */
  readonly fold?: Fold
  readonly label?: Label
  readonly several?: Several
}

export interface Fold {
  readonly value: (column: Statement) => Statement
  readonly join?: (column: Statement) => Statement
}

/** The name of an id: from a table that is joined to the answer's rows, or from the records themselves. */
export type Label = { readonly table: string; readonly name: string } | Expression

/** A value of which a record can have several. */
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
  /** Aggregates over records, which are added up over groups. */
  readonly parts: readonly Expression[]
  /** For a distinct count: the value to count once. Null values are not counted. */
  readonly distinct?: Expression
  /** Computes the measure from the totals of its parts (for a distinct count, from the count). */
  readonly value: (totals: readonly Statement[]) => Statement
}

/** Joins the one row that an id names to each record. */
export function joined(table: string, alias: string, id: Statement): Statement {
  const name = sql.identifier(alias)
  return sql`left join ${sql.identifier(table)} ${name} on ${name}.clinic_id = ${CLINIC} and ${name}.id = ${id}`
}
