// The ground of a comparison with a queue: an embedded PostgreSQL for both sides, clinics with subscriptions, and the receivers.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clinic } from '@clinic-data/contract'
import { type Database, openDatabase } from '@clinic-data/database'
import { openBenchDatabase } from '../bench-database.ts'
import { CLINICS, HEALTHY_PER_CLINIC, prepare } from '../webhook-ground.ts'
import type { ReceiverRequest, Report } from '../webhook-receiver.ts'

export interface QueueGround {
  readonly server: { readonly appUrl: string; readonly ownerUrl: string }
  readonly app: Database
  readonly owner: Database
  readonly clinics: readonly Clinic[]
  /** The endpoints' addresses: each healthy subscription's own, and the last for one that hangs. */
  readonly origins: readonly string[]
  readonly receiver: Receiver
  /** The first process of PostgreSQL. After a crash it is another one. */
  postmaster(): number
  close(): Promise<void>
}

export async function openQueueGround(): Promise<QueueGround> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
  const { server, owner, close } = await openBenchDatabase(dataDir)
  const app = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl })
  const ports = CLINICS * HEALTHY_PER_CLINIC + 1
  const child = fork(join(import.meta.dirname, '..', 'webhook-receiver.ts'), [String(ports)])
  const [listening] = (await once(child, 'message')) as [{ ports: number[] }]
  const origins = listening.ports.map((port) => `http://127.0.0.1:${port}`)
  const clinics = await prepare(owner, origins)
  return {
    server,
    app,
    owner,
    clinics,
    origins,
    receiver: new Receiver(child),
    postmaster: () => Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]),
    async close() {
      child.kill()
      await app.close()
      await close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** The endpoints, in a program of their own. */
export class Receiver {
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
  }

  /** From now on counts only events that were made at this time or later. */
  async begin(since: number): Promise<void> {
    await this.#ask({ ask: 'begin', since })
  }

  async count(): Promise<number> {
    return ((await this.#ask({ ask: 'count' })) as { count: number }).count
  }

  async report(): Promise<Report> {
    return (await this.#ask({ ask: 'report' })) as Report
  }

  /** The deliveries that have arrived: an event's number and the path of the endpoint each. */
  async seen(): Promise<ReadonlySet<string>> {
    return new Set(((await this.#ask({ ask: 'seen' })) as { seen: string[] }).seen)
  }

  /** While they are down, the healthy endpoints answer 503. */
  async setDown(isDown: boolean): Promise<void> {
    await this.#ask({ ask: 'outage', isDown })
  }

  async #ask(request: ReceiverRequest): Promise<unknown> {
    const answered = once(this.#child, 'message')
    this.#child.send(request)
    const [answer] = await answered
    return answer
  }
}
