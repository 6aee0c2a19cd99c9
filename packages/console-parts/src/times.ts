// Times as the clinic's clock shows them, in the language of the page.

import { useWords } from '@clinic-data/console-words/language'
import { useSession } from './session.ts'

export interface Times {
  /** @example '14 Jul 2026, 09:30' */
  moment(instant: string): string
  /** @example '14 Jul 2026, 09:30:05' */
  exact(instant: string): string
  /** @example '14 Jul 2026' */
  day(instant: string): string
  /** A day of the clinic's calendar: `YYYY-MM-DD`. @example '14 Jul 2026' */
  date(day: string): string
  /** @example '14 Jul' */
  shortDay(instant: string): string
  /** @example '09:30' */
  clock(instant: number): string
}

/** One a language and zone: making the formatters takes longer than drawing the row that needs them. */
const made = new Map<string, Times>()

export function useTimes(): Times {
  const { locale } = useWords()
  const { time_zone } = useSession().clinic
  const name = `${locale} ${time_zone}`
  const times = made.get(name) ?? makeTimes(locale, time_zone)
  made.set(name, times)
  return times
}

function makeTimes(locale: string, timeZone: string): Times {
  const moment = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  const exact = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' })
  const shortDay = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' })
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' })
  return {
    moment: (instant) => moment.format(new Date(instant)),
    exact: (instant) => exact.format(new Date(instant)),
    shortDay: (instant) => shortDay.format(new Date(instant)),
    day: (instant) => day.format(new Date(instant)),
    date: (day) => date.format(new Date(day)),
    clock: (instant) => clock.format(instant),
  }
}
