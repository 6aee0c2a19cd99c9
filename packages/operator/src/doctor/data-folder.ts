// Looks at the folder of the embedded database: whether it can be written to, and how much room its disk has.
import { access, constants, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { clusterPath } from '@clinic-data/database/embedded/cluster-folder'
import { hasCluster } from '@clinic-data/database/embedded/restore-postgres'
import { inFolder } from '@clinic-data/installation/database/storage'
import { ConfigError } from '@clinic-data/installation/settings/config-error'
import { firstLineOf } from '../output.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** PostgreSQL stops when it cannot write its log of changes, of which it keeps some hundred megabytes. */
const LEAST_BYTES = 256 * 1024 ** 2
/** Some weeks of a clinic's audit log and events. */
const WANTED_BYTES = 2 * 1024 ** 3

/** `isShut`: this account can look at nothing in it. */
export async function lookAtDataFolder(dataDir: string): Promise<{ finding: Finding; isShut: boolean }> {
  const folder = resolve(dataDir)
  try {
    return { finding: roomFinding(folder, await inFolder(folder, () => freeBytesIn(folder))), isShut: false }
  } catch (error) {
    const detail =
      error instanceof ConfigError ? error.message : `DATA_DIR ${folder} cannot be used: ${firstLineOf(error)}`
    return { finding: fault('data_folder', detail), isShut: true }
  }
}

/** @throws Error where this account may not write to the folder, or to the cluster in it. */
async function freeBytesIn(folder: string): Promise<number> {
  const place = await existing(folder)
  const used = hasCluster(place) ? [place, clusterPath(place)] : [place]
  for (const one of used) await access(one, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = await statfs(place)
  return bavail * bsize
}

function roomFinding(folder: string, free: number): Finding {
  const detail = `${folder} can be written to, ${Math.floor(free / 1024 ** 2)} MB are free`
  if (free < LEAST_BYTES) return fault('data_folder', `${detail}: make room, or the database stops`)
  return free < WANTED_BYTES ? warning('data_folder', `${detail}: make room soon`) : ok('data_folder', detail)
}

/** The folder, or the nearest one above it that exists: a start makes those between. */
async function existing(folder: string): Promise<string> {
  try {
    await access(folder)
    return folder
  } catch (error) {
    const above = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error
    return existing(above)
  }
}
