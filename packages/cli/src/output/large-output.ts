// Writes output that is too large for an agent's context to a private file and prints one line that says where. Removes files of
// earlier runs after a day.
import { type FileHandle, lstat, mkdtemp, open, readdir, rm, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sink } from '../process-context.ts'

/** A larger answer goes to a file. This is about 4,000 tokens. */
export const LARGE_BYTES = 16_000

/** The caller has read the file by then, and patients' data must not lie around. */
const KEPT_MS = 24 * 3_600_000

const PREFIX = 'sc-'
/** The form of `mkdtemp`'s folder names. */
const FOLDER = /^sc-[A-Za-z0-9]{6}$/
const FILE = 'answer.json'

export interface Counted {
  readonly items: number
  readonly next_cursor: string | null
}

/** Prints the text itself, or one line that says where it is. */
export async function printSized(stdout: Sink, texts: AsyncIterable<string>, counted: Counted): Promise<void> {
  let held = ''
  let bytes = 0
  let large: { path: string; file: FileHandle } | null = null
  try {
    for await (const text of texts) {
      bytes += Buffer.byteLength(text)
      if (large === null) held += text
      else await large.file.writeFile(text)
      if (large === null && bytes > LARGE_BYTES) {
        await removeOld(tmpdir(), Date.now() - KEPT_MS)
        large = await privateFile()
        await large.file.writeFile(held)
        held = ''
      }
    }
  } catch (error) {
    if (large !== null) await discard(large)
    throw error
  }
  if (large === null) return stdout.write(`${held}\n`)
  await large.file.close()
  const { items, next_cursor } = counted
  await stdout.write(`${JSON.stringify({ file: large.path, bytes, items, next_cursor })}\n`)
}

/** Opens a file in a folder that only this user can read. */
async function privateFile(): Promise<{ path: string; file: FileHandle }> {
  const path = join(await mkdtemp(join(tmpdir(), PREFIX)), FILE)
  return { path, file: await open(path, 'wx', 0o600) }
}

/** Removes an incomplete file. */
async function discard({ path, file }: { path: string; file: FileHandle }): Promise<void> {
  await file.close()
  await rm(dirname(path), { recursive: true, force: true })
}

/** Removes this user's files older than `before`. Leaves what it cannot remove to the next run. */
export async function removeOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (FOLDER.test(name)) await removeIfOld(join(folder, name), before).catch(() => undefined)
  }
}

/** Removes only what looks like `privateFile` made it. Does not follow links, and keeps a folder that holds anything else. */
async function removeIfOld(folder: string, before: number): Promise<void> {
  const made = await lstat(folder)
  const file = join(folder, FILE)
  // Only this user could have put a link into such a folder.
  if (!made.isDirectory() || !isOwn(made) || isOpen(made)) return
  const written = await lstat(file)
  if (!written.isFile() || !isOwn(written) || written.mtimeMs >= before) return
  if ((await readdir(folder)).length !== 1) return
  await unlink(file)
  await rmdir(folder)
}

function isOwn({ uid }: { uid: number }): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

/** Windows has no such modes. There the temporary folder belongs to the user anyway. */
function isOpen({ mode }: { mode: number }): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}
