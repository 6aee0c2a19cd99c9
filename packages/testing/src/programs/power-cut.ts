// A file system whose power a test can cut: data that had not reached the disk is lost.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface CutDisk {
  /** The root of the file system. */
  readonly folder: string
  /** Cuts the power and starts again: the folder then shows what the disk held at that moment. */
  cut(): void
  remove(): void
}

/** Null when this account may not mount. */
export function openCutDisk(bytes: number): CutDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'clinic-data-cut-'))
  const [image, later, folder] = [join(place, 'image'), join(place, 'later'), join(place, 'mounted')]
  const run = (program: string, ...argv: string[]) => execFileSync(program, argv, { stdio: 'pipe' })
  let mounted = false
  // The disk is a file. Data reaches it only when a program asks for it, never because time has passed.
  const mount = (file: string) => {
    run('mount', '-o', 'loop,commit=300', file, folder)
    mounted = true
  }
  const unmount = () => {
    if (mounted) run('umount', folder)
    mounted = false
  }
  try {
    writeFileSync(image, '')
    truncateSync(image, bytes)
    mkdirSync(folder)
    run('mkfs.ext4', '-q', image)
    mount(image)
  } catch {
    rmSync(place, { recursive: true, force: true })
    return null
  }
  return {
    folder,
    cut: () => {
      copyFileSync(image, later)
      unmount()
      mount(later)
    },
    remove: () => {
      unmount()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

export const NO_MOUNT = 'this account may not mount a file system of its own'
