// The names of weekdays in the reader's language.

/** The Sunday of some week. */
const SUNDAY = Date.UTC(2023, 0, 1)
const DAY_MS = 86_400_000

/** @param day 0 is Sunday */
export function weekdayName(locale: string, day: number, length: 'long' | 'short'): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: length }).format(SUNDAY + day * DAY_MS)
}
