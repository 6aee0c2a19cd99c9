// Runs the intake in a separate thread: bodies go in and answers come out while requests are served. `prepare` or the first body starts
// the thread. If it fails, its running work is rolled back, and the next body restarts it (docs/decisions/0022).
//
//   const intake = new IntakeThread({ database: { url, ownerUrl }, log, onDeliveriesDue })
//   await intake.take(asking, body)
//   await intake.close()
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ChangeParts } from '@clinic-data/changes/writing/write-changes'
import { Problem, type ProblemMembers, type ProblemSlug } from '@clinic-data/contract'
import type { DatabaseOptions } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import { unavailable } from '@clinic-data/surface/outage'
import type { Answered } from '../ingest/ingest-operation.ts'
import type { Asking } from './admission.ts'
import type { Intake } from './intake.ts'

export interface IntakeThreadOptions extends Pick<ChangeParts, 'onDeliveriesDue'> {
  /** The thread has its own connections. */
  database: Pick<DatabaseOptions, 'url' | 'ownerUrl'>
  log: Pick<Log, 'error' | 'warn'>
}

/** To the thread: a body, or the request to open its database, or to end after the work it was given. */
export type IntakeRequest = { id: number; asking: Asking; body: Uint8Array } | 'open' | 'end'

/** From the thread. */
export type IntakeMessage =
  | { kind: 'answered'; id: number; answered: Answered }
  | { kind: 'refused'; id: number; slug: ProblemSlug; detail: string; members: ProblemMembers; cause: string | null }
  | { kind: 'failed'; id: number; cause: string }
  | { kind: 'due'; clinic_id: string }
  | { kind: 'broken'; cause: string }

export class IntakeThread implements Intake {
  readonly #options: IntakeThreadOptions
  readonly #pending = new Map<number, PromiseWithResolvers<Answered>>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(options: IntakeThreadOptions) {
    this.#options = options
  }

  /** Starts the thread before the first body, which would wait for it: a second, and ten on a busy machine. */
  prepare(): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage('open' satisfies IntakeRequest)
  }

  take(asking: Asking, body: Uint8Array): Promise<Answered> {
    this.#worker ??= this.#start()
    const id = ++this.#lastId
    const pending = Promise.withResolvers<Answered>()
    this.#pending.set(id, pending)
    // A copy that can be transferred: a small body shares its memory with others.
    const own = new Uint8Array(body)
    this.#worker.postMessage({ id, asking, body: own } satisfies IntakeRequest, [own.buffer])
    return pending.promise
  }

  /** Waits for the running work. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    const ended = once(worker, 'exit')
    worker.postMessage('end' satisfies IntakeRequest)
    await ended
  }

  #start(): Worker {
    const worker = new Worker(new URL('./intake-worker.ts', import.meta.url), {
      name: 'intake',
      workerData: this.#options.database,
    })
    let cause: unknown = new Error('the thread of the intake has ended')
    worker.on('message', (message: IntakeMessage) => this.#hear(message))
    worker.on('error', (error) => {
      cause = error
      this.#options.log.error({ err: error }, 'the thread that stores records has failed and is started anew')
    })
    worker.on('exit', () => {
      this.#worker = undefined
      for (const { reject } of this.#pending.values()) reject(unavailable(cause))
      this.#pending.clear()
    })
    return worker
  }

  #hear(message: IntakeMessage): void {
    switch (message.kind) {
      case 'due':
        this.#options.onDeliveriesDue?.(message.clinic_id)
        return
      case 'broken':
        this.#options.log.warn({ err: errorOf(message.cause) }, 'a database connection broke')
        return
      case 'answered':
        this.#take(message.id)?.resolve(message.answered)
        return
      case 'refused':
        this.#take(message.id)?.reject(problemOf(message))
        return
      case 'failed':
        this.#take(message.id)?.reject(errorOf(message.cause))
    }
  }

  #take(id: number): PromiseWithResolvers<Answered> | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }
}

function problemOf({ slug, detail, members, cause }: Extract<IntakeMessage, { kind: 'refused' }>): Problem {
  return new Problem(slug, detail, members, cause === null ? undefined : errorOf(cause))
}

/** As the thread has described it. */
function errorOf(description: string): Error {
  const error = new Error(description.split('\n', 1)[0])
  error.stack = description
  return error
}
