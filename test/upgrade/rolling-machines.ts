// Two machines that serve the same clinics, whose programs an operator replaces one machine at a time.
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '@clinic-data/testing/free-port'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { until } from '@clinic-data/testing/until'

export type Version = 'former' | 'today'

/** `docs/pair.md` tells operators to wait so long after a machine's `/readyz`: nginx leaves one that refused alone for so long. */
const BETWEEN_MACHINES_MS = 2_000
/** From each machine, before the next one is touched. */
const ANSWERS = 40

export interface Program {
  readonly version: Version
  /** By default today's. */
  readonly path?: string
  readonly environment: Readonly<Record<string, string>>
}

export class Machine {
  readonly #port: number
  readonly #adminPort: number
  readonly #answered: (requestId: string, version: Version) => void
  #running: ClinicdProcess | null = null
  /** Requests that its present program has answered. */
  answers = 0

  constructor(port: number, adminPort: number, answered: (requestId: string, version: Version) => void) {
    this.#port = port
    this.#adminPort = adminPort
    this.#answered = answered
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get adminAddress(): string {
    return `http://127.0.0.1:${this.#adminPort}`
  }

  /** Resolves when it is ready. */
  async start({ version, path, environment }: Program): Promise<void> {
    const ports = { PORT: String(this.#port), ADMIN_PORT: String(this.#adminPort) }
    const process = await startClinicd([], { ...environment, ...ports }, path)
    this.answers = 0
    this.#running = process
    createInterface({ input: process.child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {}
      if (entry.msg !== 'request' || entry.operation === null) return
      this.answers++
      this.#answered(entry.request_id, version)
    })
    await until(
      async () => (await fetch(`${this.address}/readyz`)).ok,
      () => `not ready: ${process.lines.join('\n')}`,
    )
  }

  /** As systemd stops it. */
  async stop(): Promise<void> {
    const process = this.#running ?? assert.fail('nothing runs there')
    this.#running = null
    assert.equal(await process.end('SIGTERM'), 0, process.lines.join('\n'))
  }
}

export class Machines {
  readonly all: readonly Machine[]
  readonly #versions = new Map<string, Version>()

  private constructor(ports: readonly number[]) {
    const answered = (requestId: string, version: Version) => void this.#versions.set(requestId, version)
    const [a = 0, b = 0, adminA = 0, adminB = 0] = ports
    this.all = [new Machine(a, adminA, answered), new Machine(b, adminB, answered)]
  }

  static async start(program: Program): Promise<Machines> {
    const machines = new Machines(await freePorts(4))
    for (const machine of machines.all) await machine.start(program)
    return machines
  }

  /** Which version answered a request. Null: none of them, or its log has not told it yet. */
  versionOf(requestId: string): Version | null {
    return this.#versions.get(requestId) ?? null
  }

  /** Both serve, before anything more is done. */
  async bothAnswer(): Promise<void> {
    const enough = new Map(this.all.map((machine) => [machine, machine.answers + ANSWERS]))
    await until(
      async () => [...enough].every(([machine, answers]) => machine.answers >= answers),
      () => 'a machine gets no requests',
    )
  }

  /** Gives both the program, one after the other. `meanwhile` runs while they differ. */
  async replace(program: Program, meanwhile: () => Promise<void>): Promise<void> {
    for (const machine of this.all) {
      await machine.stop()
      await machine.start(program)
      await delay(BETWEEN_MACHINES_MS)
      await this.bothAnswer()
      if (machine === this.all[0]) await meanwhile()
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((machine) => machine.stop()))
  }
}
