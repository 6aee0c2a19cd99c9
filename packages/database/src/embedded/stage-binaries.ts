// Copies the PostgreSQL programs so that any account can run them.

import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** The copy is complete or absent: it gets its name last. Of two concurrent copies, either will do. */
export async function stageBinaries(native: string, target: string): Promise<void> {
  if (await isTrusted(target)) return
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

/** Refuses programs that somebody else put there or could replace. */
async function isTrusted(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return false
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error(`${folder} is not a folder of this account's alone: remove it`)
}

/** npm's archives hold no symbolic links. The package lists its own. */
async function makeLinks(copy: string): Promise<void> {
  const list = await readFile(join(copy, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(copy, target.replace(/^native\//, ''))
    await rm(link, { force: true })
    await symlink(posix.relative(posix.dirname(target), source), link)
  }
}

/** A strict umask may have made the installed files private to the installer. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
