// Builds the measures of datasets, one function for each kind: sums over records, and the values computed from them.
//
// Sums add whole numbers (hundredths, thousandths, seconds) and are divided once, at the very end. Averages and ratios are quotients of sums, in
// rows and in totals. A quotient with the divisor 0 is null.
import { type Statement, sql } from '@clinic-data/database'
import { type MoneyColumn, thousandthsIn } from '@clinic-data/records/resources/money'
import type { Expression, MeasureSql } from './dataset-sql.ts'

/** Restricts a measure to some records. */
export interface Only {
  readonly only?: Statement
  readonly joins?: readonly Statement[]
}

export function count(of: Only = {}): MeasureSql {
  return { parts: [aggregate(sql`count(*)`, of)], value: ([n]) => orZero(n) }
}

export function sum(value: Statement, unit: Unit, of: Only = {}): MeasureSql {
  return { parts: [aggregate(sql`sum(${value})`, of)], value: ([total]) => rounded(unit.of(orZero(total)), unit) }
}

/** The average over the records whose value is not null. */
export function average(value: Statement, unit: Unit, of: Only = {}): MeasureSql {
  return {
    parts: [aggregate(sql`sum(${value})`, of), aggregate(sql`count(${value})`, of)],
    value: ([total, n]) => rounded(sql`${unit.of(required(total))} / nullif(${required(n)}, 0)`, unit),
  }
}

/** The records that meet `numerator`, as a percentage of those that meet `denominator`. */
export function ratio(numerator: Statement, denominator: Statement, joins: readonly Statement[] = []): MeasureSql {
  return {
    parts: [count({ only: numerator, joins }), count({ only: denominator, joins })].flatMap(({ parts }) => parts),
    value: ([part, whole]) => percent(part, whole),
  }
}

export function percentOf(part: Expression, whole: Expression): MeasureSql {
  return { parts: [part, whole], value: ([part, whole]) => percent(part, whole) }
}

/** The number of different values. */
export function distinct(value: Statement, joins: readonly Statement[] = []): MeasureSql {
  return { parts: [], distinct: { sql: value, joins }, value: ([n]) => orZero(n) }
}

/** The unit of the answer. */
export interface Unit {
  /** Converts a sum of stored values. */
  readonly of: (total: Statement) => Statement
  readonly decimals: Statement
}

const TWO = sql`2`
export const plain: Unit = { of: (total) => total, decimals: TWO }
export const secondsAsMinutes: Unit = { of: (total) => sql`${total} / 60.0`, decimals: TWO }
export const millisecondsAsDays: Unit = { of: (total) => sql`${total} / 86400000.0`, decimals: TWO }
const hundredths: Unit = { of: (total) => sql`${total} / 100.0`, decimals: TWO }
const thousandths: Unit = { of: (total) => sql`${total} / 1000.0`, decimals: sql`3` }

/** Gives the amount of each record. */
export type AmountSql = (column: MoneyColumn) => Statement

/** A measure of amounts. Hundredths are read where they are enough, because an index holds them. */
export function money(measure: (amount: AmountSql, unit: Unit) => MeasureSql): MeasureSql {
  return {
    ...measure((column) => sql`t.${sql.identifier(`${column}_minor`)}`, hundredths),
    inThousandths: measure((column) => thousandthsIn('t', column), thousandths),
  }
}

function aggregate(total: Statement, { only, joins = [] }: Only): Expression {
  return { sql: only === undefined ? total : sql`${total} filter (where ${only})`, joins }
}

function percent(part: Statement | undefined, whole: Statement | undefined): Statement {
  return rounded(sql`100.0 * ${required(part)} / nullif(${required(whole)}, 0)`, plain)
}

function orZero(total: Statement | undefined): Statement {
  return sql`coalesce(${required(total)}, 0)`
}

function rounded(value: Statement, { decimals }: Pick<Unit, 'decimals'>): Statement {
  return sql`round(${value}, ${decimals})`
}

function required(total: Statement | undefined): Statement {
  if (total === undefined) throw new TypeError('a measure is computed from the totals of its parts')
  return total
}
