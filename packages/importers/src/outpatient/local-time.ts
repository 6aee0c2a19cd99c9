// Turns local dates and times of a clinic into instants, also where its clocks jump.

import { isDate } from '@clinic-data/contract/formats'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'

const DAY_MS = 24 * 60 * 60_000
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

export class LocalTime {
  readonly #timeZone: string
  /** By date: the offset of the whole day. Null for a day near a change of offset. */
  readonly #offsets = new Map<string, string | null>()

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /**
   * Adds the offset of that time. A time that clocks skipped moves forward with them. A time that came twice
   * means the first.
   *
   * @returns null unless the texts are `YYYY-MM-DD` and `HH:MM:SS`.
   * @example new LocalTime('Europe/London').instant('2024-03-31', '01:30:00') // '2024-03-31T02:30:00+01:00'
   */
  instant(date: string, time: string): string | null {
    if (!TIME.test(time)) return null
    const known = this.#offsets.get(date)
    if (known !== undefined) return known === null ? this.#aroundChange(date, time) : `${date}T${time}${known}`
    if (!isDate(date)) return null
    const noon = Date.parse(`${date}T12:00:00Z`)
    const [before, after] = [this.#offsetAt(noon - DAY_MS), this.#offsetAt(noon + DAY_MS)]
    this.#offsets.set(date, before === after ? before : null)
    return this.instant(date, time)
  }

  #aroundChange(date: string, time: string): string {
    const noon = Date.parse(`${date}T12:00:00Z`)
    const first = Date.parse(`${date}T${time}${this.#offsetAt(noon - DAY_MS)}`)
    const second = Date.parse(`${date}T${time}${this.#offsetAt(noon + DAY_MS)}`)
    const local = `${date}T${time}`
    const fitting = [first, second].find((ms) => zonedInstant(new Date(ms), this.#timeZone, 0).startsWith(local))
    // The time was skipped: the offset from before the jump moves it forward.
    return zonedInstant(new Date(fitting ?? first), this.#timeZone, 0)
  }

  #offsetAt(ms: number): string {
    return zonedInstant(new Date(ms), this.#timeZone, 0).slice(19)
  }
}
