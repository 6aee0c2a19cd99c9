// Phone numbers: one normal form (E.164) for matching, and the local form for display.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

import { visibleText } from './visible-text.ts'

const PERMITTED = /^\+?[\d\s().\-/]{3,40}$/

/** Hyphens and dashes of every script and keyboard, and the minus sign. */
const DASH = /[\p{Pd}\u2212]/gu

/** An extension after a number: `x12`, `ext. 12`, `;ext=12`, `#12`. */
const EXTENSION = /[\s,;]*(?:extension|ext|x|#|שלוחה)[\s.:=]*(\d{1,7})$/iu

/**
 * The normal form (E.164) of a written number, or null when it cannot be read. Understands `05x…`, `+972…`, `972…` and spaces and
 * dashes of any kind, and skips invisible marks. Numbers without a country code belong to `country`.
 *
 * @example normalPhone('050-123 4567', 'IL') // '+972501234567'
 */
export function normalPhone(written: string, country: string): string | null {
  const seen = visibleText(written).replace(DASH, '-')
  // A `+` in a URL arrives as a space.
  const text = (/^ \d/.test(seen) ? `+${seen.trim()}` : seen.trim()).replace(/\s/g, ' ')
  if (!PERMITTED.test(text) || !isSupportedCountry(country)) return null
  const number = parsePhoneNumberFromString(text, country)
  if (number?.isPossible()) return number.number
  const digits = text.replace(/\D/g, '')
  const foreign = parsePhoneNumberFromString(`+${digits}`)
  return foreign?.isPossible() ? foreign.number : null
}

/**
 * Like `normalPhone`, for a number that may have an extension. The extension becomes part of the normal form in RFC 3966's
 * notation, to distinguish people who share a switchboard. Nothing can be sent to such a form.
 *
 * @example normalPhoneWithExtension('03-555-1234 x12', 'IL') // '+97235551234;ext=12'
 */
export function normalPhoneWithExtension(written: string, country: string): string | null {
  const text = visibleText(written).trimEnd()
  const found = EXTENSION.exec(text)
  if (found === null) return normalPhone(written, country)
  const number = normalPhone(text.slice(0, found.index), country)
  return number === null ? null : `${number};ext=${found[1]}`
}

/** The local form of a normal phone: with a leading 0 (or the country's own trunk prefix) at home, `+…` from abroad. */
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
