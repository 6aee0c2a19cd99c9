// The disk of the data folder gets full while past days of the audit log are packed.
import { makeDisk, missingForMounts } from '../mounts.ts'
import { PastDays } from '../past-days.ts'
import { allInOne } from '../processes.ts'
import type { Scenario } from '../scenario.ts'
import { fillDisk, MEGABYTES } from './disk-full.ts'

export const packingDiskFull: Scenario = {
  name: 'packing-disk-full',
  done: 'the same as `disk-full`, with `AUDIT_PACKING=1`, at a chosen segment of three past days that the service packs',
  proves:
    'each row of a past day stands once and as it was, in the table or in a segment, its chain is sound, and packing goes on when there is room again',
  doesNotProve: 'that a full disk gets room by packing: a day needs room for its segments before its rows give way',
  rounds: 5,
  long: 1,
  missing: missingForMounts,
  async open(stage) {
    const disk = await makeDisk(stage, MEGABYTES)
    const site = await allInOne({ ...stage, folder: disk.path }, [], { AUDIT_PACKING: '1' })
    const days = await PastDays.open(stage, site.ownerUrl)
    return {
      ...site,
      async fault(round) {
        await days.add(round)
        await days.bePacked(() => site.service.restart())
        // A day that has just given way leaves room in the database's own files: nobody may notice.
        await fillDisk(disk, site)
        await days.check()
        await days.packRest()
      },
    }
  },
}
