// The power of the machine's disk is cut while past days of the audit log are packed.
import { makeDisk, missingForMounts } from '../mounts.ts'
import { PastDays } from '../past-days.ts'
import { allInOne } from '../processes.ts'
import type { Scenario } from '../scenario.ts'
import { cutPower, MEGABYTES } from './power-cut.ts'

export const packingPowerCut: Scenario = {
  name: 'packing-power-cut',
  done: 'the same as `power-cut`, with `AUDIT_PACKING=1`, at a chosen segment of three past days that the service packs',
  proves:
    'each row of a past day stands once and as it was, in the table or in a segment, its chain is sound, and packing goes on with what the cut has left',
  doesNotProve: 'anything about a disk that says that it has synced and has not, or that tears a sector',
  rounds: 10,
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
        await cutPower(stage, disk, site, round)
        await days.check()
        await days.packRest()
      },
    }
  },
}
