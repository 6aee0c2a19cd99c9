// Amounts of money: whole thousandths of a unit in the program, major units in answers, and two columns in the database.
import { type Statement, sql } from '@clinic-data/database'

/** Exact, because the quotient is the number nearest to the decimal and so prints as that decimal. */
export function majorUnits(thousandths: number): number
export function majorUnits(thousandths: number | null): number | null
export function majorUnits(thousandths: number | null): number | null {
  return thousandths === null ? null : thousandths / 1000
}

/** Exact for an amount with at most three decimals, because the nearest whole number is then the intended one. */
export function thousandthsOf(major: number): number
export function thousandthsOf(major: number | null): number | null
export function thousandthsOf(major: number | null): number | null {
  return major === null ? null : Math.round(major * 1000)
}

/** A column of money, without the ending of its two columns (migration 0042). */
export type MoneyColumn = 'amount' | 'price' | 'discount'

/**
 * The amount in whole thousandths. Those of the second column count only beside the hundredths that they were stored with.
 *
 * @param relation the alias of the table.
 */
export function thousandthsIn(relation: string, column: MoneyColumn): Statement {
  const part = (ending: string) => sql`${sql.identifier(relation)}.${sql.identifier(`${column}_${ending}`)}`
  const [hundredths, thousandths] = [part('minor'), part('thousandths')]
  return sql`case when ${thousandths} / 10 = ${hundredths} then ${thousandths} else ${hundredths} * 10 end`
}

/** The values of the two columns. */
export function storedMoney(major: number | null): { hundredths: number | null; thousandths: number | null } {
  const thousandths = thousandthsOf(major)
  if (thousandths === null) return { hundredths: null, thousandths: null }
  return { hundredths: Math.trunc(thousandths / 10), thousandths: thousandths % 10 === 0 ? null : thousandths }
}

const decimals = new Map<string, number>()

/** A few units of account have four. No amount is stored with more than three. */
const MOST_DECIMALS = 3

/** ISO 4217: none for JPY, three for KWD, two for most. */
export function decimalsOf(currency: string): number {
  const known =
    decimals.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  decimals.set(currency, known)
  return Math.min(known, MOST_DECIMALS)
}
