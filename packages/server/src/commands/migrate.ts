// `clinicd migrate`: brings the tables up to date; on Citus, distributes them.
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { printJson } from '../output.ts'
import { asOwner, migrateStorage, reachStorage } from '../storage.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the tables up to date. Where the database has the Citus extension, distribute them.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const storage = await reachStorage(readConfig())
      const lines: string[] = []
      try {
        await asOwner(storage, (owner) =>
          migrateStorage(owner, (line) => {
            lines.push(line)
            if (!json) process.stdout.write(`${line}\n`)
          }),
        )
      } finally {
        await storage.stop()
      }
      if (json) printJson({ applied: lines })
      else if (lines.length === 0) process.stdout.write('Up to date.\n')
    })
}
