// The rows of the activity as lines of a CSV for people: as the page words them, and no cell is a formula.

import type { ActivityExportEnd } from '@clinic-data/console-contract/console-activity'
import type { ActivityRow } from '@clinic-data/console-parts/api'
import { actorText } from '@clinic-data/console-parts/shown/actor-name'
import type { ActivityExportWords } from '@clinic-data/console-words/activity-export-words'
import type { Words } from '@clinic-data/console-words/en'
import type { OperationWords } from '@clinic-data/console-words/operation-words'
import { spreadsheetCell } from '@clinic-data/contract/spreadsheet-cell'
import { refusalText } from './refusal-text.ts'

export interface CsvWords {
  words: Words
  operations: OperationWords
  exportWords: ActivityExportWords
}

type Cell = string | number | null

const lineOf = (cells: readonly Cell[]) => `${cells.map(spreadsheetCell).join(',')}\r\n`

/** With the mark by which Excel knows UTF-8. The line ends are those of RFC 4180. */
export const csvHead = ({ exportWords }: CsvWords) => `\uFEFF${lineOf(Object.values(exportWords.columns))}`

/** Says that the file is whole, and what may be missing in it. */
export function csvEnd(
  { words, exportWords }: CsvWords,
  { rows, records_only_until }: ActivityExportEnd['end'],
): string {
  const until = records_only_until === null ? [] : [lineOf([words.activity.recordsOnly(timeOf(records_only_until))])]
  return [...until, lineOf([exportWords.end(rows)])].join('')
}

/** A spreadsheet knows this form as a time. It is the clinic's. */
const timeOf = (instant: string) => instant.slice(0, 19).replace('T', ' ')

export function csvLine(row: ActivityRow, { words, operations }: CsvWords): string {
  const { activity } = words
  const { who, status, patient_ids, patient_count, resource_ids, count } = row
  const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'failed'
  return lineOf([
    timeOf(row.at),
    actorText(who, words),
    who.id,
    operations[row.operation as keyof OperationWords] ?? row.operation,
    who.kind === 'operator' ? activity.commandLine : activity.surfaces[row.surface],
    activity.outcomes[outcome],
    refusalText(row, words),
    count,
    idsOf(resource_ids, count, activity),
    patient_count,
    patient_ids === null ? activity.details.recordsOnly : idsOf(patient_ids, patient_count ?? 0, activity),
    row.operation,
    status,
    row.required_scope,
    row.address,
    row.request_id,
    row.duration_ms,
    row.id,
  ])
}

function idsOf(ids: readonly string[], count: number, { details }: Words['activity']): string {
  const more = count > ids.length && ids.length > 0 ? [details.moreIds(count - ids.length)] : []
  return [...ids, ...more].join(' ')
}
