// A provider's week at a branch in few words: days that have the same hours stand together.
import type { WorkingHours } from '@clinic-data/console-parts/api'

export interface DaysAlike {
  /** The first and the last day, 0 is Sunday. They are the same for a single day. */
  first: number
  last: number
  /** @example ['08:00–13:00', '14:00–18:00'] */
  hours: readonly string[]
}

const DAYS = 7

/** @param start the first day of the clinic's week */
export function daysAlike(windows: readonly WorkingHours[], start: number): DaysAlike[] {
  const alike: DaysAlike[] = []
  for (let at = 0; at < DAYS; at++) {
    const day = (start + at) % DAYS
    const hours = windows
      .filter(({ weekday }) => weekday === day)
      .map(({ starts_at, ends_at }) => `${starts_at}–${ends_at}`)
    const before = alike.at(-1)
    const follows = before !== undefined && before.last === (day + DAYS - 1) % DAYS
    if (follows && hours.length > 0 && before.hours.join() === hours.join()) before.last = day
    else if (hours.length > 0) alike.push({ first: day, last: day, hours })
  }
  return alike
}
