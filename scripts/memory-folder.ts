// The folder of a run, for its tests' files: in memory, where the machine offers that with room for them. Tests make and remove
// databases all the time, and on a disk that takes a third of the system's share.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '@clinic-data/database/embedded/is-alive'

const MEMORY = '/dev/shm'
/** A run takes half a gigabyte, and the longest files of CI a few. */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * A new folder `<name>-<pid>-…` that every account may enter, since embedded servers run under another one. It goes when the process
 * exits. TMPDIR names the folder around it.
 */
export function folderOfRun(name: string): string {
  // Nobody else cleans memory.
  if (existsSync(MEMORY)) removeLeft(MEMORY, name)
  const folder = mkdtempSync(join(temporaryRoot(), `${name}-${process.pid}-`))
  chmodSync(folder, 0o755)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Removes the folders of this name that our own runs left when they were killed. */
export function removeLeft(around: string, name: string): void {
  for (const entry of readdirSync(around, { withFileTypes: true })) {
    const [, pid] = new RegExp(`^${name}-(\\d+)-`).exec(entry.name) ?? []
    const folder = join(around, entry.name)
    if (pid === undefined || isAlive(Number(pid))) continue
    if (statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true })
  }
}

function temporaryRoot(): string {
  return process.env.TMPDIR === undefined && isMemoryFree() ? MEMORY : tmpdir()
}

function isMemoryFree(): boolean {
  try {
    const [, options = 'noexec'] = new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, 'm').exec(mounts()) ?? []
    const { bavail, bsize } = statfsSync(MEMORY)
    // Programs under test are unpacked there.
    const isFit = options.startsWith('rw') && !options.split(',').includes('noexec')
    return isFit && Math.min(bavail * bsize, process.availableMemory() / 2) >= ROOM_BYTES
  } catch {
    return false
  }
}

const mounts = () => readFileSync('/proc/self/mounts', 'utf8')
