// Looks at the folder of the embedded database: whether it can be written to, and how much room its disk has.
import { access, constants, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { firstLineOf } from '../output.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** PostgreSQL stops when it cannot write its log of changes, of which it keeps some hundred megabytes. */
const LEAST_BYTES = 256 * 1024 ** 2
/** Some weeks of a clinic's audit log and events. */
const WANTED_BYTES = 2 * 1024 ** 3

export async function dataFolderFinding(dataDir: string): Promise<Finding> {
  const folder = resolve(dataDir)
  try {
    const place = await existing(folder)
    await access(place, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(place)
    const free = bavail * bsize
    const detail = `${folder} can be written to, ${Math.floor(free / 1024 ** 2)} MB are free`
    if (free < LEAST_BYTES) return fault('data_folder', `${detail}: make room, or the database stops`)
    return free < WANTED_BYTES ? warning('data_folder', `${detail}: make room soon`) : ok('data_folder', detail)
  } catch (error) {
    return fault('data_folder', `DATA_DIR ${folder} cannot be used: ${firstLineOf(error)}`)
  }
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
