// Looks at data folders as the account `nobody`, and prints a line of JSON for each: what the doctor finds, and why a command refuses. The
// program is loaded first: that account may not be able to read it.
//
// node as-nobody.ts <folder> …
import { readConfig } from '@clinic-data/installation/config'
import { reachStorage } from '@clinic-data/installation/database/storage'
import { examine } from '../src/doctor/examine.ts'
import type { Finding } from '../src/doctor/finding.ts'

export const NOBODY = 65_534

export interface Seen {
  readonly findings: readonly Finding[]
  readonly refused: string
}

if (import.meta.main) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
  for (const DATA_DIR of process.argv.slice(2)) {
    const config = readConfig({ DATA_DIR, PORT: '0', ADMIN_PORT: '0' })
    const findings = await examine(config, 'all')
    const refused = await reachStorage(config).then(() => 'no', String)
    process.stdout.write(`${JSON.stringify({ findings, refused } satisfies Seen)}\n`)
  }
}
