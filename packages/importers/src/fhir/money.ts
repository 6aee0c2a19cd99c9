// Reads amounts of FHIR as whole thousandths of the clinic's currency.

import { decimalsOf } from '@clinic-data/records/resources/money'
import { Skip } from '../skip.ts'
import type { Money } from './fhir-r4.ts'

/**
 * Null without an amount. An amount without a currency is in the clinic's.
 *
 * Files hold floating point errors, such as 112.41600000000001. The written digits are shifted by the currency's decimals and
 * rounded half up, so that 1.005 and 4.35 lose no cent by floating point here.
 *
 * @throws Skip for another currency: a clinic has one.
 */
export function moneyIn(money: Money | undefined, currency: string): number | null {
  if (money?.value === undefined || money.value === null) return null
  if (money.currency !== undefined && money.currency !== currency) {
    throw new Skip(`is in another currency than the clinic's (${currency})`)
  }
  if (typeof money.value !== 'number') throw new Skip('has an amount that is not a number')
  const decimals = decimalsOf(currency)
  const shifted = Number(`${Math.abs(money.value)}e${decimals}`)
  // From 1e21 on numbers are written with an exponent. No amount is that large.
  if (Number.isNaN(shifted)) throw new Skip('has an amount out of range')
  return Math.sign(money.value) * Math.round(shifted) * 10 ** (3 - decimals)
}
