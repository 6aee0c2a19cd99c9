// The disk of the data folder gets full, stays so for a while, and has room again.
import { execFileSync } from 'node:child_process'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Disk, makeDisk, missingForMounts } from '../mounts.ts'
import { allInOne } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const MEGABYTES = 512
const FULL_MS = 4_000

export const diskFull: Scenario = {
  name: 'disk-full',
  done: 'the file system of `DATA_DIR` is filled to the last block for 4 s',
  proves:
    'callers get 503, `/readyz` of both ports says so, nothing acknowledged is lost, and the service works again by itself when there is room',
  doesNotProve: 'that reads go on meanwhile: a database without room for its log stops',
  rounds: 5,
  long: 0,
  missing: missingForMounts,
  async open(stage) {
    const disk = await makeDisk(stage, MEGABYTES)
    const site = await allInOne({ ...stage, folder: disk.path })
    return {
      ...site,
      async fault() {
        for (const one of await fillDisk(disk, site)) stage.tell(`${one}/readyz never told that the disk was full`)
      },
    }
  },
}

/** And gives it room again. @returns the addresses that never told of it. */
export async function fillDisk(
  disk: Disk,
  { service }: Pick<Awaited<ReturnType<typeof allInOne>>, 'service'>,
): Promise<readonly string[]> {
  const filler = join(disk.path, 'filler')
  const endsAt = performance.now() + FULL_MS
  const { address, adminAddress } = await service.running
  const ready = new Set([address, adminAddress])
  for (let n = 0; performance.now() < endsAt; n++) {
    const { bavail, bsize } = await statfs(disk.path)
    if (bavail > 0) execFileSync('fallocate', ['-l', `${bavail * bsize}`, `${filler}-${n}`], { stdio: 'ignore' })
    for (const one of ready) if ((await statusOf(`${one}/readyz`)) === 503) ready.delete(one)
    await delay(100)
  }
  for (let n = 0; n <= FULL_MS / 100; n++) await rm(`${filler}-${n}`, { force: true })
  return [...ready]
}

/** Null when no answer comes in time. */
async function statusOf(url: string): Promise<number | null> {
  return (await fetch(url, { signal: AbortSignal.timeout(500) }).catch(() => null))?.status ?? null
}
