// Moves the dates of the examples near the reader's day, so that a sample which is pasted finds rows and free slots.
import { zonedInstant } from './zoned-instant.ts'

const WEEK_MS = 7 * 86_400_000
/** The Sunday of the examples' story. All dates of its month move with it. */
const STORY_SUNDAY = Date.parse('2026-07-12T00:00:00Z')
const ZONE = 'Asia/Jerusalem'

/** The revision of MCP that the server speaks. It looks like a day of the story, and stays what it is. */
export const MCP_REVISION = '2026-07-28'

/** Also as it stands in an address. */
const DATE = /\b(2026-07-\d\d)(?:T(\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d{3})?)(?:\+03:00|(%2B)03%3A00))?/g

/**
 * Moves each date of July 2026 by whole weeks: 12 July becomes the Sunday of last week, 26 July that of the next one. Weekdays and
 * times of day stay, and the offset is the zone's at the new date.
 *
 * @example datedNear('from=2026-07-14', new Date('2026-11-21')) // 'from=2026-11-10'
 */
export function datedNear(text: string, now: Date): string {
  const weeks = Math.floor((now.getTime() - STORY_SUNDAY) / WEEK_MS) - 1
  return text.replaceAll(DATE, (_, date: string, time: string | undefined, escaped: string | undefined) => {
    if (time === undefined && date === MCP_REVISION) return date
    const day = new Date(Date.parse(date) + weeks * WEEK_MS).toISOString().slice(0, 10)
    if (time === undefined) return day
    const offset = zonedInstant(new Date(`${day}T${time.replaceAll('%3A', ':')}+03:00`), ZONE, 0).slice(19)
    return `${day}T${time}${escaped === undefined ? offset : encodeURIComponent(offset)}`
  })
}

/** A value of an example, with its dates moved. */
export function exampleNear<T>(example: T, now: Date): T {
  return JSON.parse(datedNear(JSON.stringify(example), now)) as T
}
