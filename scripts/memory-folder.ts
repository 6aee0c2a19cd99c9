// Where the files of a test run lie: in memory, where the machine offers a folder of it with room for them. Tests make and remove
// databases all the time, and on a disk that takes a third of the system's share.
import { readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A run takes half a gigabyte, and the longest files of CI a few. */
const ROOM_BYTES = 4 * 1024 ** 3

/** The folder for temporary folders. TMPDIR names another. */
export function temporaryRoot(): string {
  return process.env.TMPDIR === undefined && isMemoryFree() ? MEMORY : tmpdir()
}

/** Memory has no owner who cleans it: removes the folders of this prefix whose process, the number after it, was killed. */
export function removeLeft(prefix: string): void {
  const folder = temporaryRoot()
  for (const name of readdirSync(folder)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
