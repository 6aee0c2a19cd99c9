// Derives the weekly hours of an outpatient clinic from its slots.

import type { ProviderWeekRecord } from '@clinic-data/records/schedule'

export const SLOT_COLUMNS = ['appointment_date', 'appointment_time'] as const

const DEFAULT_MINUTES = 15
const DAY_MINUTES = 24 * 60

/** Collects the starts of slots on each day of the week. */
export class SlotWeek {
  readonly #days = new Map<number, Set<number>>()
  /** The date of the row before: slots come day by day. */
  #date = ''
  #weekday = Number.NaN

  take({ appointment_date, appointment_time }: Readonly<Record<(typeof SLOT_COLUMNS)[number], string>>): void {
    if (appointment_date !== this.#date) {
      this.#date = appointment_date
      this.#weekday = new Date(`${appointment_date}T00:00:00Z`).getUTCDay()
    }
    const start = Number(appointment_time.slice(0, 2)) * 60 + Number(appointment_time.slice(3, 5))
    if (Number.isNaN(this.#weekday) || !(start >= 0 && start < DAY_MINUTES)) return
    const day = this.#days.get(this.#weekday) ?? new Set()
    this.#days.set(this.#weekday, day.add(start))
  }

  /** The shortest time between the starts of two slots of a day. */
  get slotMinutes(): number {
    const steps = [...this.#days.values()].flatMap((day) => {
      const starts = [...day].sort((a, b) => a - b)
      return starts.slice(1).map((start, i) => start - (starts[i] ?? 0))
    })
    return steps.length === 0 ? DEFAULT_MINUTES : Math.min(...steps)
  }

  /** Joins slots without a gap between them into one window. */
  get windows(): Omit<ProviderWeekRecord['windows'][number], 'branch_id'>[] {
    const length = this.slotMinutes
    return [...this.#days].flatMap(([weekday, day]) => {
      const windows: [from: number, to: number][] = []
      for (const start of [...day].sort((a, b) => a - b)) {
        const last = windows.at(-1)
        const end = Math.min(start + length, DAY_MINUTES)
        if (last !== undefined && last[1] === start) last[1] = end
        else windows.push([start, end])
      }
      return windows.map(([from, to]) => ({ weekday, starts_at: timeOf(from), ends_at: timeOf(to) }))
    })
  }
}

function timeOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
