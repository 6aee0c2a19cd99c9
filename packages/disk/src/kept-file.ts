// Durable files: a reader finds one whole or not at all, even after a power cut.
//
// A file is written under another name and forced to the disk. Only then does it get its own name, which is forced to the disk too.
// When a function here has returned, its result is durable.
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Only the owner can read it: all these files are secret. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

type Content = string | AsyncIterable<Uint8Array>

/**
 * Who owns a file that root makes. `folder`: the account of the service that has the folder, which could replace the file anyway. The file
 * belongs to it before it has its name, so that a service that starts after a power cut can read it.
 */
type Owner = 'account' | 'folder'

/** Replaces the file. A link with that name is replaced, not followed. A content in parts is stored whole or not at all. */
export async function keepFile(path: string, content: Content, owner: Owner = 'account'): Promise<void> {
  await store(path, content, owner, (written) => rename(written, path))
}

/** Stores a file unless one exists. Returns false if one does, and leaves it as it is. */
export async function keepNewFile(path: string, content: string, owner: Owner = 'account'): Promise<boolean> {
  // A full disk is no fault where there is nothing to write.
  if (existsSync(path)) return false
  try {
    await store(path, content, owner, (written) => link(written, path))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Adds a line to a file, which it makes when there is none. Processes may add at once: each line stays whole. One whose process or machine
 * ended meanwhile may stand there as the beginning of a line, and never before this has returned. The next one begins a line of its own.
 */
export async function keepLine(path: string, line: string): Promise<void> {
  const bytes = Buffer.from(`\n${line}\n`)
  const file = await open(path, 'a', FILE_MODE)
  try {
    // In one step, behind whatever is there by then.
    const { bytesWritten } = await file.write(bytes)
    if (bytesWritten !== bytes.length) throw new Error(`the disk took a part of a line of ${path} only`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
}

/** Makes a folder and its parents. */
export async function keepFolder(path: string): Promise<void> {
  const folder = resolve(path)
  try {
    await makeFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await keepFolder(dirname(folder))
    // Below `/proc` it fails again. The recursive `mkdir` of Node.js would try for ever.
    await makeFolder(folder)
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, FOLDER_MODE)
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(folder)).isDirectory()
    if (isThere) return
    throw error
  }
  await syncFolder(dirname(folder))
}

/** Forces the names in a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders. NTFS stores names durably by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function store(
  path: string,
  content: Content,
  owner: Owner,
  give: (written: string) => Promise<void>,
): Promise<void> {
  const written = join(dirname(path), `.writing-${randomBytes(8).toString('hex')}`)
  // A process that ends meanwhile takes it along.
  const remove = () => rmSync(written, { force: true })
  process.once('exit', remove)
  try {
    const file = await open(written, 'wx', FILE_MODE)
    try {
      if (owner === 'folder' && process.getuid?.() === 0) {
        const { uid, gid } = await stat(dirname(path))
        await file.chown(uid, gid)
      }
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await give(written)
  } finally {
    await rm(written, { force: true }).finally(() => process.off('exit', remove))
  }
  await syncFolder(dirname(path))
}
