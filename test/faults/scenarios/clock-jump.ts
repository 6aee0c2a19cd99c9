// The wall clock of the service's machine jumps, ahead and back. libfaketime sets it, for all roles at once; the monotonic clock
// goes on as it does in a machine.
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ownDatabase, splitRoles } from '../processes.ts'
import type { Scenario, Stage } from '../scenario.ts'

const LIBRARIES = '/usr/lib{,64,/*-linux-gnu}/faketime/libfaketimeMT.so.1'
const library = () => globSync(LIBRARIES)[0] ?? null
/** A clock that `npm run test:clocks` has set cannot jump: two of the library in one process do not know of each other. */
const isSet = process.env.TEST_CLOCK !== undefined
export const hasClocks = () => library() !== null && !isSet
const JUMPS = ['+3600', '-3600', '+30', '-30', '+86400'] as const
const JUMPED_MS = 2_000

export const clockJump: Scenario = {
  name: 'clock-jump',
  done: 'the wall clock of all roles jumps by 30 s, an hour or a day, ahead or back, and jumps to the true time 2 s later; the database keeps the true time',
  proves: 'nothing is lost or doubled, deliveries go out, walks see each row once, and a revoked key stays revoked',
  doesNotProve: 'that times told while the clock was wrong are right, or anything about a jump of the database',
  rounds: 10,
  long: 0,
  missing: async () => (hasClocks() ? null : isSet ? 'the clock is set' : 'libfaketime is not installed'),
  async open(stage) {
    const { ownerUrl } = await ownDatabase(stage)
    const { more, jumpBy } = await clockOf(stage)
    const { address } = await splitRoles(stage, { databaseUrl: ownerUrl, more })
    return {
      address,
      ownerUrl,
      async fault() {
        await jumpBy(stage.random.pick(JUMPS))
        await delay(JUMPED_MS)
        await jumpBy('+0')
      },
    }
  },
}

/** A wall clock for processes that start with these variables. It is true until it jumps, by so many seconds from the true time. */
export async function clockOf(stage: Pick<Stage, 'folder'>) {
  const file = join(stage.folder, 'clock')
  const jumpBy = (seconds: string) => writeFile(file, seconds)
  await jumpBy('+0')
  const more = {
    LD_PRELOAD: library() ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { more, jumpBy }
}
