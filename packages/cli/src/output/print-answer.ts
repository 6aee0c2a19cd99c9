// Prints an operation's answer in the requested format.

import type { CommandRun } from '../command-run.ts'
import { type Body, Tally } from '../connection/pages.ts'
import { ClosedPipe, isColoured } from '../process-context.ts'
import { type Row, valueAt } from '../views/cells.ts'
import { csvText } from '../views/csv.ts'
import { metricsCsv, metricsText } from '../views/metrics.ts'
import { openCircuitHints } from '../views/open-circuits.ts'
import { groupColumns, queryText, truncationHint } from '../views/query.ts'
import { fieldsText, type Layout, onePage, tableText } from '../views/table.ts'
import { transcriptText } from '../views/transcript.ts'
import { columnsOf } from './columns.ts'
import { chosenFields } from './fields.ts'
import { joinedJson, jsonText } from './json-text.ts'
import { printSized } from './large-output.ts'
import { printPaged } from './paged.ts'
import { tell } from './tell.ts'

/** The layout of standard output. Only a table on a terminal gets emphasis, and only there lines are cut unless `--wide` is given. */
export function layoutOf({ stdout, environment, call, format }: CommandRun): Layout {
  const isCut = stdout.isTerminal && format === 'table' && !call.options.wide
  return { columns: isCut ? stdout.columns : null, isColoured: isColoured(stdout, environment) }
}

const NO_ROWS = 'no rows'

/** Prints one answer: the whole body, or a table of it. */
export async function printBody(run: CommandRun, whole: Body): Promise<void> {
  const { format, stdout } = run
  const body = chosenFields(run.call, whole)
  if (format === 'json') return stdout.write(`${jsonText(body, 2)}\n`)
  if (format === 'agents') {
    async function* text() {
      yield jsonText(body, 0)
    }
    return printSized(stdout, text(), { items: countOf(run, body), next_cursor: body.next_cursor ?? null })
  }
  const printed = format === 'csv' ? csvOf(run, body) : tableOf(run, body)
  await printPaged(run, printed)
  if (countOf(run, body) === 0) await tell(run.stderr, NO_ROWS)
  for (const hint of hintsOf(run, body)) await tell(run.stderr, `hint: ${hint}`)
}

/** Prints the rows of many pages as they arrive. */
export async function printPages(run: CommandRun, pages: AsyncIterable<Body>): Promise<void> {
  const { format, stdout } = run
  const tally = new Tally()
  async function* chosen() {
    for await (const page of pages) yield chosenFields(run.call, page)
  }
  const counted = tally.count(chosen())
  if (format === 'agents') return printSized(stdout, joinedJson(counted, 0), tally)
  if (format === 'json') {
    for await (const text of joinedJson(counted, 2)) await stdout.write(text)
    return stdout.write('\n')
  }
  async function* rows() {
    for await (const { data } of counted) yield data as Row[]
  }
  try {
    await printPaged(run, rowsText(run, rows(), columnsOf(run.call, layoutOf(run))))
    if (tally.items === 0) await tell(run.stderr, NO_ROWS)
  } catch (error) {
    if (tally.next_cursor !== null && !(error instanceof ClosedPipe)) {
      await tell(run.stderr, `hint: the rows so far are whole; --cursor ${tally.next_cursor} goes on`)
    }
    throw error
  }
}

/** Rows that come page by page. */
export function rowsText(
  run: CommandRun,
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly string[],
): AsyncIterable<string> {
  return run.format === 'csv' ? csvText(pages, columns) : tableText(pages, columns, layoutOf(run))
}

/** Rows alone: totals and transcripts, which a table shows apart, are left out. */
function csvOf(run: CommandRun, body: Body): AsyncIterable<string> {
  const { command, options } = run.call
  const found = valueAt(body, command.rows)
  if (command.operation === 'metrics.describe') return metricsCsv(body.data as Row, command.output_columns)
  const requested =
    command.operation === 'query.run' && options.columns === undefined
      ? groupColumns(body.data as Row)
      : columnsOf(run.call, layoutOf(run))
  return csvText(onePage(Array.isArray(found) ? (found as Row[]) : [found as Row]), requested)
}

async function* tableOf(run: CommandRun, body: Body): AsyncGenerator<string> {
  const { command, options } = run.call
  const layout = layoutOf(run)
  const isShort = options.columns !== undefined || command.operation === 'metrics.describe'
  const requested = isShort ? columnsOf(run.call, layout) : command.output_columns
  if (command.operation === 'query.run') yield* queryText(body.data as Row, layout, options['no-chart'] === undefined)
  else if (command.operation === 'metrics.describe') yield* metricsText(body.data as Row, layout, requested)
  else {
    const found = valueAt(body, command.rows)
    if (Array.isArray(found)) yield* tableText(onePage(found as Row[]), columnsOf(run.call, layout), layout)
    else yield await fieldsText(found as Row, requested, layout)
    if (command.operation === 'calls.get') yield transcriptText(found as Row, layout)
  }
}

/** Says what the table leaves out, and what to do about what it shows. */
function hintsOf({ call }: CommandRun, { data, next_cursor }: Body): string[] {
  const { operation } = call.command
  if (operation === 'query.run') return [truncationHint(data as Row) ?? []].flat()
  if (operation === 'webhooks.create') return ['keep the secret: it is shown this once']
  if (operation === 'webhooks.list' || operation === 'webhooks.get')
    return openCircuitHints([data as Row | Row[]].flat())
  return typeof next_cursor === 'string' ? [`there are more rows: --all, or --cursor ${next_cursor}`] : []
}

/** Counts the rows of an answer. One resource counts as one. */
function countOf({ call }: CommandRun, body: Body): number {
  const found = valueAt(body, call.command.rows)
  return Array.isArray(found) ? found.length : 1
}
