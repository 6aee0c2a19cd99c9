// The wall clock of the service's machine jumps, ahead and back. libfaketime sets it, for all roles at once; the monotonic clock
// goes on as it does in a machine.
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ownDatabase, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

const LIBRARIES = '/usr/lib{,64,/*-linux-gnu}/faketime/libfaketimeMT.so.1'
const library = () => globSync(LIBRARIES)[0] ?? null
const JUMPS = ['+3600', '-3600', '+30', '-30', '+86400'] as const
const JUMPED_MS = 2_000

export const clockJump: Scenario = {
  name: 'clock-jump',
  done: 'the wall clock of all roles jumps by 30 s, an hour or a day, ahead or back, and jumps to the true time 2 s later; the database keeps the true time',
  proves: 'nothing is lost or doubled, deliveries go out, walks see each row once, and a revoked key stays revoked',
  doesNotProve: 'that times told while the clock was wrong are right, or anything about a jump of the database',
  rounds: 10,
  everyday: 0,
  missing: async () => (library() === null ? 'libfaketime is not installed' : null),
  async open(stage) {
    const { ownerUrl } = await ownDatabase(stage)
    const file = join(stage.folder, 'clock')
    await writeFile(file, '+0')
    const more = {
      ...{ LD_PRELOAD: library() ?? '', FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
      ...{ DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    }
    const { address } = await splitRoles(stage, { databaseUrl: ownerUrl, more })
    return {
      ...{ address, ownerUrl },
      async fault() {
        await writeFile(file, stage.random.pick(JUMPS))
        await delay(JUMPED_MS)
        await writeFile(file, '+0')
      },
    }
  },
}
