// Fills the demo clinic of `serve --demo`, in a process of its own. The service starts when the patients are there, and answers
// while the rest is written.
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { DatabaseUnavailable } from '@clinic-data/database'
import { isDemoFilled } from '@clinic-data/demo/demo-clinic'
import { openAsApp, type Storage, type StorageUrls } from '@clinic-data/installation/database/storage'
import { Phase } from '@clinic-data/operator/progress'

/** The process tells this. `isAway`: the database does not answer, and the same may succeed later. */
export type Filled = { stage: 'patients' } | { stage: 'whole' } | { stage: 'failed'; error: unknown; isAway: boolean }

export class DemoFilling {
  #opening = new Phase('Preparing the database')
  #process: FillingProcess | undefined
  #storage: StorageUrls | undefined

  readonly #signal: AbortSignal

  /** @param signal ends the process with the service. */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /**
   * Resolves when the service may answer: at once for a clinic that was filled before. A start that repeats it, because its database
   * went away, goes on with the first process.
   */
  readonly begin = async ({ ownerUrl, appUrl }: Storage): Promise<void> => {
    this.#opening.end()
    const patients = new Phase('Preparing the demo clinic')
    this.#storage = { ownerUrl, appUrl }
    try {
      if (!(await isFilled(this.#storage))) await this.#filler(this.#storage).servable
    } catch (error) {
      patients.abandon()
      this.#process = undefined
      this.#opening = new Phase('Preparing the database')
      throw error
    }
    patients.end()
  }

  abandon(): void {
    this.#opening.abandon()
  }

  /** Resolves when the clinic is complete. Call it after `begin`. */
  async whole(): Promise<void> {
    if (this.#storage === undefined) throw new Error('the filling was not begun')
    const filler = this.#filler(this.#storage)
    filler.send('started')
    const calendar = new Phase('Filling its calendar, calls and chats')
    try {
      await filler.whole
    } catch (error) {
      calendar.abandon()
      throw error
    }
    calendar.end()
  }

  #filler(storage: StorageUrls): FillingProcess {
    this.#process ??= new FillingProcess(this.#signal, storage)
    return this.#process
  }
}

async function isFilled(storage: StorageUrls): Promise<boolean> {
  const app = await openAsApp(storage, () => undefined)
  try {
    return await isDemoFilled(app)
  } finally {
    await app.close()
  }
}

class FillingProcess {
  readonly #child: ChildProcess
  /** Resolves when the patients are stored. */
  readonly servable: Promise<void>
  readonly whole: Promise<void>

  constructor(signal: AbortSignal, storage: StorageUrls) {
    const servable = Promise.withResolvers<void>()
    const whole = Promise.withResolvers<void>()
    const fail = (error: unknown) => {
      servable.reject(error)
      whole.reject(error)
    }
    this.servable = servable.promise
    this.whole = whole.promise
    // Whoever waits learns of it. Nobody may wait yet, or any more.
    this.servable.catch(() => undefined)
    this.whole.catch(() => undefined)
    this.#child = fork(new URL('./demo-filler.ts', import.meta.url), compiledFolder(), {
      serialization: 'advanced',
      signal,
      killSignal: 'SIGKILL',
    })
    this.#child.on('error', fail)
    this.#child.on('exit', (code, name) => fail(new Error(`the process that fills it ended early (${name ?? code})`)))
    // A start that fails before it ends without waiting for it.
    this.#child.unref()
    this.#child.channel?.unref()
    this.#child.on('message', (filled: Filled) => {
      if (filled.stage === 'failed') return fail(failureOf(filled))
      servable.resolve()
      if (filled.stage === 'whole') whole.resolve()
    })
    this.send(storage)
  }

  send(message: StorageUrls | 'started'): void {
    // A process that has ended is told by its promises.
    if (!this.#child.connected) return
    this.#child.channel?.ref()
    this.#child.send(message, () => undefined)
  }
}

/** As an argument: the process need not compile what this one has compiled. */
function compiledFolder(): string[] {
  // Node.js keeps that of each of its versions in a folder of its own.
  const folder = getCompileCacheDir()
  return folder === undefined ? [] : [dirname(folder)]
}

/** Between processes an error keeps its text only. */
function failureOf({ error, isAway }: { error: unknown; isAway: boolean }): unknown {
  return isAway && error instanceof Error ? new DatabaseUnavailable(error.message, { cause: error }) : error
}
