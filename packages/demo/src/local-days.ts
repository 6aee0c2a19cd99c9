// Converts between the clinic's days, as numbers (days since 1970-01-01), and instants.

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export class LocalDays {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  constructor(time_zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, timeZoneName: 'longOffset' })
  }

  /** The local day of an instant. */
  dayOf(ms: number): number {
    return Math.floor((ms + this.#offsetAt(ms)) / DAY_MS)
  }

  /** The instant of a local time of day, in epoch milliseconds. */
  at(day: number, minutes: number): number {
    const utc = day * DAY_MS + minutes * MINUTE_MS
    const noon = this.#noonOffset(day)
    // Clocks change at night: from 04:00 on the offset is the one at noon.
    return utc - (minutes >= 4 * 60 ? noon : this.#offsetAt(utc - noon))
  }

  /** Kept, because it is slow to compute and every appointment of a day needs it. */
  #noonOffset(day: number): number {
    const offset = this.#offsets.get(day) ?? this.#offsetAt(day * DAY_MS + DAY_MS / 2)
    this.#offsets.set(day, offset)
    return offset
  }

  #offsetAt(ms: number): number {
    const name = this.#format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  }
}

/** 0 is Sunday. */
export function weekdayOf(day: number): number {
  return (day + 4) % 7
}

/** `YYYY-MM-DD`. */
export function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Reads a date that `dateText` wrote. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

export function instantText(ms: number): string {
  return new Date(ms).toISOString()
}
