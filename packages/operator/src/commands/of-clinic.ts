// The form of a command about one clinic, as the commands of a group share it.
import type { Command } from 'commander'

/** @example const subcommand = ofClinic(command); subcommand('list', 'List the keys of a clinic.').action(list) */
export function ofClinic(group: Command): (name: string, description: string) => Command {
  return (name, description) =>
    group
      .command(name)
      .description(description)
      .requiredOption('--clinic <id>', 'the clinic')
      .option('--json', 'print JSON')
}
