// The questions of the page in words: each as its chip shows it.

import { useSession } from '@clinic-data/console-parts/session'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { type PatientView, THIS_WEEK } from './questions.ts'

/** A leap year: it has all days. */
const LEAP_YEAR = '2024'

/** JavaScript reads a day beyond the end of a month as one of the next month. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${text}T`)
}

export function useQuestionTexts() {
  const { asks } = usePatientWords()
  const { locale } = useWords()
  const times = useTimes()
  const { currency } = useSession().clinic
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  const birthday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  // Whatever somebody else wrote into an address is shown as it is.
  const day = (text: string) => (isDay(text) ? times.date(text) : text)
  const dayOfYear = (text: string) => {
    const of = `${LEAP_YEAR}-${text}`
    return isDay(of) ? birthday.format(new Date(of)) : text
  }
  return {
    money: (amount: number) => money.format(amount),
    day,
    balance({ owes_more_than: amount }: PatientView): string | null {
      if (amount === undefined) return null
      if (Number(amount) === 0) return asks.owesAnything
      return asks.owes(Number.isNaN(Number(amount)) ? amount : money.format(Number(amount)))
    },
    visit({ last_visit_after: after, last_visit_before: before }: PatientView): string | null {
      if (after !== undefined && before !== undefined) return asks.visitBetween(day(after), day(before))
      if (before !== undefined) return asks.noVisitSince(day(before))
      return after === undefined ? null : asks.visitSince(day(after))
    },
    payment({ last_payment_before: before }: PatientView): string | null {
      return before === undefined ? null : asks.noPaymentSince(day(before))
    },
    birthday({ birthday: named, birthday_from: from, birthday_to: to }: PatientView): string | null {
      if (named === THIS_WEEK) return asks.birthdayThisWeek
      if (from === undefined && to === undefined) return null
      return asks.birthdayBetween(dayOfYear(from ?? '01-01'), dayOfYear(to ?? '12-31'))
    },
    ahead({ has_future_appointment: has }: PatientView): string | null {
      if (has === undefined) return null
      return has === 'true' ? asks.ahead : asks.noneAhead
    },
  }
}
