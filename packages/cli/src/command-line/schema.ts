// The whole command tree for programs, as `sc schema` prints it.
import manifest from '../../package.json' with { type: 'json' }
import { environmentVariables } from '../config.ts'
import { exitCodeMeanings } from '../exit-codes.ts'
import { type CliCommand, globalOptions } from './command.ts'
import { commandTable } from './command-table.ts'

/** Describes `sc` as data. */
export function schema() {
  return {
    name: 'sc',
    version: manifest.version,
    globals: globalOptions,
    exit_codes: exitCodeMeanings,
    env: environmentVariables,
    commands: commandTable().map(described),
  }
}

function described({ path, summary, args, options, endpoint, scope, output_columns, examples }: CliCommand) {
  return { path, summary, args, options, endpoint, scope, output_columns, examples }
}
