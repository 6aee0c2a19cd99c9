// One of the two workers that serve the public API is killed.
import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { allInOne } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const workerKilled: Scenario = {
  name: 'worker-killed',
  done: 'SIGKILL of one of two workers (`--workers 2`), chosen at random',
  proves: 'the primary replaces it, and nothing that it had acknowledged is lost',
  doesNotProve: 'anything about the primary: without it the workers end (`service-killed`)',
  rounds: 20,
  long: 0,
  async open(stage) {
    const site = await allInOne(stage, ['--workers', '2'])
    const workers = async () => workersOf((await site.service.running).child.pid)
    return {
      ...site,
      async fault() {
        const pid = stage.random.pick(await workers())
        process.kill(pid, 'SIGKILL')
        for (let now = await workers(); now.length < 2 || now.includes(pid); now = await workers()) await delay(20)
      },
    }
  },
}

/** A worker is a child of Node.js; the database runs beside it under its own name. */
function workersOf(pid: number | undefined): number[] {
  const listed = execFileSync('ps', ['--ppid', `${pid}`, '-o', 'pid=,comm='], { encoding: 'utf8' })
  const lines = listed.trim().split('\n')
  return lines.filter((line) => !/postgres/.test(line)).map((line) => Number.parseInt(line, 10))
}
