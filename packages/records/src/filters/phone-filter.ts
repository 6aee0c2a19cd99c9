// Converts the phone of a filter to the form in which phones are compared.
import { Problem } from '@clinic-data/contract'
import { normalPhone } from '@clinic-data/contract/phone'

/** @throws Problem `invalid-request` when no number can be read from it. */
export function comparedPhone(phone: string, country: string): string {
  const normal = normalPhone(phone, country)
  if (normal !== null) return normal
  const detail = 'No phone number can be read from it. Send it with its country code, for example +972501234567.'
  throw new Problem('invalid-request', detail, { errors: [{ parameter: 'phone', code: 'phone', detail }] })
}
