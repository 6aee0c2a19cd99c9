// `clinicd migrate`: brings the tables up to date; on Citus, distributes them.

import { readConfig } from '@clinic-data/installation/config'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { asOwner, migrateStorage, retireStorageLogins } from '@clinic-data/installation/database/storage'
import { givenSecretKeys } from '@clinic-data/installation/secret-key-file'
import { Command } from 'commander'
import { withStorage } from '../operator.ts'
import { printJson } from '../output.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .summary('Bring the tables up to date and, on Citus, distribute them.')
    .description(
      'Bring the tables up to date. If the database has the Citus extension, distribute them. With SECRET_KEYS and without ' +
        'DATABASE_OWNER_URL, make the login for requests, and drop the logins of keys that are no longer listed.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nUpgrade and rollback: docs/operate.md#upgrade-and-rollback.')
    .action(async ({ json }: { json?: boolean }) => {
      const lines: string[] = []
      const log = (line: string) => {
        lines.push(line)
        if (!json) process.stdout.write(`${line}\n`)
      }
      const config = readConfig()
      const keys = await givenSecretKeys(config)
      await withStorage((storage) =>
        asOwner(storage, async (owner) => {
          await migrateStorage(storage, owner, log)
          const derived = keys === null ? [storage] : [storage, consoleLogin(storage.ownerUrl, config, keys)]
          for (const name of await retireStorageLogins(owner, derived)) log(`dropped login ${name}`)
        }),
      )
      if (json) printJson({ applied: lines })
      else if (lines.length === 0) process.stdout.write('Up to date.\n')
    })
}
