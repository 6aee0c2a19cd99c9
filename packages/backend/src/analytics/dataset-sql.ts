// The form of a dataset's SQL: what each of its names is computed from. The compiler puts it together.
import type {
  DatasetName,
  Datasets,
  DimensionName,
  FilterName,
  MeasureName,
} from '@clinic-data/contract/analytics/datasets'
import { type Statement, sql } from '@clinic-data/database'
import { CLINIC } from './parameters.ts'

/** Names as in the contract: one that is missing here is an error of the compiler's. */
export interface DatasetSql<N extends DatasetName = DatasetName> {
  /** Records of any clinic, as the relation `t`. */
  readonly from: Statement
  /** Which of them count at all. */
  readonly where?: Statement
  /** The local day that the range of a question is about. */
  readonly date: Statement
  readonly measures: Readonly<Record<MeasureName<N>, MeasureSql>>
  readonly dimensions: Readonly<Record<DimensionName<N>, DimensionSql>>
  readonly filters: Readonly<Record<Exclude<FilterName<N>, Datasets[N]['date_filter']>, FilterSql>>
}

type ValueType = 'text' | 'integer' | 'boolean' | 'date'

/** What is computed of each record. */
export interface Expression {
  readonly sql: Statement
  /** The relations that it reads besides `t`, each of at most one row a record. */
  readonly joins?: readonly Statement[]
}

export interface DimensionSql extends Expression {
  readonly type: ValueType
  /** Records are grouped by the expression itself; those groups, which are few, by this of it. */
  readonly fold?: Fold
  readonly label?: Label
  readonly several?: Several
}

export interface Fold {
  readonly value: (column: Statement) => Statement
  readonly join?: (column: Statement) => Statement
}

/** The name of an id: in a table, joined to the rows of the answer; or told by the records themselves. */
export type Label = { readonly table: string; readonly name: string } | Expression

/** What a record can have several of. */
export interface Several {
  /** From `t` to a row for each one that meets the condition, and to one row where there is none. */
  readonly join: (condition: Statement) => Statement
  /** Whether one of them meets the condition. */
  readonly exists: (condition: Statement) => Statement
}

export interface FilterSql extends Expression {
  readonly type: ValueType
  readonly several?: Several
}

export interface MeasureSql {
  /** Aggregates over records, which are summed up over groups of them. */
  readonly parts: readonly Expression[]
  /** Of a distinct count: what is counted once, and not where it is null. */
  readonly distinct?: Expression
  /** The measure, from the totals of its parts (of a distinct count, from the count). */
  readonly value: (totals: readonly Statement[]) => Statement
}

/** The one row that an id names, beside each record. */
export function joined(table: string, alias: string, id: Statement): Statement {
  const name = sql.identifier(alias)
  return sql`left join ${sql.identifier(table)} ${name} on ${name}.clinic_id = ${CLINIC} and ${name}.id = ${id}`
}
