// The command `clinicd`: its subcommands, and how an error ends: one clear line, exit 2 for usage and configuration, else 1.
import { Command, CommanderError, Option } from 'commander'
import { auditCommand } from './commands/audit.ts'
import { clinicsCommand } from './commands/clinics.ts'
import { demoCommand } from './commands/demo.ts'
import { importCommand } from './commands/import.ts'
import { keysCommand } from './commands/keys.ts'
import { migrateCommand } from './commands/migrate.ts'
import { runServe } from './commands/serve.ts'
import { ConfigError } from './config.ts'
import { roles } from './serve.ts'
import { UsageError } from './usage-error.ts'

/** Runs the command line. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2
      return
    }
    const usage = error instanceof ConfigError || error instanceof UsageError
    process.stderr.write(`clinicd: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = usage ? 2 : 1
  }
}

function program(): Command {
  const command = new Command('clinicd')
    .description('Clinic Data API: the gateway, the backend, and an operator’s commands.')
    .exitOverride()
    .showHelpAfterError('(clinicd --help shows the commands)')
  command
    .command('serve')
    .description('Run the service: all of it on an embedded PostgreSQL, or one role.')
    .addOption(new Option('--role <role>', 'which part to run').choices(roles).default('all'))
    .option('--demo', 'make the clinic "demo" with seeded data, and print a key for it')
    .action(runServe)
  for (const subcommand of [
    clinicsCommand(),
    keysCommand(),
    migrateCommand(),
    importCommand(),
    demoCommand(),
    auditCommand(),
  ]) {
    command.addCommand(subcommand)
  }
  for (const subcommand of [...command.commands, ...command.commands.flatMap((one) => one.commands)])
    subcommand.exitOverride()
  return command
}
