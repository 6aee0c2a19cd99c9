// Checks the filters of a query: names, operators, values, and the range of dates.
import type { Finding } from '../input/findings.ts'
import { formats, isDay } from '../input/formats.ts'
import { MAX } from '../limits.ts'
import { notAllowed } from './allowed-names.ts'
import { type Dataset, dimensionScopes, type Filter, type FilterType, filterOperators, type May } from './dataset.ts'
import type { SentFilter } from './sent-query.ts'

/** The longest range of a dataset that needs one, because the whole range is scanned together. */
export const RANGE_YEARS = 10

/** The maximum of values in one filter. */
export const MOST_VALUES = 1000

type Sent = readonly (SentFilter | undefined)[]

export function checkFilters(dataset: Dataset, filters: Sent, may: May): Finding[] {
  const findings = filters.flatMap((sent, at) => (sent ? checkFilter(dataset, sent, at, may) : []))
  const isFaulty = (at: number) =>
    findings.some(({ place }) => place.startsWith(`/filters/${at}/`) || place === `/filters/${at}`)
  const isUnclear = filters.some(
    (sent, at) => sent === undefined || (sent.field === dataset.date_filter && isFaulty(at)),
  )
  if (!isUnclear) return [...findings, ...checkRange(dataset, filters)]
  const isOpen = dataset.requires_date_range && !isMeantClosed(dataset, filters)
  return isOpen ? [...findings, missingRange(dataset)] : findings
}

/**
 * Whether the filters on the date would close a range if nothing else were wrong in them. A filter that cannot be read may be one. An
 * operator of other filters, or an unknown one with a list, stands for whole days. An unknown one with one value is one end, as `>=`
 * is, and closes the range only together with another.
 */
function isMeantClosed({ date_filter }: Dataset, filters: Sent): boolean {
  const ends = new Set<unknown>()
  for (const sent of filters) {
    if (sent === undefined) return true
    const { field, op, value } = sent
    if (field !== date_filter) continue
    if (op === undefined ? Array.isArray(value) : op !== 'gte' && op !== 'lte') return true
    ends.add(op ?? sent)
  }
  return ends.size > 1
}

function checkFilter(dataset: Dataset, sent: SentFilter, at: number, may: May): Finding[] {
  const place = `/filters/${at}`
  const filter = Object.hasOwn(dataset.filters, sent.field) ? dataset.filters[sent.field] : undefined
  if (filter === undefined) {
    const allowed = Object.keys(dataset.filters).filter((name) => dimensionScopes(dataset, name).every(may))
    return [notAllowed(`${place}/field`, allowed, sent.field)]
  }
  const operators = filterOperators[filter.type]
  if (sent.op !== undefined && operators.includes(sent.op)) return checkValue(filter, sent, `${place}/value`)
  return [notAllowed(`${place}/op`, operators), ...checkEach(filter, sent.value, `${place}/value`)]
}

const valueForms: Readonly<Record<FilterType, { accepts: (value: unknown) => boolean; one: string }>> = {
  date: { accepts: (value) => typeof value === 'string' && isDay(value), one: formats.day?.hint ?? '' },
  id_list: { accepts: isText, one: `must be an id: a string of 1 to ${MAX.id} characters` },
  string_list: { accepts: isText, one: 'must be a string' },
  boolean: { accepts: (value) => typeof value === 'boolean', one: 'must be true or false' },
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function checkValue(filter: Filter, { op, value }: SentFilter, place: string): Finding[] {
  if (op === 'between') {
    if (!Array.isArray(value) || value.length !== 2) {
      return [{ place, code: 'type', detail: 'must be an array of two dates: the first day and the last' }]
    }
  } else if (op === 'in' || op === 'not_in') {
    if (!Array.isArray(value)) return [{ place, code: 'type', detail: 'must be an array' }]
    if (value.length === 0) return [{ place, code: 'too_few', detail: 'must have at least 1 items' }]
  } else return checkOne(filter, value, place)
  return checkEach(filter, value, place)
}

/** Checks a value, or each value of a list, for what every operator needs. */
function checkEach(filter: Filter, value: unknown, place: string): Finding[] {
  if (!Array.isArray(value)) return checkOne(filter, value, place)
  // The schema reports it.
  if (value.length > MOST_VALUES) return []
  return value.flatMap((one, at) => checkOne(filter, one, `${place}/${at}`))
}

function checkOne({ type, values }: Filter, value: unknown, place: string): Finding[] {
  // In the form of rows: a weekday is a number there.
  const isNumeric = values?.every((one) => /^\d+$/.test(one)) === true && typeof value === 'number'
  if (values !== undefined && !values.includes(isNumeric ? String(value) : (value as string))) {
    return [notAllowed(place, values, value)]
  }
  const { accepts, one } = valueForms[type]
  return isNumeric || accepts(value) ? [] : [{ place, code: type === 'date' ? 'format' : 'type', detail: one }]
}

/** The days within every range of the valid filters. Days sort like their texts. */
export function dateRange(dataset: Dataset, filters: Sent): { from: string | undefined; to: string | undefined } {
  let [from, to]: (string | undefined)[] = []
  for (const sent of filters) {
    if (sent?.field !== dataset.date_filter) continue
    const values = [sent.value].flat() as string[]
    const [first = '', last = first] = values
    if (sent.op !== 'lte' && (from === undefined || first > from)) from = first
    if (sent.op !== 'gte' && (to === undefined || last < to)) to = last
  }
  return { from, to }
}

function checkRange(dataset: Dataset, filters: Sent): Finding[] {
  const { date_filter, requires_date_range } = dataset
  const { from, to } = dateRange(dataset, filters)
  const at = filters.findIndex((sent) => sent?.field === date_filter)
  const place = at < 0 ? '/filters' : `/filters/${at}`
  if (from === undefined || to === undefined) {
    return requires_date_range ? [missingRange(dataset)] : []
  }
  if (from > to) return [{ place, code: 'reversed', detail: `${date_filter} must not begin after it ends` }]
  if (!requires_date_range || to < yearsLater(from)) return []
  return [{ place, code: 'too_long', detail: `${date_filter} must span at most ${RANGE_YEARS} years` }]
}

function missingRange({ date_filter }: Dataset): Finding {
  const detail = `must hold a closed range on ${date_filter}: \`between\`, or \`gte\` together with \`lte\``
  return { place: '/filters', code: 'required', detail }
}

function yearsLater(day: string): string {
  const year = Number(day.slice(0, 4)) + RANGE_YEARS
  // No day is later, and days are compared as texts.
  return year > 9999 ? 'end' : `${String(year).padStart(4, '0')}${day.slice(4)}`
}
