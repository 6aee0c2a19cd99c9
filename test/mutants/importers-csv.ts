// Mutants of the imports of CSV files, also of an outpatient data set.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a doubled quote in a CSV value is one quote',
    file: 'packages/importers/src/csv/csv-reader.ts',
    from: ".replaceAll('\"\"', '\"')",
    to: '',
    caught: {
      by: 'packages/importers/test/import-csv-reader.test.ts',
      test: 'any text in quotes is read as it was written',
    },
  },
  {
    breaks: 'a byte order mark makes no difference',
    file: 'packages/importers/src/csv/csv-reader.ts',
    from: 'isFirst && text.startsWith(BYTE_ORDER_MARK)',
    to: '!isFirst && text.startsWith(BYTE_ORDER_MARK)',
    caught: {
      by: 'packages/importers/test/import-csv-reader.test.ts',
      test: 'line ends, a byte order mark and a missing last line feed make no difference',
    },
  },
  {
    breaks: 'a row knows its line also after a quoted line end',
    file: 'packages/importers/src/csv/csv-reader.ts',
    from: 'this.line += lineFeeds(text, at, row.next)',
    to: 'this.line += 1',
    caught: {
      by: 'packages/importers/test/import-csv-reader.test.ts',
      test: 'each row knows the line on which it begins',
    },
  },
  {
    breaks: 'a misplaced quote is a fault',
    file: 'packages/importers/src/csv/csv-reader.ts',
    from: "if (isQuoted ? rest !== '' : rest.includes('\"'))",
    to: "if (isQuoted ? rest !== '' : rest.startsWith('\"'))",
    caught: {
      by: 'packages/importers/test/import-csv-reader.test.ts',
      test: 'a misplaced quote is reported with its row, and the rows after it are read',
    },
  },
  {
    breaks: 'the place of a byte that is not UTF-8 is told exactly',
    file: 'packages/importers/src/csv/csv-reader.ts',
    from: 'const byte = this.#decoded + sound + 1',
    to: 'const byte = this.#decoded + sound',
    caught: {
      by: 'packages/importers/test/import-csv-reader.test.ts',
      test: 'a file that becomes unreadable yields the rows before that place, and the place is reported',
    },
  },
  {
    breaks: 'nothing of a folder with a fault is imported',
    file: 'packages/importers/src/csv/import-csv.ts',
    from: 'if (!faults.isEmpty) return report({})',
    to: 'if (!faults.isEmpty && survey.rows.size === 0) return report({})',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'each fault is reported with its file, line and column, and nothing of the folder is imported',
    },
  },
  {
    breaks: 'the fifty-first fault of a file is counted, not shown',
    file: 'packages/importers/src/csv/faults.ts',
    from: 'if (known.listed.length < MOST_FAULTS)',
    to: 'if (known.listed.length <= MOST_FAULTS)',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'the first fifty faults of a file are reported, and the rest counted',
    },
  },
  {
    breaks: 'a row may not name an unknown record',
    file: 'packages/importers/src/csv/check.ts',
    from: '      if (this.#isKnown(table, id)) continue',
    to: '      if (!this.#isKnown(table, id)) continue',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'a row may name a record that the clinic already has, but no unknown one',
    },
  },
  {
    breaks: 'ids that a cut file might hold are not reported as missing',
    file: 'packages/importers/src/csv/check.ts',
    from: " || this.#faults.cut.has(fileOf(table) ?? '')",
    to: '',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'a misnamed, missing or cut file is reported, and the ids that it might hold are not reported as missing',
    },
  },
  {
    breaks: 'a unique value of another record of the clinic is refused',
    file: 'packages/importers/src/csv/check.ts',
    from: 'if (owner === undefined || owner === one.id) continue',
    to: 'if (owner !== undefined || owner === one.id) continue',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'duplicates of unique values are refused, within the files and against the clinic',
    },
  },
  {
    breaks: 'a duplicate within the files is refused',
    file: 'packages/importers/src/csv/survey.ts',
    from: '      for (const one of unique) one.take(row)\n',
    to: '',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'duplicates of unique values are refused, within the files and against the clinic',
    },
  },
  {
    breaks: 'empty values are no duplicates of each other',
    file: 'packages/importers/src/csv/survey.ts',
    from: "if (own.length === 0 || own.includes('')) return",
    to: 'if (own.length === 0) return',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'duplicates of unique values are refused, within the files and against the clinic',
    },
  },
  {
    breaks: 'a refund may not name another refund',
    file: 'packages/importers/src/csv/check.ts',
    from: 'if (table === source.table && naming.get(table)?.has(id))',
    to: 'if (table === source.table && naming.get(id)?.has(table))',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'a refund may come before or after its payment, but may not name another refund',
    },
  },
  {
    breaks: 'a refund may stand before its payment',
    file: 'packages/importers/src/csv/import-csv.ts',
    from: 'survey.naming.has(shape.table) ? [false, true] : [false]',
    to: 'survey.naming.has(shape.table) ? [true, false] : [false]',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'a refund may come before or after its payment, but may not name another refund',
    },
  },
  {
    breaks: 'a list that is too long is a fault, not cut',
    file: 'packages/importers/src/csv/records.ts',
    from: '  if (lines.length > most) return',
    to: '  if (lines.length >= most) return',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'a record whose list is too long is reported, even if the list is very long',
    },
  },
  {
    breaks: 'updated_at of an imported row is the time of storing',
    file: 'packages/importers/src/csv/records.ts',
    from: '  record.updated_at = now',
    to: '  record.updated_at = record.created_at',
    caught: {
      by: 'packages/importers/test/import-csv.test.ts',
      test: 'changed rows get the values of the file, and updated_at is the time of storing',
    },
  },
  {
    breaks: 'a required column may not be missing',
    file: 'packages/importers/src/csv/table.ts',
    from: 'if (!column.optional && !found.includes(column))',
    to: 'if (column.optional && !found.includes(column))',
    caught: {
      by: 'packages/importers/test/import-csv-faults.test.ts',
      test: 'a header must name all required columns, none twice and none that is unknown',
    },
  },
  {
    breaks: 'a local time that clocks skip moves forward with them',
    file: 'packages/importers/src/outpatient/local-time.ts',
    from: 'new Date(fitting ?? first)',
    to: 'new Date(fitting ?? second)',
    caught: {
      by: 'packages/importers/test/import-csv-outpatient.test.ts',
      test: 'a local time that clocks skip moves forward with them, and a time that comes twice means the first',
    },
  },
]
