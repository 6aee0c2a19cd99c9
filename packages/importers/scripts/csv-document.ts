// Writes the documentation of the CSV files from their shapes. Prints it with: node packages/importers/scripts/csv-document.ts
import { formats } from '@clinic-data/contract/formats'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { type Column, isNullable } from '../src/csv/columns.ts'
import { MOST_FAULTS } from '../src/csv/faults.ts'
import { type CsvList, type CsvShape, csvShapes, fileOf, listThatIsAll } from '../src/csv/shape.ts'

const INTRODUCTION = `# CSV files

\`clinicd import csv <folder> --clinic <id>\` loads a folder of CSV files into a clinic. The folder holds any of the files below, under
these names. This page is made from the same schemas that check the files (\`packages/importers/scripts/csv-document.ts\`).

## The form of every file

- Files are UTF-8, with or without a byte order mark. Commas separate values. A value that holds a comma, a quote or a line end is in
  quotes, and each quote in it is doubled (RFC 4180). Lines end with LF or CRLF.
- The first line names the columns, in any order. Columns that are not needed may be left out. An unknown column is a fault.
- An empty value is null. A row holds its record whole: a field that is empty, or has no column, becomes null, even if the clinic
  already has the record.
- Numbers are written as in JSON, without an exponent (\`350.5\`), booleans as \`true\` or \`false\`, dates as \`YYYY-MM-DD\`. An instant is
  ISO 8601 with an offset (\`2026-07-12T09:30:00+03:00\`); a date alone is the clinic's midnight. Amounts are in major units of the clinic's
  currency. Several ids in one value are separated by \`;\`.
- A missing \`created_at\` becomes the time of storing, and later values do not change it. \`updated_at\` is always the time of storing.
- An id names a row of another file of the folder, or one that the clinic already has.

## The steps of an import

1. The files are read row by row, so they may be of any size. Only ids are held in memory, about 100 bytes each.
2. Every row of every file is checked first. Each fault is reported with file, line and column, the first ${MOST_FAULTS} of a file. **While there
   is any fault, nothing of the folder is imported.**
3. Then everything is stored, in the order of the files below, in transactions of up to 1,000 records, two at a time. If an import breaks
   off, run it again to complete it. Importing the same files again changes nothing. A record that differs from its row is updated.
   Records without a row stay as they are.

An import sends no webhook events. The report counts records by file (for working hours: providers' weeks).
`

/** The whole of `docs/csv.md`. */
export function csvDocument(): string {
  return [INTRODUCTION, ...csvShapes.map(chapter)].join('\n')
}

function chapter(shape: CsvShape): string {
  const all = listThatIsAll(shape)
  if (all === undefined) {
    const lists = shape.lists.map((list) => listSection(shape, list))
    return [section(shape, `A row for each ${words(shape.table)}.`), ...lists].join('\n')
  }
  const owner = words(all.parent.replace(/_id$/, ''))
  return section(all, `A row for each window of a ${owner}'s week. All rows of one ${owner} follow each other.`, shape)
}

function listSection(shape: CsvShape, list: CsvList): string {
  const owner = words(shape.table)
  const references = { [list.parent]: shape.table, ...list.references }
  const most = shownNumber(list.most)
  return section(
    { ...list, references },
    `A row for each of the ${words(list.field)} of a ${owner}, at most ${most}. Those of one ${owner} follow each other, in their
order. The ${owner}s are in the order of \`${shape.file}\`, which must be in the folder too.`,
  )
}

function section(source: CsvShape | CsvList, about: string, owner: CsvShape | null = null): string {
  const rows = source.columns.map((column) => {
    const own = owner?.columns.find(({ name }) => name === column.name)
    return row(own ?? column, { ...owner?.references, ...source.references })
  })
  const rules = [
    source.key.length > 0 && source.key[0] !== 'id' ? `\`${source.key.join('`, `')}\` name a row.` : '',
    ...source.unique.map((names) => `\`${names.join('` with `')}\` is unique in the clinic.`),
  ].filter((rule) => rule !== '')
  return `## ${source.file}

${[about, ...rules].join(' ')}

| Column | Needed | Value |
|---|---|---|
${rows.join('\n')}
`
}

function row(column: Column, references: Readonly<Record<string, string>>): string {
  const { name, kind, schema } = column
  const table = references[name]
  const description = schema.description?.replaceAll(/\s*\n\s*/g, ' ')
  const parts = [table === undefined ? valueIn(kind, schema) : idOf(table, column), description]
  return `| \`${name}\` | ${neededWhen(column)} | ${parts.filter((part) => part !== undefined).join('. ')} |`
}

/** A required field of an object is needed where any field of the object is. */
function neededWhen({ path, optional, schema }: Column): string {
  if (!optional) return 'yes'
  return path.length > 1 && !isNullable(schema) ? `with \`${path[0]}.…\`` : ''
}

function idOf(table: string, { kind, schema }: Column): string {
  const file = fileOf(table)
  const id = file === undefined ? `id of a ${words(table)} that the clinic has` : `id of a row of \`${file}\``
  return kind === 'texts' ? `${id}, or up to ${schema.maxItems} of them` : id
}

function valueIn(kind: Column['kind'], schema: JsonSchema): string {
  switch (kind) {
    case 'boolean':
      return '`true` or `false`'
    case 'json':
      return `JSON: an object of at most ${schema.maxProperties} keys`
    case 'texts':
      return `texts separated by \`;\`, at most ${schema.maxItems}`
    case 'number':
      return numberOf(schema)
    case 'text':
      return textOf(schema)
  }
}

function numberOf({ type, minimum, exclusiveMinimum, maximum, decimals }: JsonSchema & { decimals?: number }): string {
  const kind = [type].flat().includes('integer') ? 'whole number' : 'number'
  const least = exclusiveMinimum === undefined ? `from ${shownNumber(minimum)}` : `above ${exclusiveMinimum},`
  const ofCurrency = decimals === undefined ? '' : ', at most the decimals of the currency'
  return `${kind} ${least} to ${shownNumber(maximum)}${ofCurrency}`.replace(', to', ', up to')
}

function textOf({ enum: choices, format, pattern, maxLength }: JsonSchema): string {
  if (choices !== undefined) {
    const shown = choices.filter((one) => one !== null).map((one) => `\`${one}\``)
    return `one of ${shown.join(', ')}`
  }
  if (format === 'recorded-instant') return 'instant, or a date'
  if (format === 'date') return 'date'
  if (format === 'given-id') return `id, at most ${shownNumber(maxLength)} characters`
  if (format !== undefined) return formats[format]?.hint.replace(/^must be an? /, '') ?? format
  if (pattern !== undefined) return `text of the form \`${pattern.replaceAll('|', '\\|')}\``
  return maxLength === undefined ? 'id' : `text, at most ${shownNumber(maxLength)} characters`
}

function shownNumber(value: number | undefined): string {
  return (value ?? 0).toLocaleString('en-US')
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

if (import.meta.main) process.stdout.write(csvDocument())
