// The data folder is copied at a random moment while all processes that write to it are stopped, and a server is started from the
// copy. It needs no rights, so it runs where the power cut cannot.
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { serverProcesses } from '@clinic-data/database/embedded/postmaster'
import { allInOne, openOwner } from '../processes.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { storedRecords } from '../stored-state.ts'

export const stoppedCopy: Scenario = {
  name: 'stopped-copy',
  done: 'SIGSTOP of all processes, a copy of `DATA_DIR`, SIGCONT; a server started from the copy must hold what was acknowledged before the copy began',
  proves:
    'a server recovers from its files as they are at any moment, as after a crash of all processes or from a snapshot of the disk',
  doesNotProve: 'a power cut: the copy also holds what was written and not synced',
  rounds: 10,
  long: 0,
  async open(stage) {
    const site = await allInOne(stage)
    return {
      ...site,
      async fault(round) {
        const copy = join(stage.folder, `copy-${round}`)
        const before = acknowledged(stage)
        const service = (await site.service.running).child.pid
        const processes = [...(await serverProcesses(join(site.dataDir, 'pg'))), ...(service ? [service] : [])]
        signal(processes, 'SIGSTOP')
        try {
          execFileSync('cp', ['-a', site.dataDir, copy])
        } finally {
          signal(processes, 'SIGCONT')
        }
        await checkCopy(stage, copy, before)
        await rm(copy, { recursive: true })
      },
    }
  },
}

function acknowledged({ history }: Stage): readonly string[] {
  return history.flatMap((one) => (one.entry === 'write' && one.result === 'ok' ? `${one.kind} ${one.id}` : []))
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) process.kill(pid, name)
}

async function checkCopy(stage: Stage, copy: string, before: readonly string[]): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir: copy, log: () => undefined })
  const owner = await openOwner(server.ownerUrl)
  try {
    const kept = new Set((await storedRecords(owner, stage.clinic())).map(({ kind, id }) => `${kind} ${id}`))
    for (const one of before) if (!kept.has(one)) stage.tell(`lost write: ${one} is not in a copy that was begun later`)
  } finally {
    await owner.close()
    await server.stop()
  }
}
