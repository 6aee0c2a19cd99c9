// Ensures that at most one process uses a data folder.
//
// The kernel holds the lock on a file in the folder and releases it when the holder dies, however it dies. Node.js has no call for
// that, but it includes SQLite, whose exclusive transaction is this lock on every platform. The file is private: nobody else can
// take the lock.

import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keepFile, keepNewFile } from '@clinic-data/disk/kept-file'

export type FolderLock = { release: () => Promise<void> }

const LOCK = 'lock'
/** Names the holder of the lock, for people only. */
const HOLDER = 'lock.pid'

/** SQLite's SQLITE_BUSY: another process has the lock. */
const BUSY = 5

export async function lockFolder(folder: string): Promise<FolderLock> {
  const holder = join(folder, HOLDER)
  const lock = await lockFile(join(folder, LOCK))
  if (lock === null) throw new Error(`the data folder ${folder} is in use by process ${await pidIn(holder)}`)
  // Replaced: root's may be there, of a command that was killed.
  await keepFile(holder, `${process.pid}\n`, 'folder')
  return {
    release: async () => {
      await rm(holder, { force: true })
      lock.close()
    },
  }
}

/** When the process that uses the folder began to do so. Null when it is unused. */
export async function heldSince(folder: string): Promise<Date | null> {
  const holder = await stat(join(folder, HOLDER)).catch(() => null)
  return holder?.mtime ?? null
}

/** Null when another process has it. */
async function lockFile(path: string): Promise<DatabaseSync | null> {
  // Anyone who can read the file can lock it. An existing one is never opened here: closing it would release this process's own lock.
  await keepNewFile(path, '', 'folder')
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written, so SQLite makes no second file.
    database.exec('pragma journal_mode = memory; begin exclusive')
    return database
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === BUSY) return null
    throw error
  }
}

async function pidIn(path: string): Promise<string> {
  const [pid] = (await readFile(path, 'utf8').catch(() => '')).match(/^\d{1,10}(?=\n$)/) ?? []
  return pid ?? '(unknown)'
}
