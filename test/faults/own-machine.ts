// Every day: one process that runs everything beside its own database, on a disk that loses its power, and whose database is killed.
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { makeDisk, missingForMounts } from './mounts.ts'
import { allInOne, dataFolder, killPostgres } from './processes.ts'
import type { Scenario } from './scenario.ts'
import { cutPower, MEGABYTES } from './scenarios/power-cut.ts'

type Fault = (round: number) => Promise<void>

export const ownMachine: Pick<Scenario, 'name' | 'open'> = {
  name: 'own-machine',
  async open(stage) {
    const disk = (await missingForMounts()) === null ? await makeDisk(stage, MEGABYTES) : null
    const own = disk === null ? stage : { ...stage, folder: disk.path }
    // The tables are there before the service, and reached the disk.
    copyKept(dataFolder(own))
    disk?.sync()
    const site = await allInOne(own)
    const faults: Fault[] = [
      disk === null ? () => site.service.restart() : (round) => cutPower(stage, disk, site, round),
      () => killPostgres(site.dataDir),
    ]
    return { ...site, fault: async (round) => faults[round]?.(round) }
  },
}
