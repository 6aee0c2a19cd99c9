// The command `clinicd` and its subcommands. An error prints one clear line and exits with 2 for usage and configuration, else 1.
import cluster from 'node:cluster'
import { ConfigError } from '@clinic-data/installation/config'
import { roles } from '@clinic-data/installation/role'
import { adminsCommand } from '@clinic-data/operator/commands/admins'
import { appsCommand } from '@clinic-data/operator/commands/apps'
import { auditCommand } from '@clinic-data/operator/commands/audit/audit'
import { backupCommand } from '@clinic-data/operator/commands/backup'
import { clinicsCommand } from '@clinic-data/operator/commands/clinics/clinics'
import { conformanceCommand } from '@clinic-data/operator/commands/conformance'
import { demoCommand } from '@clinic-data/operator/commands/demo'
import { doctorCommand, runDoctor } from '@clinic-data/operator/commands/doctor'
import { importCommand } from '@clinic-data/operator/commands/import'
import { ingestTokensCommand } from '@clinic-data/operator/commands/ingest-tokens'
import { integrationsCommand } from '@clinic-data/operator/commands/integrations'
import { keysCommand } from '@clinic-data/operator/commands/keys'
import { migrateCommand } from '@clinic-data/operator/commands/migrate'
import { patientsCommand } from '@clinic-data/operator/commands/patients'
import { restoreCommand } from '@clinic-data/operator/commands/restore'
import { secretsCommand } from '@clinic-data/operator/commands/secrets'
import { simulateCommand } from '@clinic-data/operator/commands/simulate'
import { firstLineOf, printFault } from '@clinic-data/operator/output'
import { exitBySignal } from '@clinic-data/operator/stop-signal'
import { UsageError } from '@clinic-data/operator/usage-error'
import { Command, CommanderError, Option } from 'commander'
import { build } from './telemetry/build.ts'
import { holdYoungSpace } from './young-space.ts'

/** Runs the command line. */
export async function main(argv: readonly string[]): Promise<void> {
  // The reader of the output may stop early (`| head`), or its terminal may close. The work still runs to its end.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    })
  // The primary process decides when a worker ends.
  if (!cluster.isWorker) exitBySignal()
  try {
    await program().parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2
      return
    }
    const usage = error instanceof ConfigError || error instanceof UsageError
    printFault(firstLineOf(error))
    process.exitCode = usage ? 2 : 1
    // The channel to the primary process would keep it.
    if (cluster.isWorker) process.exit()
  }
}

export function program(): Command {
  const command = new Command('clinicd')
    .version(build)
    .description('Clinic Data API: the gateway, the backend and the operator commands.')
    .exitOverride()
    .showHelpAfterError('(clinicd --help shows the commands)')
    .addHelpText(
      'after',
      '\nCommands need the settings of the service (docs/settings.md), and work while it\nruns. docs/commands.md has all of them with their options.',
    )
  command
    .command('serve')
    .description('Run the service: all of it, or one role.')
    .addOption(new Option('--role <role>', 'which part to run').choices(roles).default('all'))
    .option('--workers <n>', 'how many processes serve the public API (default: half of the processors beyond two)')
    .option('--demo', 'make the clinic "demo" with seeded data, and print a key for it')
    .option('--simulate <rate>', 'simulate activity in the demo clinic, for example 2/s')
    .option('--check', 'start nothing; say whether it could start, like clinicd doctor')
    .addHelpText('after', '\nProduction: docs/operate.md. More processors: docs/workers.md.')
    // Loaded when it is called: it is most of the program, and no other command needs it.
    .action(async (options) => {
      if (options.check) return runDoctor(options)
      holdYoungSpace()
      return (await import('./serve-command.ts')).runServe(options)
    })
  for (const subcommand of [
    clinicsCommand(),
    keysCommand(),
    patientsCommand(),
    integrationsCommand(),
    ingestTokensCommand(),
    appsCommand(),
    adminsCommand(),
    migrateCommand(),
    importCommand(),
    demoCommand(),
    doctorCommand(),
    auditCommand(),
    backupCommand(),
    restoreCommand(),
    secretsCommand(),
    simulateCommand(),
    conformanceCommand(),
  ]) {
    command.addCommand(subcommand)
  }
  for (const subcommand of [...command.commands, ...command.commands.flatMap((one) => one.commands)]) {
    subcommand.exitOverride().showHelpAfterError(`(clinicd ${pathOf(subcommand)} --help shows how it is called)`)
    refuseRepeated(subcommand)
  }
  return command
}

/** @example pathOf(mint) // 'keys mint' */
function pathOf(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name()
}

/** The last of two values would silently count, and might name the wrong clinic. */
function refuseRepeated(command: Command): void {
  for (const option of command.options.filter(({ variadic }) => !variadic)) {
    let times = 0
    command.on(`option:${option.name()}`, () => {
      if (++times > 1) throw new UsageError(`${option.long} may be given once`)
    })
  }
}
