// The working hours of the demo clinic's providers: each has one of a few weekly patterns, and some time off.

import { TimeOffRecord, type WorkingHoursRecord } from '@clinic-data/records/schedule'
import { complete } from '@clinic-data/records/storing/complete-record'
import { type ClinicPlan, drawFor } from './clinic-plan.ts'
import { instantText } from './local-days.ts'
import { branchId, providerId } from './reference-data.ts'

/** In minutes of the local day. */
export type Window = { weekday: number; branch: number; from: number; to: number }

type Shift = { weekdays: readonly number[]; parts: readonly (readonly [from: string, to: string])[]; away?: true }

/** The gap between two parts of a shift is the break. `away` means the provider's second branch. */
const PATTERNS: readonly (readonly Shift[])[] = [
  [
    {
      weekdays: [0, 1, 2],
      parts: [
        ['08:00', '13:00'],
        ['14:00', '18:00'],
      ],
    },
  ],
  [
    {
      weekdays: [2, 3],
      parts: [
        ['09:00', '14:00'],
        ['14:30', '19:00'],
      ],
    },
    { weekdays: [4], parts: [['08:00', '13:00']], away: true },
  ],
  [
    {
      weekdays: [1, 4],
      parts: [
        ['08:30', '12:30'],
        ['13:00', '17:00'],
      ],
    },
    { weekdays: [5], parts: [['08:00', '13:00']] },
  ],
  [
    {
      weekdays: [0, 2, 4],
      parts: [
        ['12:00', '16:00'],
        ['16:30', '20:00'],
      ],
    },
  ],
]

/** A provider's windows by weekday. */
export function weekOf(plan: ClinicPlan, provider: number): Window[] {
  const shifts = PATTERNS[Math.floor(provider / plan.branches) % PATTERNS.length] ?? []
  const home = provider % plan.branches
  const windows = shifts.flatMap(({ weekdays, parts, away }) =>
    weekdays.flatMap((weekday) =>
      parts.map(([from, to]) => ({
        weekday,
        branch: away ? (home + 1) % plan.branches : home,
        from: minutesOf(from),
        to: minutesOf(to),
      })),
    ),
  )
  return windows.sort((a, b) => a.weekday - b.weekday || a.from - b.from)
}

export function workingHours(plan: ClinicPlan): WorkingHoursRecord[] {
  return Array.from({ length: plan.providers }, (_, provider) =>
    weekOf(plan, provider).map(({ weekday, branch, from, to }) => ({
      provider_id: providerId(provider),
      branch_id: branchId(branch),
      weekday,
      starts_at: timeText(from),
      ends_at: timeText(to),
    })),
  ).flat()
}

/** Each provider takes one holiday per half-year. It depends only on the number of the half-year, so it never moves. */
const HALF_YEAR = 182

export function isOff(plan: ClinicPlan, provider: number, day: number): boolean {
  if (isClosed(day)) return true
  const half = Math.floor(day / HALF_YEAR)
  return [half - 1, half].some((number) => {
    const { first, last } = holiday(plan, provider, number)
    return day >= first && day <= last
  })
}

/** Once a quarter the whole clinic meets, and treats nobody. */
function isClosed(day: number): boolean {
  return day % 91 === 45
}

function holiday(plan: ClinicPlan, provider: number, half: number): { first: number; last: number } {
  const draw = drawFor(plan, 'time_off', provider, half)
  const first = half * HALF_YEAR + draw.whole(0, HALF_YEAR - 1)
  return { first, last: first + draw.whole(2, 8) }
}

/** The time off between the days, in whole days from midnight to midnight. */
export function timeOff(plan: ClinicPlan, firstDay: number, lastDay: number): TimeOffRecord[] {
  const records: TimeOffRecord[] = []
  const add = (id: string, provider_id: string | null, first: number, last: number) => {
    if (last < firstDay || first > lastDay) return
    const [start, end] = [plan.days.at(first, 0), plan.days.at(last + 1, 0)]
    records.push(complete(TimeOffRecord, { id, provider_id, start: instantText(start), end: instantText(end) }))
  }
  for (let day = firstDay; day <= lastDay; day++) if (isClosed(day)) add(`closed${day}`, null, day, day)
  for (let provider = 0; provider < plan.providers; provider++) {
    for (let half = Math.floor(firstDay / HALF_YEAR) - 1; half <= Math.floor(lastDay / HALF_YEAR); half++) {
      const { first, last } = holiday(plan, provider, half)
      add(`off${half}-${provider + 1}`, providerId(provider), first, last)
    }
  }
  return records
}

/** The minutes of all providers for visits in an average week. */
export function openMinutesAWeek(plan: ClinicPlan): number {
  let minutes = 0
  for (let provider = 0; provider < plan.providers; provider++) {
    for (const { from, to } of weekOf(plan, provider)) minutes += to - from
  }
  return minutes
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function timeText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
