// Shows what can be queried: a table of the datasets, or one dataset with its measures, dimensions and filters.
import { cellText, type Row } from './cells.ts'
import { csvText } from './csv.ts'
import { type Layout, onePage, tableText } from './table.ts'

const PARTS: Readonly<Record<string, readonly string[]>> = {
  measures: ['name', 'kind', 'unit', 'requires_scope', 'description'],
  dimensions: ['name', 'kind', 'grains', 'requires_scope', 'description'],
  filters: ['name', 'type', 'operators', 'values', 'requires_scope'],
}

/** Prints the `data` of a description as tables. */
export async function* metricsText(data: Row, layout: Layout, columns: readonly string[]): AsyncGenerator<string> {
  const datasets = data.datasets as readonly Row[]
  const [dataset] = datasets
  if (dataset === undefined || datasets.length > 1) return yield* tableText(onePage(datasets), columns, layout)
  yield `${cellText(dataset.name)}: ${cellText(dataset.description)}\n`
  if (dataset.requires_date_range === true) {
    yield `A query needs a range of ${cellText(dataset.date_filter)}: -f ${cellText(dataset.date_filter)}:between:2026-01-01..2026-06-30\n`
  }
  for (const [part, fields] of Object.entries(PARTS)) {
    const rows = (dataset[part] as readonly Row[]).map((row) => headed(row, part, fields))
    yield '\n'
    yield* tableText(onePage(rows), [part, ...fields.slice(1)], layout)
  }
}

/** The same as one list: the datasets, or the parts of the only one. */
export function metricsCsv(data: Row, columns: readonly string[]): AsyncIterable<string> {
  const datasets = data.datasets as readonly Row[]
  const [dataset] = datasets
  if (dataset === undefined || datasets.length > 1) return csvText(onePage(datasets), columns)
  const rows = Object.keys(PARTS).flatMap((part) => (dataset[part] as readonly Row[]).map((row) => ({ part, ...row })))
  return csvText(onePage(rows), ['part', ...new Set(Object.values(PARTS).flat())])
}

/** Heads the first column with the kind of its rows. */
function headed({ name, ...row }: Row, part: string, fields: readonly string[]): Row {
  return { [part]: name, ...Object.fromEntries(fields.slice(1).map((field) => [field, row[field] ?? null])) }
}
