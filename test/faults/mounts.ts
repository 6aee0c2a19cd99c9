// Small file systems of a scenario's own: one that loses its power on command, one that gets full. They need root and a system that
// allows to mount.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from './scenario.ts'

const PROGRAMS = ['mount', 'umount', 'mkfs.ext4', 'perl']
/** EXT4_IOC_SHUTDOWN without a last write of the journal. Node.js has no ioctl, and every system with ext4 has Perl. */
const SHUTDOWN =
  'use Fcntl; sysopen(F, $ARGV[0], O_RDONLY) or die $!; ioctl(F, 0x8004587d, $f = pack("I", 2)) or die $!'
const UNMOUNT_TRIES = 100

export interface Disk {
  /** Where it is mounted. */
  readonly path: string
  /** Everything that was written so far survives a cut. */
  sync(): void
  /** From now on nothing reaches the disk, and what was not synced is lost. */
  cutPower(): void
  /** Mounts it again, as a machine does that gets its power back. Nothing may use it any more. */
  restorePower(): Promise<void>
}

/** An ext4 file system in a file. */
export async function makeDisk(stage: Stage, megabytes: number): Promise<Disk> {
  const image = join(stage.folder, 'disk.img')
  const path = join(stage.folder, 'disk')
  await mkdir(path)
  quietly('truncate', '-s', `${megabytes}M`, image)
  quietly('mkfs.ext4', '-q', image)
  const mount = () => quietly('mount', '-o', 'loop', image, path)
  mount()
  // The embedded server runs under another account.
  quietly('chmod', '755', path)
  stage.defer(() => unmount(path))
  return {
    path,
    sync: () => quietly('sync', '-f', path),
    cutPower: () => quietly('perl', '-e', SHUTDOWN, path),
    async restorePower() {
      await unmount(path)
      mount()
    },
  }
}

/** Killed processes let their files go a moment later. */
async function unmount(path: string): Promise<void> {
  for (let tries = 1; spawnSync('umount', [path]).status !== 0; tries++) {
    if (tries === UNMOUNT_TRIES) throw new Error(`${path} is still in use`)
    await delay(50)
  }
}

/** @returns what is missing for it on this machine, or null. */
export async function missingForMounts(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'mounting a file system needs root'
  const absent = PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0)
  if (absent.length > 0) return `${absent.join(', ')} is not installed`
  const folder = await mkdtemp(join(tmpdir(), 'mount-'))
  const image = join(folder, 'image')
  try {
    quietly('truncate', '-s', '8M', image)
    quietly('mkfs.ext4', '-q', image)
    await mkdir(join(folder, 'place'))
    if (spawnSync('mount', ['-o', 'loop', image, join(folder, 'place')]).status !== 0)
      return 'this system allows no file system in a file'
    await unmount(join(folder, 'place'))
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function quietly(program: string, ...argv: string[]): void {
  execFileSync(program, argv, { stdio: ['ignore', 'ignore', 'pipe'] })
}
