// The string formats of inputs and records: the accepted texts, and how a fault asks for them.
import { type EventType, eventTypes } from '../event-types.ts'
import { MAX } from '../limits.ts'
import { hasAtMost } from '../values/character-count.ts'
import { isVisible, NAME_HINT } from '../values/given-name.ts'
import { readNetwork } from '../values/network.ts'
import { normalPhone, normalPhoneWithExtension } from '../values/phone.ts'
import { visibleText } from '../values/visible-text.ts'

/** The settings for reading a text. */
export interface About {
  /** The clinic's country, ISO 3166-1 alpha-2. Numbers without a country code belong to it. */
  readonly country: string
  /** Whether a webhook may use plain http to this machine itself, for development and tests. */
  readonly allowsLoopbackHttp?: boolean
}

export interface Format {
  accepts(text: string, about: About): boolean
  /** The words of a fault's `detail`. */
  readonly hint: string
  /** Says all of it, where a regular expression can. It is published, and every validator knows it. */
  readonly pattern?: string
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/
const TIME = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/
/** The first year of dates. Dates of birth are the oldest. */
const FIRST_YEAR = 1850
const LAST_YEAR = 2199
/** A column of instants accepts one more day at both ends, so an instant with any offset is still accepted. */
const FIRST_DAY = '1900-01-02'
const LAST_DAY = '2199-12-30'

/** `YYYY-MM-DD`, and an existing day of the years in which something can be recorded. */
export function isDate(text: string): boolean {
  const year = Number(text.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR && isDay(text)
}

/** Any existing day, `YYYY-MM-DD`: a period without an end often ends on 9999-12-31. */
export function isDay(text: string): boolean {
  const parts = DATE.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

/** `MM-DD`. A leap year has all of them. */
function isDayOfYear(text: string): boolean {
  return isDay(`2024-${text}`)
}

/** Ids separated by commas. One that has a comma itself stands alone, in another parameter. */
function areIds(text: string): boolean {
  const ids = text.split(',')
  return ids.length <= MAX.further_branches && ids.every((id) => id !== '' && hasAtMost(id, MAX.id))
}

/** A bound of a period: any existing day, or an instant on one. */
function isBound(text: string): boolean {
  return isDay(INSTANT.exec(text)?.[1] ?? text)
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** ISO 8601 with an offset or `Z`. */
export function isInstant(text: string): boolean {
  const day = INSTANT.exec(text)?.[1]
  return day !== undefined && isRecordedDay(day)
}

/** Like `isInstant`, and also a date alone, which means the clinic's midnight. */
export function isRecordedInstant(text: string): boolean {
  return isInstant(text) || isRecordedDay(text)
}

function isRecordedDay(text: string): boolean {
  return text >= FIRST_DAY && text <= LAST_DAY && isDate(text)
}

/**
 * The host must be spelled as it will be called, so that the address that was read is the address that is called. Path and query have
 * the characters of RFC 3986.
 */
const WEBHOOK_URL = /^(https?):\/\/([A-Za-z0-9._:[\]-]+)([/?](?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * An https address without credentials, fragment or odd spelling. Where the installation allows it, also plain http to loopback.
 * Does not check where a name points.
 */
export function isWebhookUrl(text: string, about: Pick<About, 'allowsLoopbackHttp'> = {}): boolean {
  const [, scheme, spelling] = WEBHOOK_URL.exec(text) ?? []
  if (spelling === undefined || !URL.canParse(text)) return false
  const { host, hostname } = new URL(text)
  const spelled = spelling.toLowerCase()
  if (scheme === 'https') return spelled === host || spelled === `${hostname}:443`
  return about.allowsLoopbackHttp === true && LOOPBACK_HOST.test(hostname) && [host, `${hostname}:80`].includes(spelled)
}

/** One `@` with something on both sides, no spaces, no control characters. Only the mail system knows more. */
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u

/** Whether an email address has a valid form. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text) && EMAIL.test(visibleText(text))
}

function matching(pattern: string, hint: string): Format {
  const accepted = new RegExp(pattern)
  return { accepts: (text) => accepted.test(text), hint, pattern }
}

const ISO = 'ISO 8601 instant with offset, for example 2026-07-12T09:30:00+03:00'

const forms: Readonly<Record<string, Format>> = {
  'given-id': {
    // Clients fold these segments away before they send a path.
    accepts: (text) => text !== '.' && text !== '..',
    hint: 'must not be `.` or `..`: these cannot stand in a path',
  },
  'given-name': { accepts: isVisible, hint: NAME_HINT },
  date: { accepts: isDate, hint: `must be a date that exists, YYYY-MM-DD, from ${FIRST_YEAR} to ${LAST_YEAR}` },
  instant: { accepts: isInstant, hint: `must be an ${ISO}, within the years 1900 to 2199` },
  'day-or-instant': {
    accepts: isBound,
    hint: `must be a date that exists (YYYY-MM-DD) or an ${ISO}`,
  },
  'recorded-instant': {
    accepts: isRecordedInstant,
    hint: `must be an ${ISO}, or a date (YYYY-MM-DD), within the years 1900 to 2199`,
  },
  day: { accepts: isDay, hint: 'must be a date that exists, YYYY-MM-DD' },
  'day-of-year': { accepts: isDayOfYear, hint: 'must be a day of the year, MM-DD, for example 03-14' },
  'time-of-day': { accepts: (text) => TIME.test(text), hint: 'must be a time of day, HH:MM, up to 24:00' },
  phone: {
    accepts: (text, { country }) => normalPhone(text, country) !== null,
    hint: 'must be a phone number, for example 050-123-4567 or +972501234567',
  },
  'phone-with-extension': {
    accepts: (text, { country }) => normalPhoneWithExtension(text, country) !== null,
    hint: 'must be a phone number, for example 050-123-4567 or +972501234567 x12',
  },
  'international-phone': matching(
    '^\\+[1-9]\\d{3,14}$',
    'must be a phone number in its international form, for example +972501234567',
  ),
  email: { accepts: isEmail, hint: 'must be an email address, for example name@example.com' },
  currency: matching('^[A-Z]{3}$', 'must be a currency in three capital letters (ISO 4217), for example ILS'),
  country: matching('^[A-Z]{2}$', 'must be a country in two capital letters (ISO 3166-1), for example IL'),
  'message-id': matching(
    '^(in|out)_\\d{1,100}$',
    'must be an id with its direction, `in_` or `out_` and digits, for example in_4711',
  ),
  digits: matching('^\\d{1,32}$', 'must be a number in digits alone, for example 15550001111'),
  network: {
    accepts: (text) => readNetwork(text) !== null,
    hint: 'must be an address or a network, for example 203.0.113.9, 203.0.113.0/24 or 2001:db8::/32, without bits after the prefix and not everything',
  },
  'webhook-url': {
    accepts: isWebhookUrl,
    hint: 'must be an https address in plain ASCII, without credentials or fragment, other characters as %XX',
  },
  ids: { accepts: areIds, hint: `must be a comma-separated list of at most ${MAX.further_branches} ids` },
  'event-types': {
    accepts: (text) => text.split(',').every((type) => eventTypes.includes(type as EventType)),
    hint: `must be a comma-separated list of: ${eventTypes.join(', ')}`,
  },
}

/** The formats by name. A text longer than any of them is not checked: some formats would take long over it. */
export const formats: Readonly<Record<string, Format>> = Object.fromEntries(
  Object.entries(forms).map(([name, { accepts, ...said }]) => [
    name,
    { accepts: (text, about) => text.length <= MAX.url && accepts(text, about), ...said },
  ]),
)

/** These only describe answers and documents. In an input, the type limits the value. */
export const describingFormats: readonly string[] = ['int32', 'int64', 'date-time', 'uri']
