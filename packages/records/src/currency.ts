// The rules of a record's amounts that the clinic's currency sets.
import type { Clinic } from '@clinic-data/contract'
import { decimalsOf } from './resources/money.ts'
import type { Finding } from './storing/record-schema.ts'

const AT_MOST = ['no decimals', 'at most one decimal', 'at most two decimals', 'at most three decimals']

/** The faults of amounts with more decimals than the currency has. A schema refuses more than three in any currency. */
export function decimalFaults(amounts: Readonly<Record<string, number | null>>, currency: string): Finding[] {
  const decimals = decimalsOf(currency)
  const steps = 10 ** decimals
  const detail = `must have ${AT_MOST[decimals]} in ${currency}`
  return Object.entries(amounts).flatMap(([name, amount]) =>
    amount === null || Math.round(amount * steps) / steps === amount
      ? []
      : { place: `/${name}`, code: 'decimals', detail },
  )
}

export function currencyFault({ currency }: Pick<Clinic, 'currency'>): Finding {
  return { place: '/currency', code: 'not_allowed', detail: `must be the clinic's currency, ${currency}` }
}
