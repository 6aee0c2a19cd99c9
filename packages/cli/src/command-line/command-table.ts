// Every command of `sc` as data: one for each operation of the contract, and the client's own. This file is read at every start, so
// it must not load the contract's schemas.
import { type CliCommand, isPaged, ownOption, type ProjectedCommand } from './command.ts'
import { ownCommands } from './own-commands.ts'
import { type Outlined, projectedCommands, projectedOutline } from './projected-commands.ts'

const all = ownOption('all', 'switch', 'Every page, one after the other.')
const max = ownOption('max', 'integer', 'With --all: at most so many rows.', { value: 'rows' })
const noChart = ownOption('no-chart', 'switch', 'No bars beside the numbers; only a terminal gets any.')

function withOwnOptions(command: ProjectedCommand): CliCommand {
  if (isPaged(command)) {
    const examples = [...command.examples, `${command.examples[0]} --all --format json`]
    return { ...command, options: [...command.options, all, max], examples }
  }
  return command.operation === 'query.run' ? { ...command, options: [...command.options, noChart] } : command
}

/** The words and the summary of each command: `sc login` and the like first, then the order of the reference. */
export const outline: readonly Outlined[] = [...ownCommands, ...projectedOutline]

/** The commands in full, in the same order. */
export function commandTable(): readonly CliCommand[] {
  return [...ownCommands, ...projectedCommands().map(withOwnOptions)]
}
