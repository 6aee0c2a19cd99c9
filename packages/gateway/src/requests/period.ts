// Checks the period of a query: not backwards, and not longer than the operation allows.
import type { Clinic, Fault, Operation } from '@clinic-data/contract'
import { isDate } from '@clinic-data/contract/formats'

const DAY_MS = 86_400_000

/** The fault of well-formed `from` and `to`, or null. */
export function periodFault(operation: Operation, from: string, to: string, { time_zone }: Clinic): Fault | null {
  if (isReversed(from, to, time_zone)) return { parameter: 'from', code: 'reversed', detail: 'must not be after `to`' }
  const { maxPeriodDays } = operation
  if (!maxPeriodDays || (Date.parse(to) - Date.parse(from)) / DAY_MS < maxPeriodDays) return null
  const detail = `must be at most ${maxPeriodDays} days from \`from\`, both included`
  return { parameter: 'to', code: 'too_long', detail }
}

/** Whether `from` lies after `to`. Each is an instant or a whole clinic-local day. */
function isReversed(from: string, to: string, timeZone: string): boolean {
  const fromDay = isDate(from)
  const toDay = isDate(to)
  if (!fromDay && !toDay) return Date.parse(from) > Date.parse(to)
  return (fromDay ? from : localDate(from, timeZone)) > (toDay ? to : localDate(to, timeZone))
}

/** The local day of an instant in a time zone, `YYYY-MM-DD`. */
function localDate(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(instant),
  )
}
