// The form of a model's dataset, and the arithmetic of its measures: plain loops over records.
import type { DatasetName, DimensionName, MeasureName } from '@clinic-data/contract/analytics/datasets'
import type { ModelClinic } from './model-clinic.ts'

export type Value = string | number | boolean | null
export type Fields = Readonly<Record<string, Value | Value[]>>

/** A record's day, its dimensions by name (with all values if there are several), and the fields that measures need. */
export interface ModelRecord<N extends DatasetName = DatasetName> {
  day: string | null
  dimensions: Readonly<Record<DimensionName<N>, Value | Value[]>>
  fields: Fields
}

/** `by` are the dimensions by which the records were grouped: none for the totals. */
export type ModelMeasure = (records: readonly ModelRecord[], by: readonly string[]) => number | null

export interface ModelDataset<N extends DatasetName = DatasetName> {
  records: (clinic: ModelClinic, today: string) => ModelRecord<N>[]
  measures: Readonly<Record<MeasureName<N>, ModelMeasure>>
}

export type Records = readonly ModelRecord[]

export const only = (records: Records, ...wanted: [field: string, value: Value][]) =>
  records.filter(({ fields }) => wanted.every(([field, value]) => fields[field] === value))
export const known = (records: Records, field: string) =>
  records.flatMap(({ fields }) => (fields[field] === null ? [] : Number(fields[field])))
export const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
export const different = (records: Records, field: string) =>
  new Set(records.flatMap(({ fields }) => (fields[field] === null ? [] : String(fields[field])))).size

/** The exact quotient of whole numbers, rounded to hundredths. Halves are rounded away from zero. */
export function quotient(numerator: number, denominator: number): number | null {
  if (denominator === 0) return null
  const [a, b] = [BigInt(Math.abs(numerator)) * 200n, BigInt(denominator)]
  const hundredths = Number((a + b) / (2n * b)) * Math.sign(numerator)
  return hundredths === 0 ? 0 : hundredths / 100
}

export const mean = (numbers: readonly number[], unit = 1) => quotient(total(numbers), unit * numbers.length)
export const rate = (part: Records, whole: Records) => quotient(part.length * 100, whole.length)

export function localDay(instant: number | null, timeZone: string): string | null {
  return instant === null ? null : (localParts(instant, timeZone)[0] ?? null)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function localParts(instant: number, timeZone: string): [day: string, hour: number] {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return [`${parts.year}-${parts.month}-${parts.day}`, Number(parts.hour)]
}

export const hourOf = (instant: number | null, timeZone: string) =>
  instant === null ? null : localParts(instant, timeZone)[1]
export const weekdayOf = (day: string | null) => (day === null ? null : new Date(`${day}T00:00:00Z`).getUTCDay())

export function ageOn(today: string, birth: string | null): number | null {
  if (birth === null || birth > today) return null
  return Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) - (today.slice(5) < birth.slice(5) ? 1 : 0)
}

export function bandOf(age: number | null): string | null {
  if (age === null) return null
  return age < 18 ? '0-17' : age < 30 ? '18-29' : age < 45 ? '30-44' : age < 65 ? '45-64' : '65+'
}

/** The kinds of the clinic's statuses `s0` to `s5`. */
export const kinds = ['booked', 'confirmed', 'arrived', 'completed', 'cancelled', 'no_show'] as const
export const kindOf = (status: string | null) => (status === null ? null : (kinds[Number(status.slice(1))] ?? null))
