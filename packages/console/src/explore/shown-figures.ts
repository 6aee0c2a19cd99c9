// Names, values and figures of an answer as the reader's language and the clinic's settings show them.

import { useSession } from '@clinic-data/console-parts/session'
import type { Words } from '@clinic-data/console-words/en'
import { useWords } from '@clinic-data/console-words/language'
import type { Grain } from '@clinic-data/contract/analytics/dataset'
import { useMemo } from 'react'
import { weekdayName } from '../weekday-name.ts'
import type { Value } from './question.ts'

export interface ShownFigures {
  dataset(name: string): string
  measure(dataset: string, name: string): string
  dimension(dataset: string, name: string): string
  /** A dimension's value that has no name of its own. */
  value(field: string, value: Value, grain: Grain): string
  /** A measure. Null: there was nothing to divide by. */
  figure(value: Value | undefined, unit: string, currency?: Value): string
}

const UNITS: Readonly<Record<string, string>> = { minutes: 'minute', seconds: 'second', days: 'day', years: 'year' }

export function useShownFigures(): ShownFigures {
  const { explore, locale } = useWords()
  const { currency } = useSession().clinic
  return useMemo(() => shownFigures(explore, locale, currency), [explore, locale, currency])
}

/** Names that only the clinic's own service knows are shown as they are. */
function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function shownFigures(explore: Words['explore'], locale: string, currency: string): ShownFigures {
  const formats = new Map<string, Intl.NumberFormat>()
  const format = (key: string, options: Intl.NumberFormatOptions) => {
    const made = formats.get(key) ?? new Intl.NumberFormat(locale, options)
    formats.set(key, made)
    return made
  }
  const formatOf = (unit: string, money: string) => {
    if (unit === 'currency') return format(money, { style: 'currency', currency: money })
    const of = UNITS[unit]
    if (of === undefined) return format(unit, { maximumFractionDigits: 2 })
    return format(unit, { style: 'unit', unit: of, unitDisplay: 'short', maximumFractionDigits: 2 })
  }
  const percent = format('percent', { style: 'percent', maximumFractionDigits: 2 })
  const periods = periodNames(locale)
  const named = (name: string) => own(explore.datasets, name)
  return {
    dataset: (name) => named(name)?.name ?? name,
    measure: (dataset, name) => own<string>(named(dataset)?.measures, name) ?? name,
    dimension: (dataset, name) => own<string>(named(dataset)?.dimensions, name) ?? name,
    value(field, value, grain) {
      if (value === null) return explore.nothing
      if (field.endsWith('_date') && typeof value === 'string') return periods(value, grain)
      if (field === 'weekday') return weekdayName(locale, Number(value), 'long')
      if (field === 'hour_of_day') return `${String(value).padStart(2, '0')}:00`
      const known = own<Readonly<Record<string, string>>>(explore.values, field)
      return own(known, String(value)) ?? String(value)
    },
    figure(value, unit, money) {
      if (typeof value !== 'number') return '–'
      if (unit === 'percent') return percent.format(value / 100)
      return formatOf(unit, typeof money === 'string' ? money : currency).format(value)
    },
  }
}

/** The name of a period is its first day. */
function periodNames(locale: string): (day: string, grain: Grain) => string {
  const options = { timeZone: 'UTC' } as const
  const day = new Intl.DateTimeFormat(locale, { ...options, dateStyle: 'medium' })
  const month = new Intl.DateTimeFormat(locale, { ...options, month: 'short', year: 'numeric' })
  return (text, grain) => {
    const date = new Date(`${text}T00:00:00Z`)
    if (Number.isNaN(date.getTime())) return text
    if (grain === 'year') return text.slice(0, 4)
    if (grain === 'quarter') return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${text.slice(0, 4)}`
    return (grain === 'month' ? month : day).format(date)
  }
}
