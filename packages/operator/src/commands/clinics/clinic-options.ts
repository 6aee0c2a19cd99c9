// The values of options about a clinic's settings.
import { UsageError } from '../../usage-error.ts'

export const WEEK_STARTS = ['sunday', 'monday'] as const
export type WeekStart = (typeof WEEK_STARTS)[number]

export const SWITCH = ['on', 'off'] as const

export const weekStartOf = (day: WeekStart) => (day === 'sunday' ? 0 : 1)

export function minutesOf(text: string, option: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`${option} must be a whole number`)
  return Number(text)
}
