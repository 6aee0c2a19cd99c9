// Turns the rows of a compiled query into the contract's answer.
import { MAX, PAGE } from '@clinic-data/contract'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasets } from '@clinic-data/contract/analytics/datasets'
import type { QueryResult } from '@clinic-data/contract/analytics/query'
import type { Static } from '@clinic-data/contract/schema'
import type { Row } from '@clinic-data/database'
import type { Shape } from './question.ts'

/** As many as a row of the audit log holds. */
const MOST_NAMED = PAGE.max * MAX.patients

type Result = Static<typeof QueryResult>
type Value = Result['totals'][string]

export type Groups = Pick<Result, 'rows' | 'totals' | 'truncated' | 'group_count'>

/** @param rows the rows that the shape's statement returned. */
export function groupsOf(shape: Shape, rows: readonly Row[]): Groups {
  const dataset: Dataset = datasets[shape.dataset]
  const group_count = Number(rows[0]?.group_count ?? 0)
  const totals = shape.measures.map((name, at) => {
    return [name, rows[0] ? numberOf(rows[0][`t${at}`]) : ofNothing(dataset, name)]
  })
  return {
    rows: rows.map((row) => groupOf(dataset, shape, row)),
    totals: Object.fromEntries(totals),
    truncated: group_count > rows.length,
    group_count,
  }
}

/** The patients whose texts the labels of the rows are. The rows themselves do not name them. */
export function patientsOfLabels({ dimensions }: Shape, rows: readonly Row[]): string[] {
  const named = rows.flatMap((row) => dimensions.flatMap((_, at) => (row[`w${at}`] ?? []) as string[]))
  return [...new Set(named)].slice(0, MOST_NAMED)
}

function groupOf(dataset: Dataset, { dimensions, measures }: Shape, row: Row): Record<string, Value> {
  const group: Record<string, Value> = {}
  dimensions.forEach(({ field }, at) => {
    group[field] = row[`k${at}`] as Value
    if (dataset.dimensions[field]?.labelled) group[`${field}_label`] = row[`l${at}`] as Value
  })
  measures.forEach((name, at) => {
    group[name] = numberOf(row[`m${at}`])
  })
  return group
}

/** Numbers arrive as PostgreSQL's text, so that a quotient is rounded only once. */
function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value)
}

/** The totals of an empty set. */
function ofNothing({ measures }: Dataset, name: string): number | null {
  const kind = measures[name]?.kind
  return kind === 'avg' || kind === 'ratio' ? null : 0
}
