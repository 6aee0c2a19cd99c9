// Shows what can be queried: a table of the datasets, or one dataset with its measures, dimensions and filters.
import { cellText, type Row } from './cells.ts'
import { csvText } from './csv.ts'
import { type Layout, onePage, tableText } from './table.ts'
import { wrapped } from './text-width.ts'

const PARTS: Readonly<Record<string, readonly string[]>> = {
  measures: ['name', 'kind', 'unit', 'requires_scope', 'description'],
  dimensions: ['name', 'kind', 'grains', 'requires_scope', 'description'],
  filters: ['name', 'type', 'operators', 'values', 'requires_scope'],
}

/** On a terminal: what a query is written by, and what it means. */
const PARTS_ON_TERMINAL: typeof PARTS = {
  measures: ['name', 'unit', 'description'],
  dimensions: ['name', 'grains', 'description'],
  filters: ['name', 'type', 'operators', 'values'],
}

/** Prints the `data` of a description as tables. */
export async function* metricsText(data: Row, layout: Layout, columns: readonly string[]): AsyncGenerator<string> {
  const datasets = data.datasets as readonly Row[]
  const [dataset] = datasets
  if (dataset === undefined || datasets.length > 1)
    return yield* tableText(onePage(datasets), columns, { ...layout, whole: ['name'] })
  yield* sentences([`${cellText(dataset.name)}: ${cellText(dataset.description)}`], layout)
  if (dataset.requires_date_range === true) {
    const date = cellText(dataset.date_filter)
    yield* sentences([`A query needs a range of ${date}:`, `-f ${date}:between:2026-01-01..2026-06-30`], layout)
  }
  for (const [part, fields] of Object.entries(layout.columns === null ? PARTS : PARTS_ON_TERMINAL)) {
    const rows = (dataset[part] as readonly Row[]).map((row) => headed(row, part, fields))
    yield '\n'
    yield* tableText(onePage(rows), [part, ...fields.slice(1)], { ...layout, whole: [part] })
  }
}

/** On a terminal each begins a line, elsewhere they are one line. */
async function* sentences(texts: readonly string[], { columns }: Layout): AsyncGenerator<string> {
  const lines = await wrapped(columns === null ? [texts.join(' ')] : texts, columns)
  yield lines
    .flat()
    .map((line) => `${line}\n`)
    .join('')
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
