// The rules of a record's amounts that the clinic's currency sets.
import type { Clinic } from '@clinic-data/contract'
import type { Finding } from './record-schema.ts'

const decimals = new Map<string, number>()

/** ISO 4217: none for JPY, two for most. */
function decimalsOf(currency: string): number {
  const known =
    decimals.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  decimals.set(currency, known)
  return known
}

/** The faults of amounts with decimals in a currency that has none. A schema refuses more than two decimals in any currency. */
export function decimalFaults(amounts: Readonly<Record<string, number | null>>, currency: string): Finding[] {
  if (decimalsOf(currency) > 0) return []
  const detail = `must be a whole number: ${currency} has no decimals`
  return Object.entries(amounts).flatMap(([name, amount]) =>
    amount === null || Number.isInteger(amount) ? [] : { place: `/${name}`, code: 'decimals', detail },
  )
}

export function currencyFault({ currency }: Pick<Clinic, 'currency'>): Finding {
  return { place: '/currency', code: 'not_allowed', detail: `must be the clinic's currency, ${currency}` }
}
