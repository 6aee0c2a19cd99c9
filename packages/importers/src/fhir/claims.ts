// The charges of a claim: the prices of procedures, and items without a procedure.

import { Skip } from '../skip.ts'
import type { Claim, ClaimItem } from './fhir-r4.ts'
import { moneyIn } from './money.ts'
import type { References } from './references.ts'

export type Charge = { item: ClaimItem; price: number }

/**
 * The items without a procedure: those with a price, and the first one without a price, the visit itself. That one gets the
 * rest of the total.
 *
 * @throws Skip for a claim that charges nothing.
 */
export function charges(claim: Claim, currency: string): Charge[] {
  refuseUnfit(claim)
  const { item = [], total } = claim
  const priced = item.map((one) => ({ item: one, price: moneyIn(one.net, currency) }))
  const rest = (moneyIn(total, currency) ?? 0) - priced.reduce((sum, one) => sum + (one.price ?? 0), 0)
  const unpriced = priced.find(({ price }) => price === null)
  return priced.flatMap((one) => {
    if (one === unpriced && rest > 0) return { item: one.item, price: rest }
    const isProcedure = (one.item.procedureSequence ?? []).length > 0
    return one.price === null || isProcedure ? [] : { item: one.item, price: one.price }
  })
}

/** The prices of procedures, collected from all claims before any procedure is stored. */
export class ProcedurePrices {
  /** About a hundred bytes per procedure: only this grows with the files of an import. */
  readonly #byReference = new Map<string, number>()
  #byId = new Map<string, number>()

  learn(claim: Claim, currency: string): void {
    try {
      refuseUnfit(claim)
      const procedures = new Map(
        claim.procedure?.map(({ sequence, procedureReference }) => [sequence, procedureReference]),
      )
      for (const { procedureSequence = [], net } of claim.item ?? []) {
        const reference = procedures.get(procedureSequence[0])?.reference
        const price = moneyIn(net, currency)
        if (reference !== undefined && price !== null) this.#byReference.set(reference, price)
      }
    } catch (error) {
      // Reported when the claim itself is imported.
      if (!(error instanceof Skip) && !(error instanceof TypeError)) throw error
    }
  }

  /** Call it when all files have been read: then the ids behind references are known. */
  settle(references: References): void {
    this.#byId = new Map([...this.#byReference].map(([reference, price]) => [references.idOf(reference) ?? '', price]))
    this.#byReference.clear()
  }

  /** In thousandths. */
  of(procedureId: string): number | null {
    return this.#byId.get(procedureId) ?? null
  }
}

/** @throws Skip for a claim, or an answer to one, that was withdrawn or only asks what something would cost. */
export function refuseUnfit({ status, use }: Pick<Claim, 'status' | 'use'>): void {
  if (status !== 'active') throw new Skip('is not active')
  if (use !== undefined && use !== 'claim') throw new Skip('is an estimate, not a claim')
}
