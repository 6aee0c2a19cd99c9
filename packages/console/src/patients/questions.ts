// Questions to the clinic's patients, as the page's address says it: amounts and days. No name and no phone stands there.

import type { PatientQuestions } from '@clinic-data/console-parts/api'
import { daysLater } from '../explore/days.ts'
import type { Search } from '../places.tsx'

const NAMES = [
  'owes_more_than',
  'last_visit_before',
  'last_visit_after',
  'last_payment_before',
  'birthday',
  'birthday_from',
  'birthday_to',
  'has_future_appointment',
] as const
export type PatientView = Partial<Record<(typeof NAMES)[number], string>>

/** In the address, in place of two days: a kept view asks for the week in which it is opened. */
export const THIS_WEEK = 'this_week'

/** The questions that an address names. The service refuses values that it does not know. */
export function viewIn(search: Search): PatientView {
  return Object.fromEntries(NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : [])))
}

/** @param now today in the clinic's zone */
export function questionsOf(view: PatientView, now: string, week_start: 'sunday' | 'monday'): PatientQuestions {
  const { birthday, owes_more_than, has_future_appointment, ...days } = view
  return {
    ...days,
    ...(owes_more_than !== undefined && { owes_more_than: Number(owes_more_than) }),
    ...(has_future_appointment !== undefined && { has_future_appointment: has_future_appointment === 'true' }),
    ...(birthday === THIS_WEEK && weekOf(now, week_start)),
  }
}

/** The days of the year of the week with this day in it. */
function weekOf(now: string, week_start: 'sunday' | 'monday') {
  const weekday = new Date(now).getUTCDay() - (week_start === 'monday' ? 1 : 0)
  const first = daysLater(now, -((weekday + 7) % 7))
  return { birthday_from: first.slice(5), birthday_to: daysLater(first, 6).slice(5) }
}

const QUARTER = 90
const HALF_YEAR = 182
const MONTH = 30

/** Those that clinics ask often. */
export const OFTEN: Readonly<Record<'debts' | 'away' | 'birthdays' | 'recent', (now: string) => PatientView>> = {
  debts: (now) => ({ owes_more_than: '0', last_payment_before: daysLater(now, -QUARTER) }),
  away: (now) => ({ last_visit_before: daysLater(now, -HALF_YEAR), has_future_appointment: 'false' }),
  birthdays: () => ({ birthday: THIS_WEEK }),
  recent: (now) => ({ owes_more_than: '0', last_visit_after: daysLater(now, -MONTH) }),
}
