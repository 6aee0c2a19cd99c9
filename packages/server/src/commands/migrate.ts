// `clinicd migrate`: brings the tables up to date; on Citus, distributes them.
import { Command } from 'commander'
import { withStorage } from '../operator.ts'
import { printJson } from '../output.ts'
import { asOwner, migrateStorage, retireStorageLogins } from '../storage.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description(
      'Bring the tables up to date. Where the database has the Citus extension, distribute them. With SECRET_KEYS and without ' +
        'DATABASE_OWNER_URL, make the login that requests are served as, and drop those of keys that are not listed any more.',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const lines: string[] = []
      const log = (line: string) => {
        lines.push(line)
        if (!json) process.stdout.write(`${line}\n`)
      }
      await withStorage((storage) =>
        asOwner(storage, async (owner) => {
          await migrateStorage(storage, owner, log)
          for (const name of await retireStorageLogins(storage, owner)) log(`dropped login ${name}`)
        }),
      )
      if (json) printJson({ applied: lines })
      else if (lines.length === 0) process.stdout.write('Up to date.\n')
    })
}
