// Phone numbers: one normal form (E.164) for matching, and the local form for showing.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

const PERMITTED = /^\+?[\d\s().\-/]{3,40}$/

/**
 * The normal form (E.164) of a number as people write it, or null when it cannot be read.
 * `05x…`, `+972…`, `972…`, spaces and dashes are understood; numbers without a country code belong to `country`.
 *
 * @example normalPhone('050-123 4567', 'IL') // '+972501234567'
 */
export function normalPhone(written: string, country: string): string | null {
  // A `+` in an address arrives as a space.
  const text = /^ \d/.test(written) ? `+${written.trim()}` : written.trim()
  if (!PERMITTED.test(text) || !isSupportedCountry(country)) return null
  const number = parsePhoneNumberFromString(text, country)
  if (number?.isPossible()) return number.number
  const digits = text.replace(/\D/g, '')
  const foreign = parsePhoneNumberFromString(`+${digits}`)
  return foreign?.isPossible() ? foreign.number : null
}

/** The local form of a normal phone: leading 0 (or the country's own trunk form) at home, `+…` from abroad. */
export function localPhone(normal: string, country: string): string {
  const number = parsePhoneNumberFromString(normal)
  if (!number || number.countryCallingCode !== callingCode(country)) return normal
  return number.formatNational().replace(/\D/g, '')
}

function callingCode(country: string): string | undefined {
  if (!isSupportedCountry(country)) return undefined
  const example = parsePhoneNumberFromString('0000000', country as CountryCode)
  return example?.countryCallingCode
}
