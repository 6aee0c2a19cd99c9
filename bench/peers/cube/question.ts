// A question to our service as a query of Cube, and Cube's rows as ours are.
import type { BenchQuestion } from '../../analytics-questions.ts'

type Body = BenchQuestion['body']
type Dimension = string | { field: string; grain: string }
type Filter = { field: string; op: string; value: string[] }

const DATE = 'effective_date'
const TIME = `treatments.${DATE}`
/** Amounts in the currency's smallest unit. */
const MONEY = ['net_revenue', 'gross_revenue', 'avg_net_price']
/** The most groups of an answer of ours. */
const CAPS: Readonly<Record<string, number>> = { treatments: 1000, production: 2000 }

const dimensionsOf = (body: Body) => (body.dimensions ?? []) as Dimension[]
const referencesOf = (body: Body) =>
  dimensionsOf(body).filter((one) => typeof one === 'string' && one !== DATE) as string[]

/** The grain of its groups by date, if there are any. */
function grainOf(body: Body): string | undefined {
  const date = dimensionsOf(body).find((one) => one === DATE || typeof one === 'object')
  return typeof date === 'object' ? date.grain : date && 'day'
}

export function asCube(body: Body): object {
  const references = referencesOf(body)
  const granularity = grainOf(body)
  const filters = body.filters as Filter[]
  const measures = body.measures.map((name) => `treatments.${name}`)
  const grouped = dimensionsOf(body).length > 0
  const first = granularity === undefined ? [measures[0], 'desc'] : [TIME, 'asc']
  return {
    measures,
    dimensions: references.flatMap((name) => [`${name}.id`, `${name}.name`]),
    timeDimensions: [{ dimension: TIME, granularity, dateRange: filters.find(({ field }) => field === DATE)?.value }],
    filters: filters
      .filter(({ field }) => field !== DATE)
      .map(({ field, value }) => ({ member: `${field}.id`, operator: 'equals', values: value })),
    order: grouped ? [first, ...references.map((name) => [`${name}.id`, 'asc'])] : [],
    limit: body.limit ?? CAPS[body.dataset],
    renewQuery: true,
  }
}

/** The same question over all rows: the totals, which ours answers beside the groups. Its limit tells it from a question of its own. */
export function withoutGroups({ dimensions: _, ...body }: Body): Body {
  return { ...body, limit: 1 }
}

export function rowsAsOurs(body: Body, rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.map((row) => ({
    ...Object.fromEntries(
      referencesOf(body).flatMap((name) => [
        [name, row[`${name}.id`]],
        [`${name}_label`, row[`${name}.name`]],
      ]),
    ),
    ...(grainOf(body) !== undefined && { [DATE]: String(row[TIME]).slice(0, 10) }),
    ...Object.fromEntries(body.measures.map((name) => [name, numberOf(name, row[`treatments.${name}`])])),
  }))
}

function numberOf(measure: string, text: unknown): number {
  return MONEY.includes(measure) ? Math.round(Number(text)) / 100 : Number(text)
}
