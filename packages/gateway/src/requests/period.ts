// Checks the period of a query: not backwards, and not longer than the operation allows.
import type { Clinic, Fault, Operation } from '@clinic-data/contract'
import { isDay } from '@clinic-data/contract/formats'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

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
  const fromDay = isDay(from)
  const toDay = isDay(to)
  if (!fromDay && !toDay) return Date.parse(from) > Date.parse(to)
  const dayOf = (instant: string) => zonedInstant(new Date(instant), timeZone, 0).slice(0, DAY_LENGTH)
  return (fromDay ? from : dayOf(from)) > (toDay ? to : dayOf(to))
}
