// Chooses from the question what a chart of an answer shows: its points and its lines.

import type { Point, Series } from '@clinic-data/console-parts/charts/chart'
import type { Grain } from '@clinic-data/contract/analytics/dataset'
import { nextPeriod } from './days.ts'
import type { Answer, By, Descriptor, Value, Warnings } from './question.ts'
import type { ShownFigures } from './shown-figures.ts'

export interface Answered {
  readonly descriptor: Descriptor
  readonly by: readonly By[]
  readonly answer: Answer
  readonly warnings: Warnings
}

type Row = Answer['rows'][number]
type Measure = Descriptor['measures'][number]

/** Values that have an order of their own stand on an axis. Names are ranked. */
const IN_ORDER = ['weekday', 'hour_of_day']
const TONES = ['main', 'second', 'third', 'fourth'] as const
/** More names than that are read from the table. */
const MOST_RANKED = 15
/** With more points a line is easier to read than bars. */
const MOST_BARS = 14

export const isTime = ({ dimensions }: Descriptor, field: string) =>
  dimensions.some(({ name, kind }) => name === field && kind === 'time')

export const unitOf = ({ measures }: Descriptor, name: string) =>
  measures.find((measure) => measure.name === name)?.unit ?? 'count'

/** The dimension of the axis, or null where the answer is ranked. */
export function axisOf({ descriptor, by }: Pick<Answered, 'descriptor' | 'by'>): By | null {
  const inOrder = (one: By) => isTime(descriptor, one.field) || IN_ORDER.includes(one.field)
  return by.length > 2 ? null : (by.find(inOrder) ?? null)
}

/** The value as text: its name, where the answer has it. */
export function shownValue(row: Row, { field, grain }: By, shown: ShownFigures): string {
  const label = row[`${field}_label`]
  return typeof label === 'string' && label !== '' ? label : shown.value(field, row[field] ?? null, grain ?? 'day')
}

export interface Drawn {
  readonly points: readonly Point[]
  readonly series: readonly Series[]
  readonly kind: 'bars' | 'lines'
  /** How many values of the second dimension there are, where not all are drawn. */
  readonly of: number | null
}

/** Along an axis: the measures of one unit, or one measure for each of the values of the second dimension. */
export function drawn(answered: Answered, axis: By, measure: string, shown: ShownFigures): Drawn {
  const { descriptor, by, answer } = answered
  const split = by.find(({ field }) => field !== axis.field)
  const unit = unitOf(descriptor, measure)
  const alike = answer.measures.filter((name) => unitOf(descriptor, name) === unit)
  const chosen = [measure, ...alike.filter((name) => name !== measure)].slice(0, TONES.length)
  const all = split ? largest(answer.rows, split.field, measure) : []
  const groups = all.slice(0, TONES.length)
  const lines = split
    ? groups.map(({ value, row }) => ({
        name: shownValue(row, split, shown),
        of: (one: Row) => one[split.field] === value,
        from: measure,
      }))
    : chosen.map((name) => ({ name: shown.measure(descriptor.name, name), of: () => true, from: name }))
  const steps = stepsOf(answered, axis)
  const rest = lines.map(({ from }) => (isSum(descriptor.measures, from) ? 0 : null))
  const points = steps.map((step) => {
    const rows = answer.rows.filter((row) => row[axis.field] === step)
    const figures = lines.map(
      ({ of, from }, at) => [`s${at}`, numberOf(rows.find(of)?.[from]) ?? rest[at] ?? null] as const,
    )
    return { name: shown.value(axis.field, step, axis.grain ?? 'day'), ...Object.fromEntries(figures) }
  })
  const series = lines.map(({ name }, at) => ({ key: `s${at}`, name, tone: TONES[at] ?? ('quiet' as const) }))
  const isLong = steps.length > MOST_BARS || (lines.length > 1 && isTime(descriptor, axis.field))
  return { points, series, kind: isLong ? 'lines' : 'bars', of: all.length > groups.length ? all.length : null }
}

const numberOf = (value: Value | undefined) => (typeof value === 'number' ? value : null)

/** A sum over nothing is 0, and an average or a rate is none. */
const isSum = (measures: readonly Measure[], name: string) =>
  measures.some((measure) => measure.name === name && measure.kind !== 'avg' && measure.kind !== 'ratio')

/** The values of a split, that with the most of the measure first. */
function largest(rows: readonly Row[], field: string, measure: string) {
  const sums = new Map<Value, { value: Value; row: Row; sum: number }>()
  for (const row of rows) {
    const value = row[field] ?? null
    const before = sums.get(value) ?? { value, row, sum: 0 }
    sums.set(value, { ...before, sum: before.sum + (numberOf(row[measure]) ?? 0) })
  }
  return [...sums.values()].sort((a, b) => b.sum - a.sum)
}

/** The values along the axis, in their order. An answer has no rows of empty periods, and a line must not pass over them. */
function stepsOf({ descriptor, answer }: Answered, { field, grain }: By): Value[] {
  const values = [...new Set(answer.rows.map((row) => row[field] ?? null))].filter((value) => value !== null)
  if (!isTime(descriptor, field)) return values.sort((a, b) => Number(a) - Number(b))
  const days = (values as string[]).sort()
  const [first = ''] = days
  const last = days.at(-1) ?? ''
  return answer.truncated || first === '' ? days : periods(first, last, grain ?? 'day')
}

function periods(first: string, last: string, grain: Grain): string[] {
  const all: string[] = []
  for (let day = first; day <= last; day = nextPeriod(day, grain)) all.push(day)
  return all
}

export interface Ranked {
  readonly name: string
  readonly figure: string
  /** The part of the largest value, from 0 to 1. */
  readonly share: number
}

/** The names with the most, largest first. Empty where there is nothing to compare. */
export function ranked({ descriptor, by, answer }: Answered, measure: string, shown: ShownFigures): Ranked[] {
  const rows = answer.rows
    .map((row) => ({ row, value: numberOf(row[measure]) ?? 0 }))
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_RANKED)
  const most = Math.max(0, ...rows.map(({ value }) => value))
  return rows.map(({ row, value }) => ({
    name: by.map((one) => shownValue(row, one, shown)).join(' · '),
    figure: shown.figure(row[measure], unitOf(descriptor, measure), row.currency),
    share: most === 0 ? 0 : Math.max(0, value / most),
  }))
}
