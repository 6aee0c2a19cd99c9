// `clinicd migrate`: brings the tables up to date; on Citus, distributes them.
import { Command } from 'commander'
import { withStorage } from '../operator.ts'
import { printJson } from '../output.ts'
import { asOwner, migrateStorage } from '../storage.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the tables up to date. Where the database has the Citus extension, distribute them.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const lines: string[] = []
      await withStorage((storage) =>
        asOwner(storage, (owner) =>
          migrateStorage(owner, (line) => {
            lines.push(line)
            if (!json) process.stdout.write(`${line}\n`)
          }),
        ),
      )
      if (json) printJson({ applied: lines })
      else if (lines.length === 0) process.stdout.write('Up to date.\n')
    })
}
