// One machine of a cluster: Patroni and its PostgreSQL, which can be killed and come back.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@clinic-data/testing/until'
import type { Program } from './program.ts'

/** As Patroni names them. `sync`: the standby that has every acknowledged commit. */
export type MachineRole = 'primary' | 'replica' | 'sync'

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It had ended before.
  }
}

interface MachinePlace {
  name: string
  /** Holds `data`, the files of PostgreSQL. */
  folder: string
  /** The port of Patroni's REST API. */
  restPort: number
}

export class Machine {
  readonly name: string
  readonly #place: MachinePlace
  readonly #start: () => Program
  #patroni: Program

  constructor(place: MachinePlace, start: () => Program) {
    this.name = place.name
    this.#place = place
    this.#start = start
    this.#patroni = start()
  }

  /** The end of Patroni's messages. */
  get said(): string {
    return this.#patroni.said
  }

  /** Whether Patroni says so. */
  async is(role: MachineRole): Promise<boolean> {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`http://127.0.0.1:${this.#place.restPort}/${role}`, { signal }).catch(() => null)
    await answer?.body?.cancel()
    return answer?.status === 200
  }

  async until(role: MachineRole): Promise<void> {
    const isSo = () => {
      this.#patroni.requireRunning()
      return this.is(role)
    }
    await until(isSo, () => `${this.name} does not become ${role}:\n${this.said}`)
  }

  /**
   * Like a power cut: neither Patroni nor PostgreSQL does anything any more. All of PostgreSQL stands still before any of it is killed. Where its
   * first process dies alone, a commit that waits for the standby waits no longer, and a dispatcher may deliver what the standby never had.
   */
  async kill(): Promise<void> {
    await this.#patroni.kill()
    for (const pid of this.#postgres()) signal(pid, 'SIGSTOP')
    // Listed again: the first process, which starts the others, stood still only then.
    for (const pid of this.#postgres()) signal(pid, 'SIGKILL')
  }

  revive(): void {
    this.#patroni = this.#start()
  }

  /** Like a machine that hangs, or a cut cable: its connections stay open, and nothing answers. It does not know. */
  freeze(): void {
    this.#patroni.signal('SIGSTOP')
    for (const pid of this.#postgres()) signal(pid, 'SIGSTOP')
  }

  /** It goes on as if nothing had been. */
  thaw(): void {
    for (const pid of this.#postgres()) signal(pid, 'SIGCONT')
    this.#patroni.signal('SIGCONT')
  }

  /** The processes of PostgreSQL, the first of them first. */
  #postgres(): number[] {
    const file = join(this.#place.folder, 'data/postmaster.pid')
    const [pid] = existsSync(file) ? readFileSync(file, 'utf8').split('\n', 1) : []
    if (pid === undefined) return []
    const { stdout } = spawnSync('pgrep', ['-P', pid], { encoding: 'utf8' })
    return [pid, ...stdout.split('\n').filter((line) => line !== '')].map(Number)
  }
}
