// Which columns a table shows: those of `--columns`, on a terminal those that people look for, and elsewhere all.
import type { CliCommand } from '../command-line/command.ts'
import type { Call } from '../command-line/program.ts'
import { UsageError } from '../usage-error.ts'
import type { Layout } from '../views/table.ts'

/** @throws UsageError when `--columns` names a field that the rows do not have */
export function columnsOf({ command, options }: Call, layout: Layout): readonly string[] {
  if (options.columns !== undefined) return namedFields(command, 'columns', options.columns)
  return layout.columns !== null && command.table_columns.length > 0 ? command.table_columns : command.output_columns
}

/** Refuses fields that the answer cannot have, before anything is sent. @throws UsageError */
export function checkFields(call: Call): void {
  const { command, options } = call
  for (const flag of ['columns', 'fields']) {
    const words = options[flag]
    if (words !== undefined) checkForm(call, flag, namedFields(command, flag, words))
  }
}

/** The concise form would leave such a field out, in silence. @throws UsageError */
function checkForm({ command, options }: Call, flag: string, names: readonly string[]): void {
  if (options['response-format']?.includes('detailed')) return
  const detailed = new Set(command.detailed_columns)
  const missing = names.filter((name) => columnsIn(command, name).every((column) => detailed.has(column)))
  if (missing.length === 0 || detailed.size === 0) return
  throw new UsageError(`--${flag}: only the detailed form has ${missing.join(', ')}`, 'add --response-format detailed')
}

/** The columns that a name means: itself, or those of the object that it names. */
function columnsIn({ output_columns }: CliCommand, name: string): readonly string[] {
  return output_columns.filter((column) => column === name || column.startsWith(`${name}.`))
}

/** Reads a list of fields: names as in `output_columns`, or an object that holds some of them. @throws UsageError */
export function namedFields(command: CliCommand, flag: string, words: readonly string[]): readonly string[] {
  const names = words.flatMap((word) => word.split(',')).map((name) => name.trim())
  const known = new Set(command.output_columns.flatMap((path) => [path, path.split('.')[0] ?? path]))
  const unknown = names.filter((name) => name === '' || (known.size > 0 && !known.has(name)))
  if (unknown.length === 0) return names
  const isNone = unknown.includes('')
  throw new UsageError(
    isNone ? `--${flag} has an empty name` : `--${flag}: there is no ${unknown.join(', ')}`,
    known.size === 0 ? undefined : `the fields are ${[...known].join(', ')}`,
  )
}
