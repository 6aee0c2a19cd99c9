// The string formats that the contract's inputs name, and how an instant or a day that arrived in a query is read.
import { normalPhone } from '@clinic-data/contract/phone'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/
/** The columns' own bounds: outside them no row can lie. */
const FIRST_YEAR = 1850
const LAST_YEAR = 2200

/** `YYYY-MM-DD`, and a day that exists. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** ISO 8601 with an offset or `Z`. */
export function isInstant(text: string): boolean {
  const parts = INSTANT.exec(text)
  if (!parts?.[1] || !isDate(parts[1])) return false
  const [hour, minute, second, offsetHour, offsetMinute] = parts.slice(2).map((part) => Number(part ?? 0))
  return (
    (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60 && (offsetHour ?? 0) < 16 && (offsetMinute ?? 0) < 60
  )
}

/** A `+` that arrived as a space is accepted: `2026-07-12T09:30:00 03:00`. */
export function repairOffset(text: string): string {
  return text.length > 10 && text[10] === 'T' ? text.replace(/ (\d{2}:\d{2})$/, '+$1') : text
}

/** The local day of an instant in a time zone, `YYYY-MM-DD`. */
export function localDate(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(instant),
  )
}

/** An instant with the time zone's offset, whole seconds: `2026-07-12T09:30:00+03:00`. */
export function zonedInstant(epochMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(new Date(epochMs))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const offset = part('timeZoneName').slice(3) || '+00:00'
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}

/** Whether `from` lies after `to`; each is an instant, or a clinic-local day that is meant whole. */
export function isReversed(from: string, to: string, timeZone: string): boolean {
  const fromDay = isDate(from)
  const toDay = isDate(to)
  if (!fromDay && !toDay) return Date.parse(from) > Date.parse(to)
  return (fromDay ? from : localDate(from, timeZone)) > (toDay ? to : localDate(to, timeZone))
}

/** Formats whose meaning needs no clinic, for the validator. */
export const formats: Record<string, (text: string) => boolean> = {
  date: isDate,
  instant: isInstant,
  'day-or-instant': (text) => isDate(text) || isInstant(text),
  'webhook-url': isWebhookUrl,
  // A phone depends on the clinic's country: `isPhone` is asked once the clinic is known.
  phone: () => true,
  'event-types': () => true,
}

export function isPhone(text: string, country: string): boolean {
  return normalPhone(text, country) !== null
}

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' && !text.includes('#')
}

/** What each format asks for, in the words of a problem's `detail`. */
export const formatHints: Record<string, string> = {
  date: 'must be a date, YYYY-MM-DD',
  instant: 'must be an ISO 8601 instant with offset, for example 2026-07-12T09:30:00+03:00',
  'day-or-instant':
    'must be a date (YYYY-MM-DD) or an ISO 8601 instant with offset, for example 2026-07-12T09:30:00+03:00',
  phone: 'must be a phone number, for example 050-123-4567 or +972501234567',
  'webhook-url': 'must be an https address without credentials or fragment',
  'event-types': 'must be a comma-separated list of event types',
}
