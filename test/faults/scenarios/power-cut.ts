// The power of the machine's disk is cut. The data folder lies on an ext4 file system of its own, which is shut down without a last
// write, so that everything that was not synced is lost.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { serverProcesses } from '@clinic-data/database/embedded/postmaster'
import { type Disk, makeDisk, missingForMounts } from '../mounts.ts'
import { allInOne } from '../processes.ts'
import type { Scenario, Stage } from '../scenario.ts'

export const MEGABYTES = 1024

export const powerCut: Scenario = {
  name: 'power-cut',
  done: 'the file system of `DATA_DIR` (ext4 in a file) is shut down without a last write, all processes get SIGKILL, it is mounted again',
  proves:
    'what was acknowledged had been synced; in each round a synced file must survive and an unsynced one must not',
  doesNotProve: 'anything about a disk that says that it has synced and has not, or that tears a sector',
  rounds: 20,
  long: 1,
  missing: missingForMounts,
  async open(stage) {
    const disk = await makeDisk(stage, MEGABYTES)
    const site = await allInOne({ ...stage, folder: disk.path })
    return {
      ...site,
      fault: (round) => cutPower(stage, disk, site, round),
    }
  },
}

/** And gives it back. Everything runs again afterwards. */
export async function cutPower(
  stage: Stage,
  disk: Disk,
  { service, dataDir }: Pick<Awaited<ReturnType<typeof allInOne>>, 'service' | 'dataDir'>,
  round: number,
): Promise<void> {
  const synced = join(disk.path, `synced-${round}`)
  const unsynced = join(disk.path, `unsynced-${round}`)
  const processes = await serverProcesses(join(dataDir, 'pg'))
  put(synced, true)
  put(unsynced, false)
  disk.cutPower()
  const start = await service.kill()
  for (const pid of processes) end(pid)
  await disk.restorePower()
  if (!holds(synced)) stage.tell('the cut has lost a synced file')
  if (holds(unsynced)) stage.tell('not a power cut: an unsynced file is still there')
  await start()
}

const CONTENT = 'on the disk'

function put(file: string, isSynced: boolean): void {
  const descriptor = openSync(file, 'w')
  writeSync(descriptor, CONTENT)
  if (isSynced) fsyncSync(descriptor)
  closeSync(descriptor)
}

function holds(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8') === CONTENT
}

/** The server may have ended by itself: it could not write any more. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
