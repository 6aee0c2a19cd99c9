// Mutants of the export of the activity.
import type { Mutant } from './mutant.ts'

const SELECTION = 'packages/audit/test/audit-selection.test.ts'
const EXPORT = 'packages/administration/test/activity-export.test.ts'
const CONSOLE = 'test/console/activity-export.test.ts'
const FOLDER = 'packages/administration/src/activity-export'
const LASTING = 'packages/surface/src/lasting-answers.ts'
const forms = 'both forms hold what the filter shows, all of it, of packed and unpacked days alike'
const changed =
  'a changed byte of a selection is found and named, and so are another filter, another number and a row less'
const found = 'the verification finds the rows of each filter again, whatever somebody wrote into it'
const brokenOff = 'an export that breaks off, or is refused, saves nothing and says how to mend it'
const tooLarge = 'an export that is too large is refused before its first byte, and says how to mend it'
const atOnce = 'a clinic has one export at a time, other clinics theirs, and a reader who leaves makes room'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the filter of an export is no record to look for',
    file: 'packages/console/src/activity/log-details.tsx',
    from: "row.operation !== 'console.activity.export'",
    to: "row.operation !== ''",
    caught: {
      by: CONSOLE,
      test: 'the row of an export names its form and its filter as text, and links to the patient alone',
    },
  },
  {
    breaks: 'a selection has as many matching rows as it says',
    file: 'packages/audit/src/export/check.ts',
    from: 'selected.matching !== this.#matching',
    to: 'selected.matching < 0',
    caught: { by: SELECTION, test: changed },
  },
  {
    breaks: 'a selection names its filter',
    file: 'packages/audit/src/export/entries.ts',
    from: "if ((type === 'selection') !== (selected !== null)) return null",
    to: '',
    caught: { by: SELECTION, test: changed },
  },
  {
    breaks: 'the verification knows the rows of a filter',
    file: 'packages/audit/src/export/row-filter.ts',
    from: '(resource_id === null || row.resource_ids.includes(resource_id))',
    to: '(resource_id !== null || row.resource_ids.length > 0)',
    caught: { by: SELECTION, test: found },
  },
  {
    breaks: 'a filter steers no terminal',
    file: 'packages/audit/src/export/entries.ts',
    from: 'return safeJson(JSON.stringify(first))',
    to: 'return [JSON.stringify(first), safeJson][0] as string',
    caught: { by: SELECTION, test: found },
  },
  {
    breaks: 'a selection holds the rows of the seals that it needs, and no others',
    file: 'packages/audit/src/export/selection.ts',
    from: 'if (taken === first) continue',
    to: 'if (taken < first) continue',
    caught: {
      by: SELECTION,
      test: 'a selection holds the whole seals of its rows, the others without rows, and says how many rows match',
    },
  },
  {
    breaks: 'rows that no seal covers yet are in a selection if they were found',
    file: 'packages/audit/src/export/selection.ts',
    from: 'if (found.has(row.id)) yield',
    to: 'if (!found.has(row.id)) yield',
    caught: {
      by: SELECTION,
      test: 'a selection holds the whole seals of its rows, the others without rows, and says how many rows match',
    },
  },
  {
    breaks: 'the rows of the seals between are left out of a selection',
    file: 'packages/audit/src/export/selection.ts',
    from: "if (isWanted) yield { type: 'row'",
    to: "if (count >= 0) yield { type: 'row'",
    caught: {
      by: SELECTION,
      test: 'a selection holds the whole seals of its rows, the others without rows, and says how many rows match',
    },
  },
  {
    breaks: 'an export goes to the end of the search',
    file: `${FOLDER}/select-rows.ts`,
    from: 'cursor = page.cursor',
    to: 'cursor = page.searchedUntil === null ? page.cursor : null',
    caught: { by: EXPORT, test: forms },
  },
  {
    breaks: 'what happens after the search is not in an export',
    file: `${FOLDER}/export-activity.ts`,
    from: 'cursorAt(latest, now)',
    to: 'cursorAt(latest + 1_000_000, now)',
    caught: {
      by: EXPORT,
      test: 'an export has its row before its first byte: who, in which form, by which filter, and the seals of a proof',
    },
  },
  {
    breaks: 'an export has its row',
    file: `${FOLDER}/export-activity.ts`,
    from: "await recordExport(database, clinic, { as: 'proof',",
    to: "void recordExport(database, clinic, { as: 'rows',",
    caught: {
      by: EXPORT,
      test: 'an export has its row before its first byte: who, in which form, by which filter, and the seals of a proof',
    },
  },
  {
    breaks: 'an export has at most so many rows',
    file: `${FOLDER}/select-rows.ts`,
    from: 'if (ids.length > mostRows)',
    to: 'if (ids.length < 0)',
    caught: { by: EXPORT, test: tooLarge },
  },
  {
    breaks: 'a proof has at most so many rows',
    file: `${FOLDER}/export-activity.ts`,
    from: 'if (rows > mostRowsOfProof)',
    to: 'if (rows < 0)',
    caught: { by: EXPORT, test: tooLarge },
  },
  {
    breaks: 'a proof has at most so many seals',
    file: `${FOLDER}/export-activity.ts`,
    from: 'if (seals > mostSeals)',
    to: 'if (seals < 0)',
    caught: { by: EXPORT, test: tooLarge },
  },
  {
    breaks: 'a clinic has one export at a time',
    file: LASTING,
    from: 'this.#underWay.has(clinic_id) ||',
    to: '',
    caught: { by: EXPORT, test: atOnce },
  },
  {
    breaks: 'an export that was refused ends its turn',
    file: LASTING,
    from: '      this.#underWay.delete(clinic_id)\n      throw error',
    to: '      throw error',
    caught: { by: EXPORT, test: atOnce },
  },
  {
    breaks: 'a search for nobody ends',
    file: `${FOLDER}/select-rows.ts`,
    from: 'if (isGone()) throw',
    to: 'if (isGone() && ids.length < 0) throw',
    caught: { by: EXPORT, test: atOnce },
  },
  {
    breaks: 'an export ends in time',
    file: LASTING,
    from: "answer.destroy(new Error('the answer took too long'))",
    to: "void new Error('the answer took too long')",
    caught: { by: EXPORT, test: 'an export that lasts too long breaks off, without its last line' },
  },
  {
    breaks: 'a proof that was cut off is not saved',
    file: 'packages/console/src/activity/exported-file.ts',
    from: 'if (!/\\n\\{"type":"end",.*\\}\\n$/.test(end)) throw cutOff()',
    to: '',
    caught: { by: CONSOLE, test: brokenOff },
  },
  {
    breaks: 'a table that was cut off is not saved',
    file: 'packages/console/src/activity/exported-file.ts',
    from: "if (end?.rows !== rows || rest !== '') throw cutOff()",
    to: 'if (end === undefined) return { rows, records_only_until: null }',
    caught: { by: CONSOLE, test: brokenOff },
  },
  {
    breaks: 'no cell of the table is a formula',
    file: 'packages/console/src/activity/activity-csv.ts',
    from: 'cells.map(spreadsheetCell).join',
    to: 'cells.map((cell) => (cell === spreadsheetCell.name ? null : cell)).join',
    caught: {
      by: CONSOLE,
      test: 'the table holds all rows of the filter in the words of the page, says where it ends, and holds no formula',
    },
  },
  {
    breaks: 'an auditor exports nothing',
    file: 'packages/console-contract/src/roles.ts',
    from: 'exportActivity: managers',
    to: 'exportActivity: readers',
    caught: { by: CONSOLE, test: 'an auditor reads the activity and has no export' },
  },
]
