// Amounts of FHIR in the clinic's currency, as whole minor units.

import { Skip } from '../skip.ts'
import type { Money } from './fhir-r4.ts'

/**
 * Null when there is none. Without a currency it is the clinic's.
 *
 * Files hold what floating point has made of an amount, such as 112.41600000000001. The digits as they are written are
 * shifted by two places and rounded half up, so that neither 1.005 nor 4.35 loses a cent to another float on the way.
 *
 * @throws Skip when it is in another currency: amounts of a clinic are never mixed.
 */
export function minorUnits(money: Money | undefined, currency: string): number | null {
  if (money?.value === undefined || money.value === null) return null
  if (money.currency !== undefined && money.currency !== currency) {
    throw new Skip(`is in another currency than the clinic's (${currency})`)
  }
  if (typeof money.value !== 'number') throw new Skip('has an amount that is not a number')
  const shifted = Number(`${Math.abs(money.value)}e2`)
  // Numbers beyond 1e21 are written with an exponent of their own: no amount is that large.
  if (Number.isNaN(shifted)) throw new Skip('has an amount out of range')
  return Math.sign(money.value) * Math.round(shifted)
}
