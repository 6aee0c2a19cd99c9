// Days of the clinic's calendar as texts, `YYYY-MM-DD`, and the ranges that are asked for most.
import type { Words } from '@clinic-data/console-words/en'

const DAY_MS = 86_400_000

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

export const daysLater = (day: string, days: number) => dayOf(new Date(dateOf(day).getTime() + days * DAY_MS))

/** The first day of a month, so many months later. */
function monthsLater(day: string, months: number): string {
  const date = dateOf(day)
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)))
}

/** Today in the clinic's zone. */
export function today(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(Date.now())
    .reduce<Record<string, string>>((all, { type, value }) => Object.assign(all, { [type]: value }), {})
  return `${parts.year}-${parts.month}-${parts.day}`
}

export interface Range {
  readonly from: string
  readonly to: string
}

export type RangeName = Exclude<keyof Words['explore']['ranges'], 'own'>

/** Each ends today, but for last month. */
const ranges: Readonly<Record<RangeName, (now: string) => Range>> = {
  week: (now) => ({ from: daysLater(now, -6), to: now }),
  month: (now) => ({ from: daysLater(now, -29), to: now }),
  quarter: (now) => ({ from: daysLater(now, -89), to: now }),
  this_month: (now) => ({ from: monthsLater(now, 0), to: now }),
  last_month: (now) => ({ from: monthsLater(now, -1), to: daysLater(monthsLater(now, 0), -1) }),
  year: (now) => ({ from: monthsLater(now, -11), to: now }),
  this_year: (now) => ({ from: `${now.slice(0, 4)}-01-01`, to: now }),
  all: () => ({ from: '', to: '' }),
}

export const RANGES = Object.keys(ranges) as readonly RangeName[]

/** @param now today in the clinic's zone */
export const namedRange = (name: RangeName, now: string): Range => ranges[name](now)

/** The range's name, where it has one. */
export function nameOfRange({ from, to }: Range, now: string): RangeName | null {
  return RANGES.find((name) => ranges[name](now).from === from && ranges[name](now).to === to) ?? null
}

/** The first day of the next period after one that begins on this day. */
export function nextPeriod(day: string, grain: 'day' | 'week' | 'month' | 'quarter' | 'year'): string {
  if (grain === 'day' || grain === 'week') return daysLater(day, grain === 'day' ? 1 : 7)
  return monthsLater(day, { month: 1, quarter: 3, year: 12 }[grain])
}
